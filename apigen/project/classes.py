"""Whose classes hubs borrow, in the form in which it is kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from apigen.ir.types import TypeId
from apigen.project.built import Borrowed


def packed_classes(classes: Mapping[TypeId, TypeId]) -> tuple[Borrowed, ...]:
    """By type of a hub the type of a version, as pairs."""
    return tuple((tuple(hub), tuple(version)) for hub, version in classes.items())


def unpacked_classes(pairs: Iterable[Borrowed]) -> Mapping[TypeId, TypeId]:
    """What was packed."""
    return {TypeId(*hub): TypeId(*version) for hub, version in pairs}
