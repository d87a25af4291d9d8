"""Objects that have a value at an element, and around it no more than they need."""

from __future__ import annotations

import re
from copy import deepcopy

from apigen.compat.surface.elements import Element, ElementKind
from apigen.compat.surface.members import field_of
from apigen.compat.surface.resolving import unfolded
from apigen.compat.surface.types import ListOf, MapOf, Named, Slot, Struct
from apigen.compat.verdict.example import ABSENT, JsonValue, Missing
from apigen.compat.witnesses.filling import Filling, Fullness, discriminated
from apigen.compat.witnesses.routes import ITEM, KEY, VALUE, Route
from apigen.compat.witnesses.sampling import Sampling
from apigen.compat.witnesses.wire import api_version

NAME = "example"
_STEP = re.compile(r"\[\]|\{key\}|\{\}")

Beside = tuple[tuple[str, JsonValue], ...]


class Placing:
    """Builds objects of one side."""

    def __init__(self, sampling: Sampling, fullness: Fullness = Fullness.REQUIRED) -> None:
        self._surface = sampling.surface
        self._filling = Filling(sampling, fullness)

    def steps(self, element: Element) -> tuple[str, ...]:
        """The steps from the type in which an element stands to it."""
        type_ = self._surface.type(element.type_name)
        if element.kind in (ElementKind.ENUM_VALUE, ElementKind.UNION, ElementKind.TOMBSTONE) or not element.path:
            return ()
        field = field_of(type_, element.path) if isinstance(type_, Struct) else None
        if field is None:
            return tuple(_STEP.findall(element.path)) if element.path[0] in "[{" else ()
        return (field.name, *_STEP.findall(element.path[len(field.name) :]))

    def object(self, route: Route, steps: tuple[str, ...], value: JsonValue | Missing, beside: Beside) -> JsonValue:
        """An object of the route's kind with a value at the end of the route and of `steps`."""
        root = self._surface.type(route.kind.root)
        slot = root.slot if isinstance(root, Struct) else None
        made = {} if slot is None else self.inside(slot, (*route.steps, *steps), value, beside, len(steps))
        found = made if isinstance(made, dict) else {}
        metadata = found.get("metadata")
        header: dict[str, JsonValue] = {"apiVersion": api_version(route.version), "kind": route.kind.kind}
        header["metadata"] = {"name": NAME, **metadata} if isinstance(metadata, dict) else {"name": NAME}
        return {**header, **{name: each for name, each in found.items() if name not in header}}

    def inside(
        self, slot: Slot, steps: tuple[str, ...], value: JsonValue | Missing, beside: Beside = (), own: int = 0
    ) -> JsonValue | Missing:
        """A value of a slot with `value` at the end of steps, of which the last `own` are inside the type of `beside`."""
        self._filling.begin()
        return self._put(slot, steps, value, beside, own)

    def _put(
        self, slot: Slot, steps: tuple[str, ...], value: JsonValue | Missing, beside: Beside, own: int
    ) -> JsonValue | Missing:
        """A value of a slot with `value` at the end of steps; `own`: how many of the steps are inside the type of the element."""
        if not steps:
            return value
        step, rest = steps[0], steps[1:]
        found = unfolded(self._surface, slot)
        match found.type:
            case ListOf(item) if step == ITEM:
                return _listed(self._put(item, rest, value, beside, own))
            case MapOf(_, inner) if step == VALUE:
                made = self._put(inner, rest, value, beside, own)
                return {} if isinstance(made, Missing) else {"a": made}
            case MapOf(_, inner) if step == KEY:
                made = self._filling.value(inner, 1)
                return {str(value): None if isinstance(made, Missing) else made}
            case Named(name):
                struct = self._surface.type(name)
                return self._member(struct, steps, value, beside, own) if isinstance(struct, Struct) else ABSENT
        return ABSENT

    def _member(
        self, struct: Struct, steps: tuple[str, ...], value: JsonValue | Missing, beside: Beside, own: int
    ) -> JsonValue | Missing:
        name, rest = steps[0], steps[1:]
        made = self._filling.struct(struct)
        field = struct.fields.get(name)
        inner = self._put(field.slot, rest, value, beside, own) if field is not None else value
        if isinstance(inner, Missing):
            made.pop(name, None)
        else:
            made[name] = inner
            discriminated(struct, made, name)
        if own == len(steps):
            made.update(deepcopy(dict(beside)))
        return made


def _listed(value: JsonValue | Missing) -> JsonValue:
    return [] if isinstance(value, Missing) else [value]
