"""Feature gates that are disabled by default."""

from __future__ import annotations

import json

from apigen.ir.stability import Stability, stability
from apigen.language.json_values import JsonValue
from apigen.review.changes.change import Altered, AnyChange, Removed, Trait, Value
from apigen.review.context import Context
from apigen.review.gating import OF_TYPES, Use, first_enabled, is_accepted, is_never_enabled, mark_of, named
from apigen.review.mitigations.mitigation import Mitigation
from apigen.review.results import Direction, MitigationResult, RuleResult, Severity
from apigen.review.surface import Default, Element, ElementKind, Enum, EnumValue, Field, GateMark, Struct, Surface


class GateDisabled(Mitigation):
    """The element is behind a gate that is disabled by default in both releases, and in all earlier ones.

    The gate is on the element, or on each path from a kind to it. Only objects of servers with the gate enabled contain
    the element, so only their clients are affected.
    """

    name = "disabled gate"

    def consider(self, change: AnyChange, result: RuleResult, context: Context) -> MitigationResult | None:
        """Return whether it applies; None for elements without values, and without a gate on either side."""
        element = change.element
        if element.kind not in OF_TYPES or not result.effects:
            return None
        uses = (context.old_facts.openness.use(element), context.new_facts.openness.use(element))
        marked = next((side for side in (context.new, context.old) if mark_of(element, side) is not None), None)
        if Use.NEVER not in uses:
            return None if marked is None else MitigationResult(self.name, False, _why_on(element, marked, ""))
        if Use.OPEN in uses:
            side, which = (context.old, "base") if uses[0] is Use.OPEN else (context.new, "revision")
            return MitigationResult(self.name, False, _why_on(element, side, which))
        mark = None if marked is None else mark_of(element, marked)
        guard = f"every field that uses `{element.type}` is behind a gate that is"
        if mark is not None:
            guard = f"{named(mark.gates)} {'is' if len(mark.gates) == 1 else 'are'}"
        reason = f"{guard} disabled by default in both releases and all earlier ones"
        return MitigationResult(self.name, True, reason, softens=frozenset(Direction), at_most=Severity.WARNING)


def _why_on(element: Element, side: Surface, which: str) -> str:
    mark = mark_of(element, side)
    if mark is None:
        return f"the {which} has no feature gate on {element.words}"
    names = named(mark.gates)
    if not mark.is_dropped:
        return f"{names} does not drop the element: objects keep it while the gate is disabled"
    since = first_enabled(mark, side)
    return f"the stages of {names} are unknown" if since is None else f"{names} is enabled by default since {since}"


class DefaultGatesDisabled(Mitigation):
    """If its gates are disabled, as they are by default in both releases and all earlier ones, a default is unchanged.

    Only servers with a gate enabled read an object differently.
    """

    name = "default with disabled gates"

    def consider(self, change: AnyChange, result: RuleResult, context: Context) -> MitigationResult | None:
        """Return whether it applies; None for changes other than defaults, and for unknown computations."""
        if not isinstance(change, Altered) or change.trait is not Trait.DEFAULT or not result.effects:
            return None
        before, after = _without_gates(change.before), _without_gates(change.after)
        if before is None or after is None:
            return None
        gates = named(tuple(sorted({*_gates(change.before), *_gates(change.after)})))
        if not (_are_disabled(change.before, context.old) and _are_disabled(change.after, context.new)):
            return MitigationResult(self.name, False, f"{gates} was enabled by default in a release, or is unknown")
        if before != after:
            return MitigationResult(self.name, False, f"the default also differs if {gates} is disabled")
        reason = f"the default is unchanged while {gates} is disabled, as in both releases and all earlier ones"
        return MitigationResult(self.name, True, reason, softens=frozenset(Direction), at_most=Severity.WARNING)


def _gates(default: Value) -> tuple[str, ...]:
    return default.gates if isinstance(default, Default) else ()


def _are_disabled(default: Value, side: Surface) -> bool:
    """Return whether none of the gates of a default was ever enabled by default on a side."""
    if not isinstance(default, Default) or not default.gates:
        return True
    return is_never_enabled(GateMark(default.gates, True, "", default.place), side)


def _without_gates(default: Value) -> list[JsonValue] | None:
    """Return the cases that remain if all gates are disabled, as in the spec language; None if they are unknown."""
    if not isinstance(default, Default):
        return []
    if not default.is_computed:
        return [{"value": json.loads(default.text)}]
    cases: JsonValue = json.loads(default.cases) if default.cases else None
    if not isinstance(cases, list):
        return None
    remaining: list[JsonValue] = []
    for case in cases:
        entry = dict(case) if isinstance(case, dict) else {}
        when = _reduced(entry.pop("when", True))
        if when is True:
            return [*remaining, {**entry}]
        if when is not False:
            remaining.append({**entry, "when": when})
    return remaining


def _reduced(condition: JsonValue) -> JsonValue:
    """Return a condition with all gates disabled: true, false, or the rest of it."""
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
            remaining = [each for each in reduced if not isinstance(each, bool)]
            return {word: remaining} if remaining else not decides
    return condition


class NeverEnabled(Mitigation):
    """The removed field or value was never available by default: no release enabled its gate by default, or the value was only
    tolerated. Its name and number are reserved.

    Kubernetes removes alpha fields of stable types like this. Clients of servers with the gate enabled lose it.
    """

    name = "never enabled"

    def consider(self, change: AnyChange, result: RuleResult, context: Context) -> MitigationResult | None:
        """Return whether it applies; None for other changes, and for elements that were available by default."""
        if not isinstance(change, Removed) or change.element.kind not in (ElementKind.FIELD, ElementKind.ENUM_VALUE):
            return None
        mark = mark_of(change.element, context.old)
        if mark is None:
            if not isinstance(change.part, EnumValue) or is_accepted(change.part, context.old, change.element.group):
                return None
            return self._given_up(change, f"`{change.element.path}` was only tolerated")
        names = named(mark.gates)
        if not is_never_enabled(mark, context.old):
            since = first_enabled(mark, context.old)
            known = "is unknown" if since is None else f"was enabled by default in {since}"
            return MitigationResult(self.name, False, f"{names} {known}")
        later = next((name for name in mark.gates if _is_enabled_now(name, context)), None)
        if later is not None:
            return MitigationResult(self.name, False, f"`{later}` is now enabled by default")
        return self._given_up(change, f"{names} was disabled by default in every release")

    def _given_up(self, change: Removed, reason: str) -> MitigationResult:
        if not _has_tombstone(change):
            reason = f"no tombstone reserves `{change.element.path}` and its number"
            return MitigationResult(self.name, False, reason)
        is_stable = stability(change.element.version) is Stability.STABLE
        at_most = Severity.WARNING if is_stable else Severity.INFO
        reason = f"{reason}, and a tombstone reserves the name"
        return MitigationResult(self.name, True, reason, softens=frozenset(Direction), at_most=at_most)


def _is_enabled_now(gate: str, context: Context) -> bool:
    known = context.new.gates.get(gate)
    return known is not None and known.may_be_enabled(context.new.release_of(known.series))


def _has_tombstone(change: Removed) -> bool:
    """Return whether the holder reserves the name, and the number if the element had one."""
    part, holder = change.part, change.holder
    if not isinstance(holder, Struct | Enum) or not isinstance(part, Field | EnumValue):
        return False
    ranges = [stone.numbers for stone in holder.tombstones if stone.numbers is not None]
    has_name = any(stone.name == change.element.path for stone in holder.tombstones)
    return has_name and (part.number is None or any(part.number in numbers for numbers in ranges))
