"""Asks all rules of evolution about the step that is being made."""

from __future__ import annotations

from collections.abc import Iterable

from apigen.diagnostics import Report, Severity
from apigen.rules.evolution.evolution import Evolution, EvolutionRule
from apigen.rules.evolution.registry import EVOLUTION_RULES


def run_evolution_rules(evolution: Evolution, report: Report, rules: Iterable[EvolutionRule] = EVOLUTION_RULES) -> None:
    """Report every finding with the severity of its rule."""
    for rule in rules:
        tell = report.error if rule.severity is Severity.ERROR else report.warning
        for finding in rule.check(evolution):
            tell(rule.code, finding.place, finding.message, hint=finding.hint, related=finding.related)
