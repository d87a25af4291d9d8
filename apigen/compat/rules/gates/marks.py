"""What the gates of a field ask before a change and after it, at the releases of both sides."""

from __future__ import annotations

from apigen.compat.changes.change import Altered
from apigen.compat.context import Context
from apigen.compat.surface.lifecycle import GateMark
from apigen.compat.surface.surface import Surface
from apigen.dataclass import dataclass
from apigen.spec.model import Stage


@dataclass(frozen=True, slots=True)
class Marks:
    """The marks of a field on both sides."""

    before: GateMark | None
    after: GateMark | None
    context: Context

    @classmethod
    def of(cls, change: Altered, context: Context) -> Marks:
        """Of a change of the trait `gate`."""
        before, after = change.before, change.after
        return cls(
            before if isinstance(before, GateMark) else None, after if isinstance(after, GateMark) else None, context
        )

    @property
    def narrowing(self) -> tuple[str, ...]:
        """Gates that are off by default in the new release, and ask for more than was asked before."""
        if not _drops(self.after):
            return ()
        assert self.after is not None
        known = self.before.gates if _drops(self.before) and self.before is not None else ()
        if self.after.is_any:
            keeps_known = bool(known) and set(known) <= set(self.after.gates)
            return self.after.gates if self._all_off(self.after) and not keeps_known else ()
        return self._off(tuple(gate for gate in self.after.gates if gate not in known))

    @property
    def widening(self) -> tuple[str, ...]:
        """Gates that were asked, are asked no longer, and are not locked in the new release."""
        if not _drops(self.before):
            return ()
        assert self.before is not None
        kept = self.after.gates if _drops(self.after) and self.after is not None else ()
        if self.before.is_any and kept:
            return ()
        return tuple(gate for gate in self.before.gates if gate not in kept and not is_settled(gate, self.context))

    @property
    def may_take(self) -> bool:
        """Whether the new mark drops or replaces in its own way, with a gate off by default in the new release."""
        return self.after is not None and not _drops(self.after) and bool(self._off(self.after.gates))

    @property
    def is_settled(self) -> bool:
        """Whether nobody can have any of the gates off: GA, on and locked."""
        return all(is_settled(gate, self.context) for gate in self._gates)

    @property
    def may_differ_by_default(self) -> bool:
        """Whether some gate is off by default on a side: then what the marks say beside their gates counts."""
        sides = (self.context.old, self.context.new)
        return any(is_off(gate, side) for gate in self._gates for side in sides)

    @property
    def _gates(self) -> tuple[str, ...]:
        return tuple(gate for mark in (self.before, self.after) if mark is not None for gate in mark.gates)

    def _off(self, gates: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(gate for gate in gates if is_off(gate, self.context.new))

    def _all_off(self, mark: GateMark) -> bool:
        return len(self._off(mark.gates)) == len(mark.gates)


def is_off(gate: str, side: Surface) -> bool:
    """Whether a gate is known, and off by default at the release of a side."""
    found = side.gates.get(gate)
    return found is not None and not found.is_on(side.release_of(found.series))


def was_off(gate: str, side: Surface) -> bool:
    """Whether a gate had begun by the release of a side, which is known, and was off by default there."""
    found = side.gates.get(gate)
    release = None if found is None else side.release_of(found.series)
    stage = None if found is None or release is None else found.at(release)
    return stage is not None and not stage.default


def is_settled(gate: str, context: Context) -> bool:
    """Whether a gate is GA, on and locked in the new release, or was before it went: nobody can have it off."""
    for side in (context.new, context.old):
        found = side.gates.get(gate)
        if found is None:
            continue
        stage = found.at(context.new.release_of(found.series))
        if stage is None and found.stages and found.removed is not None:
            stage = found.stages[-1]
        return stage is not None and stage.stage is Stage.GA and stage.default and stage.locked
    return False


def _drops(mark: GateMark | None) -> bool:
    return mark is not None and mark.is_dropped
