"""A server does something else to objects before it stores them."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.changes.words import value_words
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.verdicts import silent
from apigen.compat.surface.elements import ElementKind
from apigen.compat.surface.surface import Kind
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.preset import API
from apigen.compat.verdict.verdict import Verdict

_UPDATES = frozenset({"update", "status"})
_REWRITES = frozenset({"resets", "sets", "adds"})


@change_rule("strategy-changed", altered(Trait.STRATEGY, ElementKind.KIND), severities="I/W/W", presets=API)
def strategy_changed(change: AnyChange, context: Context) -> Verdict | None:
    """What create and update keep, reset or set decides what becomes of what a client sends."""
    if not isinstance(change, Altered) or not isinstance(change.old, Kind) or not isinstance(change.new, Kind):
        return None
    if change.old.strategy is None or change.new.strategy is None:
        return silent("one side says nothing of strategies")
    before, after = dict(change.old.strategy), dict(change.new.strategy)
    changed = [name for name in sorted({*before, *after}) if before.get(name) != after.get(name)]
    words = "; ".join(
        f"{name}: {value_words(after.get(name))}, and was {value_words(before.get(name))}" for name in changed
    )
    text = f"an object of kind {change.element.type} is stored in another way"
    hits = {
        Direction.OLD_CLIENT: depends(f"{text} than a client of before expects"),
        Direction.NEW_CLIENT: depends(f"{text} by a server of before than a new client expects"),
    }
    came, gone = _only_in(after, before), _only_in(before, after)
    if came:
        hits[Direction.STORED] = depends(f"the next update of a stored object changes more than it says: {came}")
    if gone:
        hits[Direction.ROLLBACK] = depends(f"the release before changes more than an update says: {gone}")
    return Verdict(f"the strategy of kind {change.element.type} says of {words}", hits)


def _only_in(one: dict[str, str], other: dict[str, str]) -> str:
    """What updates of the one do to objects that nobody changed, and those of the other do not; empty where that is nothing."""
    found = {name for name in one if one[name] != other.get(name)}
    conditions = {
        name.partition(" ")[0] for name in (*one, *other) if _is_when(name) and one.get(name) != other.get(name)
    }
    told = (name for name in sorted(one) if _rewrites(name) and (name in found or name.partition(" ")[0] in conditions))
    return "; ".join(f"{name} {one[name]}" for name in told)


def _rewrites(name: str) -> bool:
    """Whether a part of a strategy changes what comes as it is stored; what is kept or filled in is there already."""
    operation, _, what = name.partition(" ")
    return name == "hooks" or (operation in _UPDATES and what in _REWRITES)


def _is_when(name: str) -> bool:
    return name.partition(" ")[0] in _UPDATES and name.endswith(" when")
