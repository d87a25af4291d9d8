"""PodDisruptionBudget v1beta1: an empty selector means no pod here, and every pod in v1 and the hub.

Each side has a selector with a reserved key for what the empty one means on the other side.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from generated.policy.hub import types as hub_types
from generated.policy.v1beta1 import types as v1beta1_types

from generated.meta.v1.types import LabelSelector, LabelSelectorRequirement
from generated.runtime import semantic_equal

RESERVED = "pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match"


def pod_disruption_budget_to_hub(
    source: v1beta1_types.PodDisruptionBudget,
    generated: Callable[[v1beta1_types.PodDisruptionBudget], hub_types.PodDisruptionBudget],
) -> hub_types.PodDisruptionBudget:
    """Beside other conditions, the reserved key means nothing and is left out."""
    hub = generated(source)
    selector = hub.spec.selector
    if semantic_equal(selector, LabelSelector()):
        hub.spec.selector = _reserved("Exists")
    elif semantic_equal(selector, _reserved("DoesNotExist")):
        hub.spec.selector = LabelSelector()
    elif selector is not None and selector.match_expressions:
        kept = [expression for expression in selector.match_expressions if expression.key != RESERVED]
        hub.spec.selector = replace(selector, match_expressions=kept)
    return hub


def pod_disruption_budget_from_hub(
    hub: hub_types.PodDisruptionBudget,
    generated: Callable[[hub_types.PodDisruptionBudget], v1beta1_types.PodDisruptionBudget],
) -> v1beta1_types.PodDisruptionBudget:
    """Only the two selectors that say it all change places."""
    new = generated(hub)
    selector = new.spec.selector
    if semantic_equal(selector, _reserved("Exists")):
        new.spec.selector = LabelSelector()
    elif semantic_equal(selector, LabelSelector()):
        new.spec.selector = _reserved("DoesNotExist")
    return new


def _reserved(operator: str) -> LabelSelector:
    return LabelSelector(match_expressions=[LabelSelectorRequirement(key=RESERVED, operator=operator)])
