"""All rules of evolution, in the order in which they run."""

from __future__ import annotations

from apigen.rules.evolution.evolution import EvolutionRule
from apigen.rules.evolution.rollback_keeps_fields import RollbackKeepsFields
from apigen.rules.evolution.rollback_keeps_limits import RollbackKeepsLimits

EVOLUTION_RULES: tuple[EvolutionRule, ...] = (
    RollbackKeepsFields(),
    RollbackKeepsLimits(),
)
