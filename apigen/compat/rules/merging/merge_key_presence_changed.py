"""A key by which elements of a list are told apart may be left out, or is filled in otherwise."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.merging.keys import lists_keyed_by
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.surface.types import Field
from apigen.compat.values.hits import everywhere
from apigen.compat.verdict.impact import breaks
from apigen.compat.verdict.verdict import Verdict
from apigen.ir.model import Presence


@change_rule(
    "merge-key-presence-changed",
    altered(Trait.PRESENCE, ElementKind.FIELD),
    altered(Trait.REQUIRED, ElementKind.FIELD),
    altered(Trait.DEFAULT, ElementKind.FIELD),
    severities="W/E/E",
)
def merge_key_presence_changed(change: AnyChange, context: Context) -> Verdict | None:
    """An element without its key has another identity to those who know another default, or none."""
    if not isinstance(change, Altered) or not _matters(change):
        return None
    lists = lists_keyed_by(change.element, context)
    if not lists:
        return None
    text = f"elements of {lists[0]} are told apart by it, and one without it is another element than before"
    hits = everywhere(breaks(text))
    what = "default" if change.trait is Trait.DEFAULT else "presence"
    return Verdict(f"{what} of {change.element} changed, by which elements of {', '.join(lists)} are told apart", hits)


def _matters(change: Altered) -> bool:
    match change.trait:
        case Trait.REQUIRED:
            return not change.after and isinstance(change.new, Field) and change.new.presence is not Presence.PLAIN
        case Trait.PRESENCE:
            return change.after != Presence.PLAIN.value
        case _:
            return True
