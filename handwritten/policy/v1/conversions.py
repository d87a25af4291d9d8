"""PodDisruptionBudget v1: a key of v1beta1 in the selector means something only where it stands alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from generated.policy import hub as policy_hub
from generated.policy import v1

from generated.meta.v1.types import LabelSelector, LabelSelectorRequirement
from generated.runtime import semantic_equal

RESERVED = "pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match"


@cache
def _no_pod() -> LabelSelector:
    return LabelSelector(match_expressions=[LabelSelectorRequirement(key=RESERVED, operator="Exists")])


def pod_disruption_budget_to_hub(
    source: v1.PodDisruptionBudget,
    generated: Callable[[v1.PodDisruptionBudget], policy_hub.PodDisruptionBudget],
) -> policy_hub.PodDisruptionBudget:
    """Expressions with the reserved key are left out, unless the selector is the one that stands for "no pod"."""
    hub = generated(source)
    selector = hub.spec.selector
    if selector is not None and selector.match_expressions and not semantic_equal(selector, _no_pod()):
        kept = [expression for expression in selector.match_expressions if expression.key != RESERVED]
        hub.spec.selector = LabelSelector(match_labels=selector.match_labels, match_expressions=kept)
    return hub
