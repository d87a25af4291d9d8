"""A tombstone does not say all that those who come later need."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.compat.context import Context
from apigen.compat.rules.guards import has_tombstones
from apigen.compat.rules.rule import Issue, state_rule
from apigen.compat.surface.elements import Element, ElementKind
from apigen.compat.surface.surface import Surface, Version
from apigen.compat.surface.types import Enum, Struct, Tombstone, TypeDef
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


@state_rule("tombstone-incomplete", has_tombstones, severities="W/W/E")
def tombstone_incomplete(surface: Surface, context: Context) -> Iterator[Issue]:
    """Release, reason and number are known on the day of the removal, and hard to find out later."""
    has_releases = _has_releases(context.old) or _has_releases(context.new)
    for group in surface.groups.values():
        for version in group.versions.values() if not group.borrowed else ():
            for type_ in version.types.values():
                for stone in _tombstones(type_):
                    if has_releases or stone.removed is not None:
                        yield from _of(stone, type_, version)


def _of(stone: Tombstone, type_: TypeDef, version: Version) -> Iterator[Issue]:
    lacking = [
        word
        for word, is_there in (
            ("release", stone.removed is not None),
            ("reason", bool(stone.reason)),
            ("number", stone.numbers is not None or not _has_numbers(type_)),
        )
        if not is_there
    ]
    if lacking:
        element = Element(ElementKind.TOMBSTONE, version.group, version.name, type_.name.name, stone.name)
        message = f"the tombstone of {type_.name.name}.{stone.name} has no {' and no '.join(lacking)}"
        severities = None if "number" in lacking else Severities.of("W/W/W")
        yield Issue(element, stone.place, Verdict(message, {}, severities=severities), " ".join(lacking))


def _tombstones(type_: TypeDef) -> tuple[Tombstone, ...]:
    """Those with a name: a range of numbers alone was never anything."""
    stones = type_.tombstones if isinstance(type_, Struct | Enum) else ()
    return tuple(stone for stone in stones if stone.name)


def _has_numbers(type_: TypeDef) -> bool:
    return isinstance(type_, Struct) and any(field.number is not None for field in type_.fields.values())


def _has_releases(side: Surface) -> bool:
    if side.release is not None or side.gates:
        return True
    versions = (version for group in side.groups.values() for version in group.versions.values())
    return any(version.lifecycle.introduced is not None for version in versions)
