"""What rules can ask about the two surfaces of a comparison."""

from __future__ import annotations

from functools import cached_property

from apigen.compat.reachability import Reachability
from apigen.compat.surface.elements import Element, ElementKind, TypeName
from apigen.compat.surface.lifecycle import GateMark, GateStage
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Enum, EnumValue, Field, Struct
from apigen.ir.stability import Stability, stability
from apigen.spec.model import Stage

_STAGES = {Stage.ALPHA: Stability.ALPHA, Stage.BETA: Stability.BETA}


class Context:
    """Both sides of a comparison, and what follows from them; answers are kept."""

    def __init__(self, old: Surface, new: Surface) -> None:
        self.old = old
        self.new = new

    @cached_property
    def old_reach(self) -> Reachability:
        """What the served kinds of the old side lead to."""
        return Reachability(self.old)

    @cached_property
    def new_reach(self) -> Reachability:
        """What the served kinds of the new side lead to."""
        return Reachability(self.new)

    def stability(self, element: Element) -> Stability:
        """That of the element's version, or of its gates where these are less stable."""
        of_version = stability(element.version) if element.version else Stability.STABLE
        marks = (self.mark(side, element) for side in (self.new, self.old))
        mark = next((mark for mark in marks if mark is not None), None)
        if mark is None:
            return of_version
        return min((of_version, *(self._gate_stability(gate) for gate in mark.gates)))

    def mark(self, side: Surface, element: Element) -> GateMark | None:
        """The gates that an element (a field, or what stands in it; an enum's value) depends on; None: on none."""
        type_ = side.type(element.type_name)
        if isinstance(type_, Struct) and element.path:
            field = field_of(type_, element.path)
            return None if field is None else field.gate
        if isinstance(type_, Enum) and element.kind is ElementKind.ENUM_VALUE:
            value: EnumValue | None = type_.values.get(element.path)
            return None if value is None else value.gate
        return None

    def gate(self, side: Surface, name: str) -> GateStage | None:
        """A gate's stage at the release that a side is; None where it is unknown or gone."""
        found = side.gates.get(name)
        return None if found is None else found.at(side.release)

    def _gate_stability(self, name: str) -> Stability:
        stages = [stage for stage in (self.gate(side, name) for side in (self.new, self.old)) if stage is not None]
        return _STAGES.get(stages[0].stage, Stability.STABLE) if stages else Stability.STABLE

    def kinds(self, name: TypeName) -> tuple[str, ...]:
        """The served kinds of either side that a type is part of, as `group/version Kind`."""
        return tuple(sorted(self.old_reach.kinds(name) | self.new_reach.kinds(name)))


def field_of(struct: Struct, path: str) -> Field | None:
    """The field that a path within a type begins with; a name may hold dots, so the longest that fits is taken."""
    found = struct.fields.get(path)
    if found is not None:
        return found
    names = [name for name in struct.fields if path.startswith(name) and path[len(name) : len(name) + 1] in ".[{("]
    return struct.fields[max(names, key=len)] if names else None
