"""The fields of a side that stand behind gates."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.compat.surface.elements import Element, ElementKind
from apigen.compat.surface.lifecycle import GateMark
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Field, Struct


def guarded_fields(surface: Surface) -> Iterator[tuple[Element, Field, GateMark]]:
    """Each with its element and its mark, those that came along for others left out."""
    for group in surface.groups.values():
        for version in group.versions.values() if not group.borrowed else ():
            for type_ in version.types.values():
                for field in type_.fields.values() if isinstance(type_, Struct) else ():
                    if field.gate is not None:
                        element = Element(ElementKind.FIELD, group.name, version.name, type_.name.name, field.name)
                        yield element, field, field.gate
