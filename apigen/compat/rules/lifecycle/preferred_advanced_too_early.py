"""Clients are sent to a version that servers of before do not have."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.lifecycle.moves import move_of
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.rules.verdicts import at, release_before
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class PreferredAdvancedTooEarly(ChangeRule):
    """While servers are upgraded, the preferred version is there on some of them only."""

    id = "preferred-advanced-too-early"
    title = "a version is preferred in the release that introduces it, or promises less than the one before"
    severities = Severities.of("I/W/E")
    explanation = (
        "What a server prefers is what clients use that do not choose. A version that the release before does not have, or that may"
        " soon be gone, is none to send everybody to. (Kubernetes deprecation policy, rules 3 and 4b)"
    )
    fix = "leave `preferred: true` where it was in this release, and move it in the next"
    no_witness = "the release before does not have the version: there is nothing that an object could be tried with"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        move = move_of(change, context) if isinstance(change, Altered) else None
        if move is None:
            return None
        problem = (
            f"{release_before(context, change.element.group)} could not take over again: {missing}"
            if (missing := move.missing(None))
            else ""
        )
        if not problem and move.is_to_less_stable:
            problem = "that promises less"
        if not problem:
            return None
        hits = {
            Direction.OLD_CLIENT: depends(f"a client that takes what the server prefers gets {move.now.name}"),
            Direction.ROLLBACK: depends(f"what was written in {move.now.name} is not there in the release before"),
        }
        message = f"{move.now.name} is preferred, {move.was} was, and {problem}"
        return Verdict(message, hits, self.fix, f"{move.was}: {{preferred: true}}", at(self.severities, move.promise))
