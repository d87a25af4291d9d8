"""Rules in CEL that no ratcheting leaves out: those that look at the old value are asked of every update."""

from __future__ import annotations

from apigen.review.changes.change import Added, AnyChange, Removed
from apigen.review.surface import CelRule

ASKED_OF_WHAT_STAYS = "a rule that looks at `oldSelf` is asked of every update, also of one that changes nothing"


def is_asked_of_what_stays(change: AnyChange) -> bool:
    """Whether a change is that of a rule that may refuse an update which leaves the value as it was.

    As in Kubernetes, one that looks at `oldSelf` is asked whatever an update does. With `optionalOldSelf` it is asked of
    values that have no old one, too, such as elements of lists that are replaced as a whole. (`docs/explanation/cel.md`)
    """
    if not isinstance(change, Added | Removed) or not isinstance(change.part, CelRule):
        return False
    if not change.part.is_transition:
        return False
    # what takes rules apart is loaded for those that need it
    from apigen.review.prover.cel import is_true_without_change

    return change.part.optional_old_self or not is_true_without_change(change.part.text)
