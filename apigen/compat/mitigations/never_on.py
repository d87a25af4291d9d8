"""A removal of what nobody ever had without asking for it."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Removed
from apigen.compat.context import Context
from apigen.compat.gating import first_on, is_never_on, mark_of, named
from apigen.compat.mitigations.mitigation import Considered, Mitigation
from apigen.compat.surface.elements import ElementKind
from apigen.compat.surface.types import Enum, EnumValue, Field, Struct
from apigen.compat.verdict.impact import Direction
from apigen.compat.verdict.severity import Severity
from apigen.compat.verdict.verdict import Verdict
from apigen.ir.stability import Stability, stability


class NeverOn(Mitigation):
    """A field or value was removed, its name and number stay taken, and no release had its gate on by default.

    That is how Kubernetes gives up an alpha field of a stable type. Those who switched the gate on lose it, as alpha allows.
    """

    name = "never on"

    def consider(self, change: AnyChange, verdict: Verdict, context: Context) -> Considered | None:
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
            return Considered(self.name, False, f"{names} {known}")
        later = next((name for name in mark.gates if _is_on_now(name, context)), None)
        if later is not None:
            return Considered(self.name, False, f"{later} is on by default now")
        if not _has_tombstone(change):
            reason = f"no tombstone keeps {change.element.path} and its number from coming back"
            return Considered(self.name, False, reason)
        reason = f"{names} was off by default in every release, and a tombstone keeps the name"
        is_stable = stability(change.element.version) is Stability.STABLE
        at_most = Severity.WARNING if is_stable else Severity.INFO
        return Considered(self.name, True, reason, softens=frozenset(Direction), at_most=at_most)


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
