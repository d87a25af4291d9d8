"""Runs all rules over an API, except for findings suppressed with `ignore:` at their place."""

from __future__ import annotations

from collections.abc import Container, Iterable

from apigen.dataclass import dataclass
from apigen.diagnostics import Diagnostic, Report
from apigen.diagnostics.quoting import quote
from apigen.diagnostics.suggest import did_you_mean
from apigen.ir.model import Api, Ignored, Struct
from apigen.ir.reachability import reachable, versions_below
from apigen.lint.evolution import suppressible
from apigen.lint.rules import RULES, FieldRule, Rule, Surroundings, TypeRule

_Found = tuple[str, Diagnostic]


@dataclass(frozen=True, slots=True)
class _Codes:
    """Return the codes that `ignore:` may name; those `of_steps` are allowed even if they currently suppress no
    finding.
    """

    known: frozenset[str]
    of_steps: frozenset[str]


def run_rules(api: Api, report: Report, rules: Iterable[Rule] = RULES, *, groups: Container[str] | None = None) -> None:
    """Report every finding as a warning, and each unused `ignore:` as an error.

    With `groups`, only findings of these: imported groups belong to other projects.
    """
    rules = tuple(rules)
    type_rules = [rule for rule in rules if isinstance(rule, TypeRule)]
    field_rules = [rule for rule in rules if isinstance(rule, FieldRule)]
    around = Surroundings(api, reachable(api), versions_below(api))
    of_steps = suppressible()
    codes = _Codes(of_steps.union(rule.code for rule in rules), of_steps)
    for feature in api.features:
        _report(feature.ignore, (), codes, report)
    for id_, type_ in api.types.items():
        if groups is not None and id_.group not in groups:
            continue
        findings = ((r.code, f) for r in type_rules for f in r.check(type_, around))
        _report(type_.ignore, findings, codes, report)
        if isinstance(type_, Struct):
            for field in type_.own_fields:
                checked = ((r.code, f) for r in field_rules for f in r.check(field, type_, around))
                _report(field.ignore, checked, codes, report)
            for inline in type_.inlines:
                if not inline.via:
                    _report(inline.ignore, (), codes, report)


def _report(ignored: Ignored, findings: Iterable[_Found], codes: _Codes, report: Report) -> None:
    suppressed = {written.value for written, _ in ignored}
    needed: set[str] = set()
    for code, finding in findings:
        if code in suppressed:
            needed.add(code)
        else:
            report.warning(code, finding.place, finding.message, hint=finding.hint, related=finding.related)
    for written, _ in ignored:
        if written.value not in codes.known:
            hint = did_you_mean(written.value, sorted(codes.known))
            message = f"{quote(written.value)} is not a rule that can be suppressed"
            report.error("AG1002", written.place, message, hint=hint)
        elif written.value not in needed and written.value not in codes.of_steps:
            message = f"unused suppression: {written.value} has no finding here"
            report.error("AG1001", written.place, message, hint="remove it")
