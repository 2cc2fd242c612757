"""In-process jupyter_server applications, one per active user."""

import sys

# jsonschema looks for this module to check IRIs, which no schema of a notebook or setting has; building its grammar
# takes a second of CPU at every start of a web process and of its workers.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
