"""CEL rules without ratcheting: rules that use `oldSelf` are evaluated for every update."""

from __future__ import annotations

from apigen.review.changes.change import Added, AnyChange, Removed
from apigen.review.surface import (
    CelRule,
)

EVALUATED_WITHOUT_CHANGE = "a CEL rule that uses `oldSelf` is evaluated for every update, also if it changes nothing"


def is_evaluated_without_change(change: AnyChange) -> bool:
    """Return whether the added or removed CEL rule can reject an update that does not change the value.

    As in Kubernetes, a rule that uses `oldSelf` is evaluated for every update. With `optionalOldSelf`, it is also evaluated
    for values without an old one, such as elements of atomic lists. (`docs/explanation/cel.md`)
    """
    if not isinstance(change, Added | Removed) or not isinstance(change.part, CelRule):
        return False
    if not change.part.is_transition:
        return False
    # imported here, because few changes need the analysis of rules
    from apigen.review.prover.cel import is_true_without_change

    return change.part.optional_old_self or not is_true_without_change(change.part.text)
