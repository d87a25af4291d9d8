"""A list became a single value, or a single value a list."""

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


class ListAndSingleSwapped(ChangeRule):
    """JSON has brackets or has none, and no reader takes one for the other."""

    id = "list-and-single-swapped"
    title = "a list instead of a single value, or the reverse"
    severities = Severities.of("W/E/E")
    explanation = (
        "Clients that know one value still write one, and cannot send back a list that they have never heard of. Kubernetes'"
        " API changes therefore add the plural beside the singular and make a server keep the two in step."
    )
    fix = "keep the singular and add the plural beside it, with `hub: names[0]` on the singular"
    presets = WIRE

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims a list on one side and no list, map or value of any type on the other."""
        pair = pair_of(change, context)
        if pair is None or pair.shapes.count("list") != 1 or {"map", "anything", "nothing known"} & set(pair.shapes):
            return None
        read = f"{pair.before} is not read as {pair.after}, nor the reverse"
        empty = Side.OLD if pair.shapes[0] == "list" else Side.NEW
        return Verdict(message(change, pair), everywhere(breaks(read)), examples=(Example(empty, []),))
