"""A name or number never returns."""

from __future__ import annotations

from apigen.compat.changes.change import Added, Altered, AnyChange, Removed, Trait
from apigen.compat.changes.words import change_words
from apigen.compat.context import Context
from apigen.compat.rules.claims import added, altered, removed
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.verdicts import note, silent
from apigen.compat.surface.elements import ElementKind
from apigen.compat.surface.types import Tombstone
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "tombstone-added",
    added(ElementKind.TOMBSTONE),
    removed(ElementKind.TOMBSTONE),
    altered(Trait.NUMBERS, ElementKind.TOMBSTONE),
    altered(Trait.REMOVED, ElementKind.TOMBSTONE),
    altered(Trait.REASON, ElementKind.TOMBSTONE),
    severities="I/I/I",
    presets=WIRE,
    is_excusable=False,
)
def tombstone_added(change: AnyChange, context: Context) -> Verdict | None:
    """It takes nothing from anybody."""
    match change:
        case Added(part=Tombstone() as stone):
            number = "" if stone.numbers is None else f"number {stone.numbers}"
            what = " and ".join(part for part in (stone.name, number) if part)
            where = change.element.type or change.element.group or "core"
            return note(f"{what} of {where} {'never returns' if ' and ' not in what else 'never return'}", "")
        case Removed(part=Tombstone()):
            return silent("another tombstone keeps what it kept")
        case Altered():
            return note(change_words(change), "")
    return None
