"""A version loses what it carried before, on purpose."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.lifecycle.entries import Entries
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.verdicts import INFO
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.impact import Direction, Hit, breaks, depends
from apigen.compat.verdict.verdict import Verdict


@change_rule("lossy-conversion", altered(Trait.LOSSES, ElementKind.STRUCT), severities="E/E/E")
def lossy_conversion(change: AnyChange, context: Context) -> Verdict | None:
    """Who writes the object in that version deletes what others wrote."""
    if not isinstance(change, Altered):
        return None
    entries = Entries.of(change)
    where = f"{change.element.type} of {change.element.version}"
    if not entries.new:
        message = f"{where} does not lose {' and '.join(entries.gone)} any more"
        return Verdict(message, _still_lost(entries.gone[0]), "nothing", severities=INFO)
    lost = entries.new[0]
    hits = {
        Direction.OLD_CLIENT: depends(f"a client that writes {where} deletes what others set: {lost}"),
        Direction.NEW_CLIENT: depends(f"a server of before keeps it, or fills it in by default: {lost}"),
        Direction.STORED: breaks(f"what is stored is read without it: {lost}"),
        Direction.ROLLBACK: breaks(f"what was written meanwhile is stored without it: {lost}"),
    }
    path = lost.split(":")[0].removeprefix("hub ")
    patch = f"hubOnly: {{{path}: {{annotation: KEY}}}}" if lost.startswith("hub ") else ""
    return Verdict(f"{where} loses {' and '.join(entries.new)}", hits, patch=patch)


def _still_lost(what: str) -> dict[Direction, Hit]:
    """What the side without the change does with it; the other one shows it, and may fill it in by default."""
    shown = depends(f"objects come with it that came without, as stored or by default: {what}")
    return {
        Direction.OLD_CLIENT: shown,
        Direction.NEW_CLIENT: depends(f"a server of before loses what a new client sets: {what}"),
        Direction.STORED: shown,
        Direction.ROLLBACK: depends(f"the release before loses it when it shows or stores the object: {what}"),
    }
