"""Diagnostics for programs: one JSON object, in ASCII, with a key `diagnostics`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from apigen.diagnostics.model import Diagnostic, Place


def render(diagnostics: Sequence[Diagnostic]) -> str:
    """The diagnostics as JSON; `line` and `column` count from 1 and are omitted for a file as a whole."""
    return json.dumps({"diagnostics": [_diagnostic(d) for d in diagnostics]}, indent=2) + "\n"


def _diagnostic(diagnostic: Diagnostic) -> Mapping[str, object]:
    return {
        "code": diagnostic.code,
        "severity": str(diagnostic.severity),
        **_place(diagnostic.place),
        "message": diagnostic.message,
        "hint": diagnostic.hint,
        "related": [{**_place(related.place), "message": related.message} for related in diagnostic.related],
    }


def _place(place: Place) -> Mapping[str, object]:
    if not place.line:
        return {"file": place.file}
    return {"file": place.file, "line": place.line, "column": place.column}
