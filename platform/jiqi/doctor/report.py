"""Prints the doctor's findings, for a person or as JSON, and gives the exit status."""

import json

from jiqi import console
from jiqi.config import Settings
from jiqi.console_words import WORDS
from jiqi.doctor.findings import Finding, Grade, examine
from jiqi.doctor.look import look
from jiqi.doctor.words import DOCTOR_WORDS

_MARK = {Grade.OK: "✓", Grade.NOTE: "·", Grade.BAD: "✗"}


def run(settings: Settings, *, as_json: bool) -> int:
    """Print the findings; return 1 when one of them breaks a promise of the product, else 0."""
    findings = examine(look(settings))
    bad = sum(finding.grade is Grade.BAD for finding in findings)
    if as_json:
        console.write(json.dumps([_json(finding) for finding in findings], ensure_ascii=False, indent=2))
        return 1 if bad else 0
    for finding in findings:
        console.write(line(finding))
    if bad:
        console.write(line(Finding(code="doctor.result_bad", grade=Grade.BAD, params={"n": bad})))
    else:
        console.write(line(Finding(code="doctor.result_ok", grade=Grade.OK)))
    return 1 if bad else 0


def line(finding: Finding, *, lang: console.Language | None = None) -> str:
    """Return the finding as one line; the code stands where there is something to do."""
    text = _text(finding, lang or console.language())
    code = "" if finding.grade is Grade.OK else f"  [{finding.code}]"
    return f"{_MARK[finding.grade]} {text}{code}"


def _json(finding: Finding) -> dict[str, object]:
    return {
        "code": finding.code,
        "grade": finding.grade.value,
        "params": {
            key: value if isinstance(value, int | float | str) else str(value)
            for key, value in finding.params.items()
        },
        "text": {"zh": _text(finding, "zh"), "en": _text(finding, "en")},
    }


def _text(finding: Finding, lang: console.Language) -> str:
    chinese, english = {**WORDS, **DOCTOR_WORDS}[finding.code]
    return (chinese if lang == "zh" else english).format(**finding.params)
