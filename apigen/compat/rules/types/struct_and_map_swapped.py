"""A struct became a map, or a map a struct."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.rules.types.pair import pair_of
from apigen.compat.rules.types.scalars import message
from apigen.compat.values.hits import everywhere
from apigen.compat.verdict.example import Example, Side
from apigen.compat.verdict.impact import breaks
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


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
        text = "keys that are no fields are lost, and values that are no values of the map are refused"
        side = Side.OLD if pair.shapes[0] == "map" else Side.NEW
        return Verdict(message(change, pair), everywhere(breaks(text)), examples=(Example(side, {"any.key": "a"}),))
