"""The JSON Schema of the JSON and the YAML report."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from apigen.ir.stability import Stability
from apigen.ir.surface import ElementKind
from apigen.language.json_values import JsonValue
from apigen.language.schema import DIALECT
from apigen.language.shapes import Schema
from apigen.review.reports.json_report import FORMAT
from apigen.review.results import Direction, Impact, Preset, Severity, Side

_TEXT: Schema = {"type": "string"}
_FLAG: Schema = {"type": "boolean"}
_COUNT: Schema = {"type": "integer", "minimum": 0}
_NUMBER: Schema = {"type": ["integer", "null"], "minimum": 1}
_MAYBE_TEXT: Schema = {"type": ["string", "null"]}
_RELEASE: Schema = {"type": ["string", "null"], "pattern": "^[0-9]+\\.[0-9]+$"}
_FINGERPRINT: Schema = {"type": "string", "pattern": "^[0-9a-f]{16}$"}
_SEVERITIES = tuple(severity.word for severity in Severity)
_SHOWN = tuple(severity.word for severity in reversed(Severity) if severity is not Severity.SILENT)
_PLACE: dict[str, Schema] = {"file": _TEXT, "line": _NUMBER, "column": _NUMBER}


def review_schema() -> Schema:
    """Return the schema of a whole report. Every property is always present."""
    return {
        "$schema": DIALECT,
        "title": "A review of an API change, as `apigen diff --format json` prints it",
        **_object(
            {
                "format": {
                    "const": FORMAT,
                    "description": "The version of the format; it changes if older readers would not understand it.",
                },
                "apigen": _described("The version of apigen.", _TEXT),
                "result": _result(),
                "old": _ref("side"),
                "new": _ref("side"),
                "preset": _words(Preset),
                "changes": _described("The number of evaluated changes.", _COUNT),
                "matrix": _matrix(),
                "stability": _object({each.value: _ref("counts") for each in Stability}),
                "release": _object(
                    {"bump": {"enum": ["none", "patch", "minor", "major"]}, "earliestRemoval": _RELEASE}
                ),
                "findings": _described("Open findings, the worst first.", _list(_ref("finding"))),
                "approved": _list(_ref("approved")),
                "additions": _described("New elements that affect no client.", _list(_ref("finding"))),
                "documentation": _list(_ref("finding")),
                "harmless": _described("Changes without effect.", _list(_ref("finding"))),
                "unread": _described("Parts of the inputs that were not reviewed.", _list(_ref("unread"))),
                "approvals": _object({"file": _MAYBE_TEXT, "problems": _list(_ref("problem"))}),
                "baseline": _described(
                    "Known findings by fingerprint, and entries of the baseline without a finding.",
                    _object({"file": _MAYBE_TEXT, "findings": _list(_TEXT), "stale": _list(_TEXT)}),
                ),
            }
        ),
        "$defs": _definitions(),
    }


def _definitions() -> Schema:
    return {
        "side": _object({"label": _TEXT, "form": _TEXT, "release": _RELEASE}),
        "counts": _object(dict.fromkeys(_SHOWN, _COUNT)),
        "element": _object(
            {"text": _TEXT, "kind": _words(ElementKind), **dict.fromkeys(("group", "version", "type", "path"), _TEXT)}
        ),
        "located": _object({"text": _described("Empty if the element is absent.", _TEXT), **_PLACE}),
        "effect": _object({"impact": _words(Impact), "text": _TEXT}),
        "counterexample": _object(
            {"direction": _words(Direction), "kind": _TEXT, "before": {}, "outcome": _TEXT, "after": {}}
        ),
        "mitigation": _object(
            {
                "name": _TEXT,
                "applies": _FLAG,
                "reason": _TEXT,
                "clears": _list(_words(Direction)),
                "atMost": {"enum": [*_SEVERITIES, None]},
            }
        ),
        "finding": _finding(),
        "approved": _approved(),
        "unread": _object({"side": _words(Side), **_PLACE, "message": _TEXT}),
        "problem": _object({"code": _TEXT, **_PLACE, "message": _TEXT, "hint": _MAYBE_TEXT}),
    }


def _result() -> Schema:
    members: dict[str, Schema] = {
        "passes": _FLAG,
        "failOn": {"enum": [*_SHOWN, "never"]},
        "text": _TEXT,
        "counts": _described("The number of changes, each once for all versions, kinds and places.", _ref("counts")),
        "places": _described("The number of elements that these changes are about.", _ref("counts")),
        "approved": _COUNT,
    }
    return _object(members)


def _matrix() -> Schema:
    names = [*(direction.value for direction in Direction), "none"]
    return _described("The number of changes by direction.", _object({name: _ref("counts") for name in names}))


def _finding() -> Schema:
    effects: Schema = {
        "type": "object",
        "properties": {direction.value: _ref("effect") for direction in Direction},
        "additionalProperties": False,
    }
    return _object(
        {
            "rule": _TEXT,
            "title": _TEXT,
            "fingerprint": _described(
                "The same for the same finding, independently of its place and text.", _FINGERPRINT
            ),
            "severity": _described("The worst severity of the finding and its consequences.", {"enum": [*_SEVERITIES]}),
            "ownSeverity": {"enum": [*_SEVERITIES]},
            "stability": _words(Stability),
            "message": _TEXT,
            "notVerified": _described("Why it is unknown whether anything breaks; empty if it is known.", _TEXT),
            "element": _ref("element"),
            "kinds": _list(_TEXT),
            "old": _ref("located"),
            "new": _described("If the element is absent, the place of its nearest parent.", _ref("located")),
            "effects": _described("By direction; a missing one is safe.", effects),
            "counterexamples": _list(_ref("counterexample")),
            "noCounterexample": _TEXT,
            "mitigations": _list(_ref("mitigation")),
            "fix": _TEXT,
            "patch": _TEXT,
            "proposal": _TEXT,
            "sameIn": _described("Other versions with the same finding.", _list(_TEXT)),
            "approvedDirections": _list(_words(Direction)),
            "consequences": _list(_ref("finding")),
        }
    )


def _approved() -> Schema:
    texts = dict.fromkeys(("reason", "owner", "ticket", "created", "expires", "left"), _TEXT)
    return _object({"finding": _ref("finding"), "directions": _list(_words(Direction)), **texts, **_PLACE})


def _object(members: dict[str, Schema]) -> Schema:
    names: list[JsonValue] = [*members]
    return {"type": "object", "properties": {**members}, "required": names, "additionalProperties": False}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _words(words: Iterable[Enum]) -> Schema:
    return {"enum": [str(word.value) for word in words]}


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _described(text: str, schema: Schema) -> Schema:
    return {"description": text, **schema}
