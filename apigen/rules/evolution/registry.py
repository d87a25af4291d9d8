"""All rules of evolution, in the order in which they run."""

from __future__ import annotations

from apigen.rules.evolution.evolution import EvolutionRule

EVOLUTION_RULES: tuple[EvolutionRule, ...] = ()
