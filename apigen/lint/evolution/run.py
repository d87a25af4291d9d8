"""Evaluates all evolution rules, without the findings that `ignore:` suppresses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from apigen.diagnostics import Place, Report, Severity
from apigen.ir.model import Api, Ignored, Struct
from apigen.lint.evolution.defaults import gated_default_depends_on_gate
from apigen.lint.evolution.enums import (
    new_enum_is_declared,
)
from apigen.lint.evolution.evolution import Evolution, EvolutionRule
from apigen.lint.evolution.gates import (
    gate_name_is_new,
    gate_of_fields_begins_off,
    gate_stage_lasts,
    gate_stages_follow_policy,
    gate_stays_long_enough,
)
from apigen.lint.evolution.versions import (
    beta_is_deprecated_in_time,
    returned_is_identical,
    returned_was_removed,
    rollback_keeps_fields,
    rollback_keeps_limits,
    stored_version_stays_readable,
)

EVOLUTION_RULES: tuple[EvolutionRule, ...] = (
    returned_is_identical,
    returned_was_removed,
    beta_is_deprecated_in_time,
    stored_version_stays_readable,
    gate_stages_follow_policy,
    gate_of_fields_begins_off,
    gate_stage_lasts,
    gate_stays_long_enough,
    gated_default_depends_on_gate,
    gate_name_is_new,
    new_enum_is_declared,
    rollback_keeps_fields,
    rollback_keeps_limits,
)


def suppressible() -> frozenset[str]:
    """Return the codes that `ignore:` may name. An unused one is allowed, because the change may be in an earlier
    release.
    """
    return frozenset(rule.code for rule in EVOLUTION_RULES if rule.can_be_acknowledged)


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
