"""A list became a single value, or a single value a list."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.types.pair import TypePair, pair_of
from apigen.compat.rules.types.scalars import message
from apigen.compat.surface.types import ListOf
from apigen.compat.values.hits import everywhere
from apigen.compat.values.wire import is_on_wire
from apigen.compat.verdict.example import Example, Side
from apigen.compat.verdict.impact import Direction, Hits, breaks, depends
from apigen.compat.verdict.preset import WIRE, Preset
from apigen.compat.verdict.verdict import Verdict


@change_rule("list-and-single-swapped", altered(Trait.TYPE), severities="W/E/E", presets=WIRE)
def list_and_single_swapped(change: AnyChange, context: Context) -> Verdict | None:
    """JSON has brackets or has none, and no reader takes one for the other."""
    pair = pair_of(change, context)
    if pair is None or pair.shapes.count("list") != 1 or {"map", "anything", "nothing known"} & set(pair.shapes):
        return None
    read = f"{pair.before} is not read as {pair.after}, nor the reverse"
    if context.preset is Preset.BYTES and _has_same_items(pair) and is_on_wire(change.element, context):
        return Verdict(message(change, pair), _in_bytes(is_list_new=pair.shapes[1] == "list"))
    empty = Side.OLD if pair.shapes[0] == "list" else Side.NEW
    return Verdict(message(change, pair), everywhere(breaks(read)), examples=(Example(empty, []),))


def _has_same_items(pair: TypePair) -> bool:
    old, new = (type_.item.type if isinstance(type_, ListOf) else type_ for type_ in (pair.old.type, pair.new.type))
    return old == new


def _in_bytes(*, is_list_new: bool) -> Hits:
    """A single value is read as a list of one; of a list, who reads one value takes the last, or none where they are packed."""
    text = "of several values one is left, or none"
    if is_list_new:
        return {
            Direction.OLD_CLIENT: depends(f"a client of before reads lists: {text}"),
            Direction.NEW_CLIENT: breaks(f"a new client sends a list to a server of before: {text}"),
            Direction.ROLLBACK: breaks(f"the release before reads a list that the new one stored: {text}"),
        }
    return {
        Direction.OLD_CLIENT: breaks(f"a client of before sends a list: {text}"),
        Direction.NEW_CLIENT: depends(f"a new client reads lists of before: {text}"),
        Direction.STORED: breaks(f"a list is stored: {text}"),
    }
