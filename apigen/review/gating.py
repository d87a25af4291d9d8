"""Availability of elements behind feature gates: in the release of a side, and in all earlier releases."""

from __future__ import annotations

from enum import StrEnum
from functools import cache

from apigen.ir.graphs import reached
from apigen.ir.surface import (
    Element,
    ElementKind,
    EnumValue,
    Field,
    GateMark,
    Surface,
    TypeName,
    member_at,
)
from apigen.language.releases import Release
from apigen.review.links import Links, Reachability, names_in

OF_TYPES = frozenset(
    {
        ElementKind.STRUCT,
        ElementKind.ENUM,
        ElementKind.ALIAS,
        ElementKind.FIELD,
        ElementKind.ITEM,
        ElementKind.KEY,
        ElementKind.VALUE,
        ElementKind.BRANCH,
        ElementKind.ENUM_VALUE,
        ElementKind.UNION,
        ElementKind.UNION_MEMBER,
        ElementKind.RULE,
    }
)
"""Elements that are types or parts of types, and have values."""

_WITHOUT_MARK = frozenset({ElementKind.STRUCT, ElementKind.ENUM, ElementKind.ALIAS, ElementKind.UNION})


class Use(StrEnum):
    """The availability of an element if all gates have their defaults."""

    NEVER = "never"  # its gate, or one on each path to it, was off by default since the first release
    OPEN = "open"
    NOT_THERE = "not there"


def first_enabled(mark: GateMark, surface: Surface) -> Release | None:
    """Return the first release, up to that of a side, in which the gates of a mark are enabled by default; None if
    they never are.

    The gates of a mark belong to one series, and so do the releases. An unknown gate is treated as enabled: gates are
    removed when they can no longer be disabled.
    """
    gates = [surface.gates.get(name) for name in mark.gates]
    known = [gate for gate in gates if gate is not None]
    steps = {stage.release for gate in known for stage in gate.stages} | {
        gate.removed for gate in known if gate.removed
    }
    newest = surface.release_of(known[0].series) if known else None
    releases = (step for step in sorted(steps) if newest is None or step <= newest)
    return next(
        (release for release in releases if _joined(mark, [g is None or g.may_be_enabled(release) for g in gates])),
        None,
    )


def is_enabled(mark: GateMark, surface: Surface) -> bool:
    """Return whether the gates of a mark are enabled by default at the release of a side.

    An unknown gate is treated as enabled, as in `first_enabled`.
    """
    gates = (surface.gates.get(name) for name in mark.gates)
    return _joined(mark, [gate is None or gate.is_enabled(surface.release_of(gate.series)) for gate in gates])


def switched_gates(old: Surface, new: Surface) -> dict[str, bool]:
    """Return the gates whose default differs between two sides, with the default of the second one."""
    found: dict[str, bool] = {}
    for name in old.gates.keys() & new.gates.keys():
        was, is_on = (side.gates[name].is_enabled(side.release_of(side.gates[name].series)) for side in (old, new))
        if was != is_on:
            found[name] = is_on
    return found


def is_accepted(value: EnumValue, surface: Surface, group: str) -> bool:
    """Return whether every object may have a value in the release of a side, with the default feature gates."""
    if value.gate is not None:
        return is_enabled(value.gate, surface)
    introduced, release = value.lifecycle.introduced, surface.release_in(group)
    if value.tolerated is None:
        return True
    return introduced is not None and (release is None or introduced <= release)


def _joined(mark: GateMark, states: list[bool]) -> bool:
    return any(states) if mark.is_any else all(states)


def named(gates: tuple[str, ...]) -> str:
    """Return the names of feature gates, for messages."""
    return " and ".join(f"`{gate}`" for gate in gates)


def is_never_enabled(mark: GateMark | None, surface: Surface) -> bool:
    """Return whether no release up to that of a side enables the gates of a mark by default."""
    if mark is None or not mark.is_dropped:
        return False
    return any(name in surface.gates for name in mark.gates) and first_enabled(mark, surface) is None


def is_disabled(mark: GateMark | None, surface: Surface) -> bool:
    """Return whether a server of a side drops an element with this mark from new objects if its gates have their
    defaults.
    """
    if mark is None or not mark.is_dropped:
        return is_never_enabled(mark, surface)
    known = next((gate for name in mark.gates if (gate := surface.gates.get(name)) is not None), None)
    if surface.release_of("" if known is None else known.series) is None:
        return is_never_enabled(mark, surface)
    return not is_enabled(mark, surface)


class Openness:
    """The types of one side that are reachable from kinds with all gates at their defaults."""

    def __init__(self, surface: Surface, known: Reachability, links: Links) -> None:
        self._surface = surface
        self._known = known
        # many fields and values have the same mark
        self._is_never_enabled = cache(lambda mark: is_never_enabled(mark, surface))
        # the structs with a field whose gate was never enabled by default, each with the types of its other fields
        closed = {
            struct.name: tuple(dict.fromkeys(names_in(struct, self._leads_on)))
            for struct in surface.structs()
            if not all(field.gate is None or self._leads_on(field) for field in struct.fields.values())
        }
        self._open: frozenset[TypeName] | None = None
        """The types that are reachable with the default gates; None: all reachable types."""
        if closed:
            self._open = reached(
                (kind.root for _, kind in surface.kinds()),
                lambda name: closed[name] if name in closed else links.of(name),
            )

    def use(self, element: Element) -> Use:
        """Return the availability of an element in objects of this side."""
        if not _exists(element, self._surface):
            return Use.NOT_THERE
        if self._is_never_enabled(mark_of(element, self._surface)) or self._is_closed(element):
            return Use.NEVER
        return Use.OPEN

    def _is_closed(self, element: Element) -> bool:
        version = self._surface.version(element.group, element.version)
        if version is None or not version.kinds:
            return False
        name = element.type_name
        return self._open is not None and name not in self._open and bool(self._known.kinds(name))

    def _leads_on(self, field: Field) -> bool:
        return not self._is_never_enabled(field.gate)


def mark_of(element: Element, surface: Surface) -> GateMark | None:
    """Return the gates of an enum value, or of the field that is or contains the element; None if it has none of its
    own.
    """
    member = None if element.kind in _WITHOUT_MARK else member_at(surface, element)
    return None if member is None else member.gate


def _exists(element: Element, surface: Surface) -> bool:
    if surface.type(element.type_name) is None:
        return False
    names_a_part = bool(element.path) and not element.path.startswith("(") and element.kind not in _WITHOUT_MARK
    return not names_a_part or member_at(surface, element) is not None
