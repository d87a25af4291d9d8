"""SARIF 2.1.0, the format in which code scanners exchange findings (OASIS standard)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import quote

from apigen import __version__
from apigen.dataclass import dataclass
from apigen.diagnostics.codes import code_info
from apigen.diagnostics.model import Diagnostic, Place, Related
from apigen.diagnostics.quoting import sarif_text, visible

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

Json = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class SarifRule:
    """A rule or code, as text. `level` is the usual level of its results, `help_uri` its page; both may be empty."""

    id: str
    title: str = ""
    explanation: str = ""
    help: str = ""
    level: str = ""
    help_uri: str = ""


@dataclass(frozen=True, slots=True)
class SarifResult:
    """A result of a rule. `fingerprint` identifies it when lines have moved; `approved_because` suppresses it."""

    rule: str
    level: str
    text: str
    place: Place
    related: tuple[Related, ...] = ()
    fingerprint: str = ""
    properties: Json | None = None
    approved_because: str | None = None


def render(diagnostics: Sequence[Diagnostic]) -> str:
    """One result per diagnostic, and a rule for each code that occurs."""
    rules = [_rule_of(code) for code in sorted({diagnostic.code for diagnostic in diagnostics})]
    return log("apigen", rules, [_result_of(diagnostic) for diagnostic in diagnostics])


def log(tool: str, rules: Sequence[SarifRule], results: Iterable[SarifResult], summary: str = "") -> str:
    """A log with one run. `rules` has the rule of each result; `summary` is the result in one line."""
    index = {rule.id: number for number, rule in enumerate(rules)}
    run: dict[str, object] = {
        "tool": {"driver": {"name": tool, "version": __version__, "rules": [_rule(rule) for rule in rules]}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(result, index[result.rule]) for result in results],
    }
    if summary:
        run["properties"] = {"summary": summary}
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule_of(code: str) -> SarifRule:
    info = code_info(code)
    if info is None:
        return SarifRule(code)
    return SarifRule(code, info.title, info.explanation, f"{info.explanation}\n\nExample:\n\n{info.example}")


def _result_of(diagnostic: Diagnostic) -> SarifResult:
    text = diagnostic.message if diagnostic.hint is None else f"{diagnostic.message}\n{diagnostic.hint}"
    return SarifResult(diagnostic.code, str(diagnostic.severity), text, diagnostic.place, diagnostic.related)


def _rule(rule: SarifRule) -> Json:
    texts = {"shortDescription": rule.title, "fullDescription": rule.explanation, "help": rule.help}
    found: dict[str, object] = {"id": rule.id}
    found |= {key: _message(text) for key, text in texts.items() if text}
    if rule.help_uri:
        found["helpUri"] = rule.help_uri
    if rule.level:
        found["defaultConfiguration"] = {"level": rule.level}
    return found


def _result(result: SarifResult, rule_index: int) -> Json:
    words: dict[str, object] = {
        "ruleId": result.rule,
        "ruleIndex": rule_index,
        "level": result.level,
        "message": _message(result.text),
        "locations": [_location(result.place)],
    }
    if result.related:
        words["relatedLocations"] = [
            {"id": number, **_location(related.place), "message": _message(related.message)}
            for number, related in enumerate(result.related)
        ]
    if result.fingerprint:
        words["partialFingerprints"] = {"apigen/v1": result.fingerprint}
    if result.properties is not None:
        words["properties"] = result.properties
    if result.approved_because is not None:
        words["suppressions"] = [
            {"kind": "external", "status": "accepted", "justification": visible(result.approved_because)}
        ]
    return words


def _message(text: str) -> Json:
    return {"text": sarif_text(text)}


def _location(place: Place) -> Json:
    physical: dict[str, object] = {"artifactLocation": {"uri": _uri(place.file)}}
    if place.line:
        physical["region"] = {"startLine": place.line, "startColumn": max(1, place.column)}
    return {"physicalLocation": physical}


def _uri(file: str) -> str:
    """A relative reference, or a file URI. The colon of a git revision (`HEAD:v1.yaml`) would make it a scheme, and is escaped."""
    try:
        path = quote(file.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError:  # half a character that no file system has written
        path = quote(file.encode("utf-8", "surrogatepass"))
    return f"file://{path}" if file.startswith("/") else path
