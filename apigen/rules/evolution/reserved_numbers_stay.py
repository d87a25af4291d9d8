"""A reserved number stays reserved."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics import Related
from apigen.ir.model import Struct
from apigen.ir.numbers import merged_ranges
from apigen.rules.evolution.evolution import Evolution, EvolutionRule
from apigen.rules.rule import Finding
from apigen.spec.model import NumberRange


class ReservedNumbersStay(EvolutionRule):
    """A number that somebody had once is not free because it is no longer mentioned; a tombstone may explain it."""

    code = "AG1325"

    def check(self, evolution: Evolution) -> Iterator[Finding]:
        for now in evolution.now.types.values():
            was = evolution.before.types.get(now.id) if evolution.before is not None else None
            if not isinstance(now, Struct) or not isinstance(was, Struct) or now.id.group not in evolution.groups:
                continue
            explained = [NumberRange(t.number, t.number) for t in now.tombstones if t.number is not None]
            there = merged_ranges([*now.reserved, *explained])
            free = [one for one in was.reserved if not any(one.first in r and one.last in r for r in there)]
            if free:
                numbers = ", ".join(map(str, merged_ranges([*now.reserved, *free])))
                yield Finding(
                    now.place,
                    f"`{now.id.name}` no longer reserves {', '.join(map(str, free))}, and nobody knows who had that",
                    f"say again: `reserved: [{numbers}]`, or whose it was, by a tombstone with the number",
                    (Related(was.place, f"{evolution.history.newest} reserved it"),),
                )
