"""The standard library's logger that jupyter_server's objects write to; their chatter is for debugging."""

import logging

jupyter_log = logging.getLogger("jiqi.jupyter")
jupyter_log.setLevel(logging.WARNING)
# Otherwise traitlets would install a handler of its own for each object that has no logger.
logging.getLogger("traitlets").addHandler(logging.NullHandler())
