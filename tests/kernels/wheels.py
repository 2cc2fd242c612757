"""Tiny wheels for tests, as pip accepts them."""

from __future__ import annotations

import io
import zipfile


def make_wheel(name: str, *, version: str, body: str) -> bytes:
    """A wheel of one module, as pip accepts it."""
    info = f"{name}-{version}.dist-info"
    files = {
        f"{name}/__init__.py": body,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{path},,\n" for path in [*files, f"{info}/RECORD"])
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for path, text in {**files, f"{info}/RECORD": record}.items():
            archive.writestr(path, text)
    return data.getvalue()
