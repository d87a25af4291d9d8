"""A struct became a map, or a map a struct."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.rules.types.pair import pair_of
from apigen.compat.rules.types.scalars import message
from apigen.compat.surface.types import Struct
from apigen.compat.values.hits import everywhere
from apigen.compat.verdict.example import Example, Side
from apigen.compat.verdict.impact import breaks
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict

_OF_CLOSED = "keys that are no fields are lost, and values that are no values of the map are refused"
_OF_OPEN = "members that are no values of the map are refused, or lose what the other side does not know in them"


class StructAndMapSwapped(ChangeRule):
    """Both are objects in JSON, but a struct knows its members and a map takes any."""

    id = "struct-and-map-swapped"
    title = "a map instead of a struct, or the reverse"
    severities = Severities.of("W/E/E")
    explanation = (
        "Keys of a map that are no fields of the struct are dropped, members of a struct with values of other types are"
        " refused by the map, and in protobuf a map is a list of entries. Server-side apply owns them in other ways, too."
    )
    fix = "add a field of the other type and keep this one"
    presets = WIRE

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims a struct on one side and a map on the other."""
        pair = pair_of(change, context)
        if pair is None or set(pair.shapes) != {"struct", "map"}:
            return None
        keeps = any(
            isinstance(each, Struct) and each.unknown.keeps for each in (pair.old_definition, pair.new_definition)
        )
        text = _OF_OPEN if keeps else _OF_CLOSED
        side = Side.OLD if pair.shapes[0] == "map" else Side.NEW
        return Verdict(message(change, pair), everywhere(breaks(text)), examples=(Example(side, {"any.key": "a"}),))
