"""What had a tombstone says that it came back as it was."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.rules.tombstones.stones import freed_by
from apigen.compat.values.hits import alike
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class TombstoneReturned(ChangeRule):
    """Old objects have it as it was, if it is as it was."""

    id = "tombstone-returned"
    title = "a removed field came back as it was, and its tombstone is gone"
    severities = Severities.of("W/W/E")
    explanation = (
        "A feature that was given up may be taken up again under its old name and number only where name, number, type and presence"
        " are what they were: objects that still have it then mean what they meant. Lint compares it with the recorded release; two"
        " sides that both lack it cannot. (Kubernetes, api_changes.md)"
    )
    fix = "see that `apigen lint` has the release on record in which it was there; else give it a new name and number"
    presets = WIRE
    is_excusable = False
    no_witness = "the old side has a tombstone in its place: what objects of before had is not in it"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        freed = freed_by(change, context.new)
        if freed is None or freed.user is None or freed.user.lifecycle.returned is None:
            return None
        hit = depends("on whether it is what it was: objects that have it still are read again")
        hits = alike(hit, Direction.OLD_CLIENT, Direction.STORED, Direction.ROLLBACK)
        message = f"{freed.words} of {change.element.type} came back in {freed.user.lifecycle.returned}, and its tombstone is gone"
        return Verdict(
            f"{message}; that it is as it was is not proven by these two sides", hits, self.fix, is_unproven=True
        )
