"""PodDisruptionBudget v1beta1: an empty selector means no pod here, and every pod in v1 and the hub.

Each side has a selector with a reserved key for what the empty one means on the other side.
"""

from __future__ import annotations

from collections.abc import Callable

from generated.policy import hub as policy_hub
from generated.policy import v1beta1

from generated.meta.v1.types import LabelSelector, LabelSelectorRequirement
from generated.runtime import semantic_equal

RESERVED = "pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match"


def pod_disruption_budget_to_hub(
    source: v1beta1.PodDisruptionBudget,
    generated: Callable[[v1beta1.PodDisruptionBudget], policy_hub.PodDisruptionBudget],
) -> policy_hub.PodDisruptionBudget:
    """Beside other conditions, the reserved key means nothing and is left out."""
    hub = generated(source)
    selector = hub.spec.selector
    if semantic_equal(selector, LabelSelector()):
        hub.spec.selector = _reserved("Exists")
    elif semantic_equal(selector, _reserved("DoesNotExist")):
        hub.spec.selector = LabelSelector()
    elif selector is not None and selector.match_expressions:
        kept = [expression for expression in selector.match_expressions if expression.key != RESERVED]
        hub.spec.selector = LabelSelector(match_labels=selector.match_labels, match_expressions=kept)
    return hub


def pod_disruption_budget_from_hub(
    hub: policy_hub.PodDisruptionBudget,
    generated: Callable[[policy_hub.PodDisruptionBudget], v1beta1.PodDisruptionBudget],
) -> v1beta1.PodDisruptionBudget:
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
