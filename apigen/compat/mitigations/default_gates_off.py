"""A default that asks gates which nobody has on unless they asked for it."""

from __future__ import annotations

import json

from apigen.compat.changes.change import Altered, AnyChange, Trait, Value
from apigen.compat.context import Context
from apigen.compat.gating import is_never_on, named
from apigen.compat.mitigations.mitigation import Considered, Mitigation
from apigen.compat.surface.lifecycle import GateMark
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Default
from apigen.compat.verdict.example import JsonValue
from apigen.compat.verdict.impact import Direction
from apigen.compat.verdict.severity import Severity
from apigen.compat.verdict.verdict import Verdict


class DefaultGatesOff(Mitigation):
    """With its gates off, as they are by default in both releases and in all before them, a default is what it was.

    Only where somebody switched a gate on does an object mean something else, so nothing breaks for all.
    """

    name = "default with its gates off"

    def consider(self, change: AnyChange, verdict: Verdict, context: Context) -> Considered | None:
        """Whether it holds; None for all but defaults, and where nobody knows how they are computed."""
        if not isinstance(change, Altered) or change.trait is not Trait.DEFAULT or not verdict.hits:
            return None
        before, after = _without_gates(change.before), _without_gates(change.after)
        if before is None or after is None:
            return None
        gates = named(tuple(sorted({*_gates(change.before), *_gates(change.after)})))
        if not (_are_off(change.before, context.old) and _are_off(change.after, context.new)):
            return Considered(self.name, False, f"{gates} was on by default in a release, or is not known")
        if before != after:
            return Considered(self.name, False, f"with {gates} off it is another one, too")
        reason = f"{gates} off, as by default now and in every release before, leaves it what it was"
        return Considered(self.name, True, reason, softens=frozenset(Direction), at_most=Severity.WARNING)


def _gates(default: Value) -> tuple[str, ...]:
    return default.gates if isinstance(default, Default) else ()


def _are_off(default: Value, side: Surface) -> bool:
    """Whether none of the gates that a default asks was ever on by default on a side."""
    if not isinstance(default, Default) or not default.gates:
        return True
    return is_never_on(GateMark(default.gates, True, "", default.place), side)


def _without_gates(default: Value) -> list[JsonValue] | None:
    """The cases that are left where all gates are off, in the spec language; None where they are not known."""
    if not isinstance(default, Default):
        return []
    if not default.is_computed:
        return [{"value": json.loads(default.text)}]
    cases: JsonValue = json.loads(default.cases) if default.cases else None
    if not isinstance(cases, list):
        return None
    left: list[JsonValue] = []
    for case in cases:
        found = dict(case) if isinstance(case, dict) else {}
        when = _reduced(found.pop("when", True))
        if when is True:
            return [*left, {**found}]
        if when is not False:
            left.append({**found, "when": when})
    return left


def _reduced(condition: JsonValue) -> JsonValue:
    """A condition where all gates are off: true, false, or what is left of it."""
    if not isinstance(condition, dict):
        return condition
    if "gate" in condition:
        return False
    if "not" in condition:
        inner = _reduced(condition["not"])
        return not inner if isinstance(inner, bool) else {"not": inner}
    for word, decides in (("all", False), ("any", True)):
        parts = condition.get(word)
        if isinstance(parts, list):
            reduced = [_reduced(each) for each in parts]
            if any(each is decides for each in reduced):
                return decides
            left = [each for each in reduced if not isinstance(each, bool)]
            return {word: left} if left else not decides
    return condition
