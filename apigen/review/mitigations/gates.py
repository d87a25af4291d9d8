"""A gate that nobody has on unless they asked for it."""

from __future__ import annotations

import json

from apigen.ir.stability import Stability, stability
from apigen.review.changes.change import Altered, AnyChange, Removed, Trait, Value
from apigen.review.context import Context
from apigen.review.gating import OF_TYPES, Use, first_on, is_never_on, mark_of, named
from apigen.review.mitigations.mitigation import Mitigation, MitigationResult
from apigen.review.surface import Default, Element, ElementKind, Enum, EnumValue, Field, GateMark, Struct, Surface
from apigen.review.verdict.example import JsonValue
from apigen.review.verdict.impact import Direction
from apigen.review.verdict.severity import Severity
from apigen.review.verdict.verdict import Verdict


class GateOff(Mitigation):
    """What changes stands behind a gate that is off by default in both releases, and was in all before them.

    The gate may be that of the element, or there is one on each way from a kind to it. Objects have it only where somebody
    switched the gate on, so nothing breaks for all; those who did are still concerned.
    """

    name = "gate off"

    def consider(self, change: AnyChange, verdict: Verdict, context: Context) -> MitigationResult | None:
        """Whether it holds; None for elements without values, and for what no gate guards on either side."""
        element = change.element
        if element.kind not in OF_TYPES or not verdict.hits:
            return None
        uses = (context.old_openness.use(element), context.new_openness.use(element))
        marked = next((side for side in (context.new, context.old) if mark_of(element, side) is not None), None)
        if Use.NEVER not in uses:
            return None if marked is None else MitigationResult(self.name, False, _why_on(element, marked, ""))
        if Use.OPEN in uses:
            side, which = (context.old, "old") if uses[0] is Use.OPEN else (context.new, "new")
            return MitigationResult(self.name, False, _why_on(element, side, which))
        mark = None if marked is None else mark_of(element, marked)
        guard = f"every way to {element.type} is behind a gate that is"
        if mark is not None:
            guard = f"{named(mark.gates)} {'is' if len(mark.gates) == 1 else 'are'}"
        reason = f"{guard} off by default, now and in every release before"
        return MitigationResult(self.name, True, reason, softens=frozenset(Direction), at_most=Severity.WARNING)


def _why_on(element: Element, side: Surface, which: str) -> str:
    mark = mark_of(element, side)
    if mark is None:
        return f"{element} is behind no gate on the {which} side"
    names = named(mark.gates)
    if not mark.is_dropped:
        return f"{names} only marks it: objects keep it with the gate off"
    since = first_on(mark, side)
    return f"the stages of {names} are not known" if since is None else f"{names} is on by default in {since}"


class DefaultGatesOff(Mitigation):
    """With its gates off, as they are by default in both releases and in all before them, a default is what it was.

    Only where somebody switched a gate on does an object mean something else, so nothing breaks for all.
    """

    name = "default with its gates off"

    def consider(self, change: AnyChange, verdict: Verdict, context: Context) -> MitigationResult | None:
        """Whether it holds; None for all but defaults, and where nobody knows how they are computed."""
        if not isinstance(change, Altered) or change.trait is not Trait.DEFAULT or not verdict.hits:
            return None
        before, after = _without_gates(change.before), _without_gates(change.after)
        if before is None or after is None:
            return None
        gates = named(tuple(sorted({*_gates(change.before), *_gates(change.after)})))
        if not (_are_off(change.before, context.old) and _are_off(change.after, context.new)):
            return MitigationResult(self.name, False, f"{gates} was on by default in a release, or is not known")
        if before != after:
            return MitigationResult(self.name, False, f"with {gates} off it is another one, too")
        reason = f"{gates} off, as by default now and in every release before, leaves it what it was"
        return MitigationResult(self.name, True, reason, softens=frozenset(Direction), at_most=Severity.WARNING)


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


class NeverOn(Mitigation):
    """A field or value was removed, its name and number stay taken, and no release had its gate on by default.

    That is how Kubernetes gives up an alpha field of a stable type. Those who switched the gate on lose it, as alpha allows.
    """

    name = "never on"

    def consider(self, change: AnyChange, verdict: Verdict, context: Context) -> MitigationResult | None:
        """Whether it holds; None for what was not removed, or had no gate."""
        if not isinstance(change, Removed) or change.element.kind not in (ElementKind.FIELD, ElementKind.ENUM_VALUE):
            return None
        mark = mark_of(change.element, context.old)
        if mark is None:
            return None
        names = named(mark.gates)
        if not is_never_on(mark, context.old):
            since = first_on(mark, context.old)
            known = "is not known" if since is None else f"was on by default in {since}"
            return MitigationResult(self.name, False, f"{names} {known}")
        later = next((name for name in mark.gates if _is_on_now(name, context)), None)
        if later is not None:
            return MitigationResult(self.name, False, f"{later} is on by default now")
        if not _has_tombstone(change):
            reason = f"no tombstone keeps {change.element.path} and its number from coming back"
            return MitigationResult(self.name, False, reason)
        reason = f"{names} was off by default in every release, and a tombstone keeps the name"
        is_stable = stability(change.element.version) is Stability.STABLE
        at_most = Severity.WARNING if is_stable else Severity.INFO
        return MitigationResult(self.name, True, reason, softens=frozenset(Direction), at_most=at_most)


def _is_on_now(gate: str, context: Context) -> bool:
    known = context.new.gates.get(gate)
    return known is not None and known.may_be_on(context.new.release_of(known.series))


def _has_tombstone(change: Removed) -> bool:
    """Whether the holder keeps the name, and the number where the element had one."""
    part, holder = change.part, change.holder
    if not isinstance(holder, Struct | Enum) or not isinstance(part, Field | EnumValue):
        return False
    ranges = [stone.numbers for stone in holder.tombstones if stone.numbers is not None]
    has_name = any(stone.name == change.element.path for stone in holder.tombstones)
    return has_name and (part.number is None or any(part.number in numbers for numbers in ranges))
