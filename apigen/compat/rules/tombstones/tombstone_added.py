"""A name or number never returns."""

from __future__ import annotations

from apigen.compat.changes.change import Added, Altered, AnyChange, Removed
from apigen.compat.changes.words import change_words
from apigen.compat.context import Context
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.rules.verdicts import note, silent
from apigen.compat.surface.types import Tombstone
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class TombstoneAdded(ChangeRule):
    """It takes nothing from anybody."""

    id = "tombstone-added"
    title = "a tombstone or reservation was added, or says more"
    severities = Severities.of("I/I/I")
    explanation = (
        "A tombstone keeps a name and a number from being given out again. What it says is for those who come later."
    )
    fix = "nothing has to be done"
    presets = WIRE
    is_excusable = False
    no_witness = "it changes no object"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        match change:
            case Added(part=Tombstone() as stone):
                number = "" if stone.numbers is None else f"number {stone.numbers}"
                what = " and ".join(part for part in (stone.name, number) if part)
                where = change.element.type or change.element.group or "core"
                return note(f"{what} of {where} {'never returns' if ' and ' not in what else 'never return'}", self.fix)
            case Removed(part=Tombstone()):
                return silent("another tombstone keeps what it kept")
            case Altered():
                return note(change_words(change), self.fix)
        return None
