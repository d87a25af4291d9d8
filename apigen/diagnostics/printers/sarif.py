"""Diagnostics in SARIF 2.1.0, the format in which code scanners hand over findings (OASIS standard)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from urllib.parse import quote

from apigen import __version__
from apigen.diagnostics.codes import code_info
from apigen.diagnostics.model import Diagnostic, Place

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

Json = Mapping[str, object]


def render(diagnostics: Sequence[Diagnostic]) -> str:
    """One run with one result per diagnostic, and a rule for each code that occurs."""
    codes = sorted({diagnostic.code for diagnostic in diagnostics})
    index = {code: position for position, code in enumerate(codes)}
    run = {
        "tool": {"driver": {"name": "apigen", "version": __version__, "rules": [_rule(code) for code in codes]}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(diagnostic, index[diagnostic.code]) for diagnostic in diagnostics],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(code: str) -> Json:
    info = code_info(code)
    if info is None:
        return {"id": code}
    return {
        "id": code,
        "shortDescription": {"text": info.title},
        "fullDescription": {"text": info.explanation},
        "help": {"text": f"{info.explanation}\n\nExample:\n\n{info.example}"},
    }


def _result(diagnostic: Diagnostic, rule_index: int) -> Json:
    text = diagnostic.message if diagnostic.hint is None else f"{diagnostic.message}\n{diagnostic.hint}"
    result: dict[str, object] = {
        "ruleId": diagnostic.code,
        "ruleIndex": rule_index,
        "level": str(diagnostic.severity),
        "message": {"text": text},
        "locations": [_location(diagnostic.place)],
    }
    if diagnostic.related:
        result["relatedLocations"] = [
            {"id": number, **_location(related.place), "message": {"text": related.message}}
            for number, related in enumerate(diagnostic.related)
        ]
    return result


def _location(place: Place) -> Json:
    physical: dict[str, object] = {"artifactLocation": {"uri": _uri(place.file)}}
    if place.line:
        physical["region"] = {"startLine": place.line, "startColumn": place.column}
    return {"physicalLocation": physical}


def _uri(file: str) -> str:
    """A relative reference, or a file URI for an absolute path."""
    path = quote(file.encode("utf-8", "surrogateescape"))
    return f"file://{path}" if file.startswith("/") else path
