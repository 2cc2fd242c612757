"""The OpenAPI 3.1 document of the portal API, made from the table of operations."""

import inspect
import json
from typing import Any, get_type_hints

import msgspec

from jiqi import __version__
from jiqi.domain.errors import BadInputError, ForbiddenError, JiqiError, LoginRequiredError
from jiqi.web.call import Auth, Operation
from jiqi.web.operations import OPERATIONS, PREFIX
from jiqi.web.operations_files import UPLOAD
from jiqi.web.schemas import Problem
from jiqi.web.schemas_work import FileWritten

_REF = "#/components/schemas/{name}"
_WHO = {
    Auth.PUBLIC: "Anybody.",
    Auth.WORK: "A person: portal cookie, notebook cookie or API token.",
    Auth.PORTAL: "A person by the portal's cookie, on the portal's origin only.",
    Auth.ADMIN: "An administrator, on the portal's origin only.",
    Auth.ADMIN_FRESH: "An administrator who proved the password within ten minutes.",
}
_SECURITY: dict[Auth, list[dict[str, list[str]]]] = {
    Auth.PUBLIC: [],
    Auth.WORK: [{"portalCookie": []}, {"notebookCookie": []}, {"token": []}],
    Auth.PORTAL: [{"portalCookie": []}],
    Auth.ADMIN: [{"portalCookie": []}],
    Auth.ADMIN_FRESH: [{"portalCookie": []}],
}


def request_type(operation: Operation) -> Any:
    """Return the struct of the request's body, None when there is no body."""
    return get_type_hints(operation.run).get("body")


def response_type(operation: Operation) -> Any:
    """Return the struct of the answer, None for 204."""
    found = get_type_hints(operation.run)["return"]
    return None if found is type(None) else found


def errors_of(operation: Operation) -> list[type[JiqiError]]:
    """Return the errors that an operation documents, with those of its authentication and body."""
    found: list[type[JiqiError]] = list(operation.errors)
    if operation.auth is not Auth.PUBLIC:
        found.append(LoginRequiredError)
    if operation.auth in {Auth.ADMIN, Auth.ADMIN_FRESH}:
        found.append(ForbiddenError)
    if request_type(operation) is not None:
        found.append(BadInputError)
    return sorted(set(found), key=lambda error: (error.status, error.code))


def document() -> dict[str, Any]:
    """Return the OpenAPI 3.1 document."""
    types = {kind for operation in OPERATIONS for kind in _types(operation)}
    types |= {Problem, FileWritten}
    _, components = msgspec.json.schema_components(sorted(types, key=lambda t: t.__name__), ref_template=_REF)
    paths: dict[str, dict[str, Any]] = {}
    for operation in OPERATIONS:
        paths.setdefault(PREFIX + operation.path, {})[operation.method.lower()] = _describe(operation)
    for path, item in UPLOAD.items():
        paths.setdefault(PREFIX + path, {}).update(item)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "即启 Jiqi",
            "version": __version__,
            "description": "The portal API. Problems are RFC 9457 with a stable `code`. Unsafe calls by cookie carry"
            " `X-Jiqi-XSRF`, equal to the cookie `jiqi_xsrf`.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "tags": [{"name": name} for name in ("account", "tokens", "lessons", "projects", "kernels", "admin")],
        "paths": paths,
        "components": {
            "schemas": dict(sorted(components.items())),
            "securitySchemes": {
                "portalCookie": {"type": "apiKey", "in": "cookie", "name": "jiqi_session"},
                "notebookCookie": {"type": "apiKey", "in": "cookie", "name": "jiqi_nb"},
                "token": {"type": "http", "scheme": "bearer"},
            },
        },
    }


def rendered() -> str:
    """Return the document as the file docs/openapi.json holds it."""
    return json.dumps(document(), ensure_ascii=False, indent=1) + "\n"


def _types(operation: Operation) -> list[Any]:
    return [kind for kind in (request_type(operation), response_type(operation)) if kind is not None]


def _describe(operation: Operation) -> dict[str, Any]:
    body, answer = request_type(operation), response_type(operation)
    summary, _, rest = inspect.cleandoc(operation.run.__doc__ or "").partition("\n")
    item: dict[str, Any] = {
        "operationId": operation.id,
        "tags": [operation.tag],
        "summary": summary.rstrip("."),
        "description": f"{rest.strip()}\n\nWho: {_WHO[operation.auth]}".strip(),
        "security": _SECURITY[operation.auth],
        "parameters": _parameters(operation),
        "responses": _responses(operation, answer),
    }
    if body is not None:
        schema = {"$ref": _REF.format(name=body.__name__)}
        item["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
    return item


def _parameters(operation: Operation) -> list[dict[str, Any]]:
    names = [part[1:-1] for part in operation.path.split("/") if part.startswith("{")]
    found: list[dict[str, Any]] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in names
    ]
    found.append(
        {
            "name": "lang",
            "in": "query",
            "required": False,
            "description": "The language of texts; else the cookie `jiqi_lang`, else Accept-Language.",
            "schema": {"enum": ["zh-CN", "en"], "type": "string"},
        }
    )
    return found


def _responses(operation: Operation, answer: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if answer is None:
        found["204"] = {"description": "Done."}
    else:
        schema = {"$ref": _REF.format(name=answer.__name__)}
        description = (inspect.cleandoc(answer.__doc__ or "")).partition("\n")[0]
        found[str(operation.status)] = {
            "description": description,
            "content": {"application/json": {"schema": schema}},
        }
    by_status: dict[int, list[str]] = {}
    for error in errors_of(operation):
        by_status.setdefault(error.status, []).append(error.code)
    problem = {"application/problem+json": {"schema": {"$ref": _REF.format(name="Problem")}}}
    for status, codes in sorted(by_status.items()):
        found[str(status)] = {"description": "Codes: " + ", ".join(codes), "content": problem}
    found["default"] = {"description": "Any other problem, with a stable code.", "content": problem}
    return found
