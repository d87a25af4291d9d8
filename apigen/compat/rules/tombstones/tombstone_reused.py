"""A name or number that never was to return is used for something else."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.rules.tombstones.stones import freed_by
from apigen.compat.surface.types import Field
from apigen.compat.verdict.impact import Direction, breaks
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class TombstoneReused(ChangeRule):
    """What is stored under it is read as something that it is not."""

    id = "tombstone-reused"
    title = "a name or number that had a tombstone was given out again"
    severities = Severities.of("E/E/E")
    explanation = (
        "Objects of before have the old field under that name or number, and clients of before send it. They are read as the new"
        " field: at best that fails, at worst it does not. Names and numbers that were ever released are never given out again."
    )
    fix = "put the tombstone back, and give the new field a name and number of its own"
    presets = WIRE
    is_excusable = False
    no_witness = "the old side has a tombstone in its place: what objects of before had is not in it"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        freed = freed_by(change, context.new)
        if freed is None or freed.user is None:
            return None
        user = freed.user.name if isinstance(freed.user, Field) else freed.user.value
        hits = {
            Direction.OLD_CLIENT: breaks(f"what a client of before sends as {freed.words} is read as the new {user}"),
            Direction.NEW_CLIENT: breaks(
                f"a server of before reads the new {user} as {freed.words}, if it has that still"
            ),
            Direction.STORED: breaks(f"what is stored as {freed.words} is read as the new {user}"),
            Direction.ROLLBACK: breaks(f"a release that has {freed.words} still reads the new {user} as that"),
        }
        message = f"{freed.words} of {change.element.type} had a tombstone, and {user} uses it now"
        return Verdict(message, hits, self.fix, _patch(freed.words))


def _patch(words: str) -> str:
    return f"tombstones: {{{words.split(' and ')[0]}: {{…}}}}"
