"""Objects are to be stored in a version that promises less."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.lifecycle.moves import effect_of, hits_of_effect, move_of
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.rules.verdicts import at
from apigen.compat.values.hits import joined
from apigen.compat.verdict.impact import Direction, breaks, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict
from apigen.ir.stability import stability


class StorageMovedToLessStable(ChangeRule):
    """The version may be gone before the objects are."""

    id = "storage-moved-to-less-stable"
    title = "the storage version moved to a less stable one"
    severities = Severities.of("W/E/E")
    explanation = (
        "A less stable version may change or go much sooner than the one that users rely on, and what is stored in it goes with it."
        " The storage version never moves to one that promises less. (Kubernetes deprecation policy, rules 3 and 4b)"
    )
    fix = "leave `storage: true` where it was"
    no_witness = "it shows in the store of a later release, which neither side is"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        move = move_of(change, context) if isinstance(change, Altered) else None
        if move is None or not move.is_to_less_stable:
            return None
        promise = stability(move.now.name)
        hits = {
            Direction.STORED: depends(
                f"objects are stored in {move.now.name}, which is {promise}: it may end before they do"
            ),
            Direction.ROLLBACK: breaks(
                f"the release before has to read what is stored in {move.now.name}, which is {promise}"
            ),
        }
        hits = joined((hits, hits_of_effect(effect_of(move, change.element, context))))
        what = f"the storage version of {move.kind}" if move.kind else "the storage version"
        message = f"{what} moved from {move.was} to {move.now.name}, which is less stable"
        return Verdict(message, hits, self.fix, f"{move.was}: {{storage: true}}", at(self.severities, move.promise))
