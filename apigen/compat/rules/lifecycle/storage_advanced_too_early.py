"""Objects are to be stored in a version that the release before does not know."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.lifecycle.moves import effect_of, hits_of_effect, move_of
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.rules.verdicts import at, release_before
from apigen.compat.values.hits import joined
from apigen.compat.verdict.impact import Direction, breaks
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class StorageAdvancedTooEarly(ChangeRule):
    """A server that is rolled back, or that runs beside a newer one, finds objects that it cannot read."""

    id = "storage-advanced-too-early"
    title = "the storage version moved in the release that introduces it"
    severities = Severities.of("W/E/E")
    explanation = (
        "While servers are upgraded one after the other, those of both releases share a store. What the newer one writes has to be"
        " readable by the older one, so a version is served for one release before anything is stored in it. (Kubernetes deprecation"
        " policy, rule 4b)"
    )
    fix = "leave `storage: true` where it was in this release, and move it in the next"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        move = move_of(change, context) if isinstance(change, Altered) else None
        if move is None:
            return None
        problem = move.missing(context.old.version(change.element.group, move.was))
        if not problem:
            return None
        hits = {
            Direction.ROLLBACK: breaks(
                f"the release before finds objects stored in {move.now.name}, and cannot read them"
            )
        }
        hits = joined((hits, hits_of_effect(effect_of(move, change.element, context))))
        what = f"the storage version of {move.kind}" if move.kind else "the storage version"
        message = f"{what} moved from {move.was} to {move.now.name}, and {release_before(context, change.element.group)} could not take over again: {problem}"
        return Verdict(message, hits, self.fix, f"{move.was}: {{storage: true}}", at(self.severities, move.promise))
