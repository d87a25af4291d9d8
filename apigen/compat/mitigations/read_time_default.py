"""A value that every reader fills in."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.gating import named
from apigen.compat.mitigations.mitigation import Considered, Mitigation
from apigen.compat.surface.elements import Element, ElementKind
from apigen.compat.surface.members import field_of
from apigen.compat.surface.surface import Surface, Version
from apigen.compat.surface.types import Default, Struct
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
        if element.version not in found:
            return None
        own = _text(found[element.version])
        other = next((version for version, default in found.items() if _text(default) != own), None)
        if other is not None:
            reason = f"{other} defaults it to {_text(found[other]) or 'nothing'}, {element.version} to {own}"
            return Considered(self.name, False, reason)
        if not own:
            return None
        problems = (_problem(version, default) for version, default in found.items() if default is not None)
        problem = next(filter(None, problems), "")
        if problem:
            return Considered(self.name, False, problem)
        reason = f"{' and '.join(found)} {'fill' if len(found) > 1 else 'fills'} in {own} when an object is read"
        return Considered(self.name, True, reason, softens=_CONCERNED, at_most=Severity.WARNING)


def counterparts(element: Element, side: Surface) -> Iterator[tuple[Version, Struct]]:
    """The struct of an element in all served versions of its group, and in its own version."""
    for version in side.versions_of(element.group):
        type_ = version.types.get(element.type)
        if isinstance(type_, Struct) and (version.served or version.name == element.version):
            yield version, type_


def _defaults(element: Element, side: Surface) -> Iterator[tuple[str, Default | None]]:
    """The default of a field by version."""
    for version, struct in counterparts(element, side):
        field = field_of(struct, element.path)
        yield version.name, None if field is None else field.slot.default


def _text(default: Default | None) -> str:
    return "" if default is None else default.text


def _problem(version: str, default: Default) -> str:
    if default.is_computed:
        return f"the default of {version} is computed: whether it fills every object is not known"
    if default.gates:
        return f"the default of {version} asks {named(default.gates)}"
    if not default.is_read_time:
        return f"the default of {version} is filled in when an object is written, not when it is read"
    return ""
