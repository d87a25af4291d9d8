"""A value that every reader fills in."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.mitigations.mitigation import Considered, Mitigation
from apigen.compat.surface.elements import Element, ElementKind
from apigen.compat.surface.members import field_of
from apigen.compat.surface.surface import Surface, Version
from apigen.compat.surface.types import Struct
from apigen.compat.verdict.impact import Direction
from apigen.compat.verdict.severity import Severity
from apigen.compat.verdict.verdict import Verdict

_CONCERNED = frozenset({Direction.OLD_CLIENT, Direction.STORED})


class ReadTimeDefault(Mitigation):
    """Who leaves a field out gets its default before anything is judged, the same in whichever version they speak.

    The default has to be a plain value that asks no gate, is filled in when objects are read, and is equal in all served
    versions. What was stored without the field then means what the default says: that depends on the default.
    """

    name = "read-time default"

    def consider(self, change: AnyChange, verdict: Verdict, context: Context) -> Considered | None:
        """Whether it holds; None for what is no field, or has no default on the new side."""
        element = change.element
        if element.kind is not ElementKind.FIELD or not _CONCERNED & set(verdict.hits):
            return None
        found = dict(_defaults(element, context.new))
        own = found.get(element.version)
        if own is None:
            return None
        for version, text in found.items():
            if text != own:
                return Considered(
                    self.name, False, f"{version} defaults it to {text or 'nothing'}, {element.version} to {own}"
                )
        if not own:
            return None
        problem = _problem(element, context.new)
        if problem:
            return Considered(self.name, False, problem)
        reason = f"{_listed(found)} {'fill' if len(found) > 1 else 'fills'} in {own} when an object is read"
        return Considered(self.name, True, reason, softens=_CONCERNED, at_most=Severity.WARNING)


def counterparts(element: Element, side: Surface) -> Iterator[tuple[Version, Struct]]:
    """The struct of an element in all served versions of its group, and in its own version."""
    group = side.groups.get(element.group)
    for version in group.versions.values() if group is not None else ():
        type_ = version.types.get(element.type)
        if isinstance(type_, Struct) and (version.served or version.name == element.version):
            yield version, type_


def _defaults(element: Element, side: Surface) -> Iterator[tuple[str, str]]:
    """Version -> the default of the field there as text; empty for none."""
    for version, struct in counterparts(element, side):
        field = field_of(struct, element.path)
        default = None if field is None else field.slot.default
        yield version.name, "" if default is None else default.text


def _problem(element: Element, side: Surface) -> str:
    for version, struct in counterparts(element, side):
        field = field_of(struct, element.path)
        default = None if field is None else field.slot.default
        if default is not None and default.is_computed:
            return f"the default of {version.name} is computed: whether it fills every object is not known"
        if default is not None and default.gates:
            return f"the default of {version.name} asks {' and '.join(default.gates)}"
        if default is not None and not default.is_read_time:
            return f"the default of {version.name} is filled in when an object is written, not when it is read"
    return ""


def _listed(found: dict[str, str]) -> str:
    return " and ".join(found)
