"""Evaluates all evolution rules, without the findings that `ignore:` suppresses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from apigen.diagnostics import Place, Report, Severity
from apigen.ir.model import Api, Ignored, Struct
from apigen.lint.evolution.evolution import Evolution, EvolutionRule
from apigen.lint.evolution.registry import EVOLUTION_RULES


def suppressible(rules: Iterable[EvolutionRule] = EVOLUTION_RULES) -> frozenset[str]:
    """Return the codes that `ignore:` may name. An unused one is no error: the release with the change may be in the past."""
    return frozenset(rule.code for rule in rules if rule.can_be_acknowledged)


def run_evolution_rules(evolution: Evolution, report: Report, rules: Iterable[EvolutionRule] = EVOLUTION_RULES) -> None:
    """Report every finding with the severity of its rule, or as a warning if no release is recorded."""
    rules = tuple(rules)
    suppressed = _suppressed(evolution.now)
    for rule in rules:
        rejects = rule.severity is Severity.ERROR and evolution.before is not None
        tell = report.error if rejects else report.warning
        for finding in rule.check(evolution):
            if rule.can_be_acknowledged and rule.code in suppressed.get(finding.place, ()):
                continue
            tell(rule.code, finding.place, finding.message, hint=finding.hint, related=finding.related)


def _suppressed(api: Api) -> Mapping[Place, frozenset[str]]:
    """Return the codes that each element suppresses, by its place."""
    return {place: frozenset(code.value for code, _ in ignored) for place, ignored in _elements(api) if ignored}


def _elements(api: Api) -> Iterator[tuple[Place, Ignored]]:
    for feature in api.features:
        yield from ((place, feature.ignore) for place in (feature.place, *(stage.place for stage in feature.stages)))
    for type_ in api.types.values():
        yield type_.place, type_.ignore
        if isinstance(type_, Struct):
            yield from ((field.place, field.ignore) for field in type_.own_fields)
            yield from ((inline.place, inline.ignore) for inline in type_.inlines)
