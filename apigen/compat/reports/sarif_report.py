"""The report in SARIF 2.1.0, for code scanners. `partialFingerprints` tell a finding again when lines have moved.

In messages of SARIF, brackets make links and braces stand for arguments, so both are escaped (SARIF 2.1.0, §3.11).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from urllib.parse import quote

from apigen import __version__
from apigen.compat.finding import Finding
from apigen.compat.reports.lines import shown
from apigen.compat.reports.report import Style
from apigen.compat.reports.rooting import rooted
from apigen.compat.reports.summary import DIRECTIONS, Summary
from apigen.compat.rules.rule_text import RuleText
from apigen.compat.verdict.severity import Severity
from apigen.diagnostics import Place
from apigen.diagnostics.printers.sarif import SCHEMA

Json = Mapping[str, object]

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note", Severity.SILENT: "none"}
_KEY = "apigen/v1"


def render(summary: Summary, style: Style) -> str:
    """One run; approved findings are suppressed results."""
    summary = rooted(summary, style.folder)
    shown_findings = [*summary.findings, *(each.finding for each in summary.approved)]
    ids = sorted({finding.rule for finding in shown_findings})
    index = {id_: number for number, id_ in enumerate(ids)}
    results = [_result(finding, summary, index) for finding in summary.findings]
    for approved in summary.approved:
        suppression = {"kind": "external", "status": "accepted", "justification": shown(approved.approval.reason)}
        results.append({**_result(approved.finding, summary, index), "suppressions": [suppression]})
    driver = {"name": "apigen diff", "version": __version__, "rules": [_rule(id_, summary) for id_ in ids]}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(id_: str, summary: Summary) -> Json:
    rule: RuleText | None = summary.rules.get(id_)
    if rule is None:
        return {"id": id_}
    return {
        "id": id_,
        "shortDescription": {"text": _message(rule.title)},
        "fullDescription": {"text": _message(rule.explanation)},
        "help": {"text": _message(f"{rule.explanation}\n\nWhat to do: {rule.fix}")},
        "defaultConfiguration": {"level": _LEVELS[rule.severities.stable]},
    }


def _result(finding: Finding, summary: Summary, index: Mapping[str, int]) -> dict[str, object]:
    return {
        "ruleId": finding.rule,
        "ruleIndex": index[finding.rule],
        "level": _LEVELS[finding.severity],
        "message": {"text": _message(_text(finding, summary))},
        "locations": [_location(finding.new_place)],
        "relatedLocations": [{"id": 0, **_location(finding.old_place), "message": {"text": "the old side"}}],
        "partialFingerprints": {_KEY: finding.fingerprint},
        "properties": {
            "element": shown(str(finding.element)),
            "stability": finding.stability.value,
            "old": shown(finding.old),
            "new": shown(finding.new),
            "hits": {direction.value: hit.impact.value for direction, hit in finding.hits.items()},
        },
    }


def _text(finding: Finding, summary: Summary) -> str:
    hits = [f"{name}: {finding.hits[each].text}" for each, name in DIRECTIONS.items() if each in finding.hits]
    fix = summary.fix(finding)
    mend = [f"To do: {fix}"] if fix else []
    with_it = [f"With it: {each.verdict.message}" for each in finding.consequences]
    return "\n".join([finding.verdict.message, *hits, *mend, *with_it])


def _message(text: str) -> str:
    lines = "\n".join(shown(line) for line in text.splitlines())
    return re.sub(r"([\\\[\]])", r"\\\1", lines).replace("{", "{{").replace("}", "}}")


def _location(place: Place) -> Json:
    physical: dict[str, object] = {"artifactLocation": {"uri": _uri(place.file)}}
    if place.line:
        physical["region"] = {"startLine": place.line, "startColumn": max(1, place.column)}
    return {"physicalLocation": physical}


def _uri(file: str) -> str:
    """A relative reference, or a file URI. A colon of a first segment (`HEAD:v1.yaml`) would make it a scheme."""
    path = quote(file.encode("utf-8", "surrogatepass"), safe="/")
    return f"file://{path}" if file.startswith("/") else path
