"""PodDisruptionBudget v1: a key of v1beta1 in the selector means something only where it stands alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from generated.policy.hub import types as hub_types
from generated.policy.v1 import types as v1_types

from generated.meta.v1.types import LabelSelector, LabelSelectorRequirement
from generated.runtime import semantic_equal

RESERVED = "pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match"
NO_POD = LabelSelector(match_expressions=[LabelSelectorRequirement(key=RESERVED, operator="Exists")])


def pod_disruption_budget_to_hub(
    source: v1_types.PodDisruptionBudget,
    generated: Callable[[v1_types.PodDisruptionBudget], hub_types.PodDisruptionBudget],
) -> hub_types.PodDisruptionBudget:
    """Expressions with the reserved key are left out, unless the selector is the one that stands for "no pod"."""
    hub = generated(source)
    selector = hub.spec.selector
    if selector is not None and selector.match_expressions and not semantic_equal(selector, NO_POD):
        kept = [expression for expression in selector.match_expressions if expression.key != RESERVED]
        hub.spec.selector = replace(selector, match_expressions=kept)
    return hub
