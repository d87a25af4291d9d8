"""Clients that let the server choose get another version."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.lifecycle.moves import move_of
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.rules.verdicts import silent
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class PreferredVersionMoved(ChangeRule):
    """As it should be: the release before served it."""

    id = "preferred-version-moved"
    title = "another version is preferred, which the release before served"
    severities = Severities.of("I/I/I")
    explanation = (
        "Clients that take what the server prefers (`kubectl get`, generic controllers) get objects in the other version. The release"
        " before served it, so servers of both releases can answer."
    )
    fix = "say in the release notes which version clients get that ask for none"
    no_witness = "the same object is there in both versions"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        if not isinstance(change, Altered):
            return None
        move = move_of(change, context)
        if move is None:
            return silent(f"{change.element.version} is part of a move of the preferred version that is told elsewhere")
        hit = depends(
            f"a client that takes what the server prefers gets {move.now.name}, and may know {move.was} alone"
        )
        return Verdict(f"{move.now.name} is preferred, and {move.was} was", {Direction.OLD_CLIENT: hit}, self.fix)
