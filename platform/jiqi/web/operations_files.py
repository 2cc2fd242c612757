"""The upload of a file, which streams its body and therefore stands beside the table of operations."""

from typing import Any, Final

_PROBLEM = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}

UPLOAD: Final[dict[str, Any]] = {
    "/projects/{project}/files/{path}": {
        "put": {
            "operationId": "uploadFile",
            "tags": ["projects"],
            "summary": "Upload a file into a project, streamed",
            "description": "The quota is checked before the first byte; a body that is cut leaves no short file."
            " `path` is below the project's folder and may hold slashes.\n\n"
            "Who: A person: portal cookie, notebook cookie or API token.",
            "security": [{"portalCookie": []}, {"notebookCookie": []}, {"token": []}],
            "parameters": [
                {"name": "project", "in": "path", "required": True, "schema": {"type": "string"}},
                {"name": "path", "in": "path", "required": True, "schema": {"type": "string"}},
            ],
            "requestBody": {
                "required": True,
                "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
            },
            "responses": {
                "201": {
                    "description": "An uploaded file.",
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/FileWritten"}}},
                },
                "400": {
                    "description": "Codes: file.outside, file.bad_name, upload.incomplete",
                    "content": _PROBLEM,
                },
                "401": {"description": "Codes: login.required", "content": _PROBLEM},
                "404": {"description": "Codes: not_found, file.not_found", "content": _PROBLEM},
                "507": {"description": "Codes: disk.quota, disk.full", "content": _PROBLEM},
                "default": {"description": "Any other problem, with a stable code.", "content": _PROBLEM},
            },
        }
    }
}
