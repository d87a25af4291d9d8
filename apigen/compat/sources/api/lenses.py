"""Lenses as words: how places of a version are carried to the hub and back."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.compat.sources.api.words import condition_words, literal
from apigen.ir.model import Struct
from apigen.spec.model import Items, LensCase, LensSpec, ListExpr, Located, MapExpr, NamedExpr, Object, PathLens
from apigen.spec.path_parser import path_text
from apigen.spec.paths import Path
from apigen.spec.type_expressions import type_text

HUB_ONLY = "hub "
"""Before the paths of what only the hub has."""


def lenses_of(struct: Struct) -> Iterator[tuple[str, LensSpec]]:
    """The lenses of a struct by path: those of its fields, those that it gives to places inside it, those of the hub's."""
    for field in struct.fields:
        if field.hub is not None:
            yield field.json_name, field.hub
    yield from _by_path(struct.lenses, "")
    yield from _by_path(struct.hub_only, HUB_ONLY)
    for second in struct.second_hubs:
        yield from _by_path(second.lenses, f"as {second.hub.name}: ")
        yield from _by_path(second.hub_only, f"as {second.hub.name}: {HUB_ONLY}")


def annotation_keys(lenses: list[tuple[str, LensSpec]]) -> tuple[str, ...]:
    """The annotations in which values are carried."""
    return tuple(sorted({lens.annotation.value for _, lens in lenses if lens.annotation is not None}))


def declared_losses(lenses: list[tuple[str, LensSpec]]) -> tuple[str, ...]:
    """The places that are lost on purpose."""
    return tuple(sorted(f"{path}: {lens.drop.value}" for path, lens in lenses if lens.drop is not None))


def lens_words(lens: LensSpec) -> str:
    """A lens as stable text."""
    return ", ".join(f"{word}: {_text(getattr(lens, word))}" for word in sorted(lens.words()))


def _by_path(lenses: tuple[PathLens, ...], before: str) -> Iterator[tuple[str, LensSpec]]:
    for each in lenses:
        yield f"{before}{path_text(each.path.steps, each.path.from_type)}", each.lens


def _text(value: object) -> str:
    match value:
        case Located() | Object() | Items():
            return literal(value)
        case Path():
            return path_text(value.steps, value.from_type)
        case LensCase(node, when):
            return literal(node) if when is None else f"{literal(node)} when {condition_words(when)}"
        case NamedExpr() | ListExpr() | MapExpr():
            return type_text(value)
        case tuple():
            return "[" + " ".join(map(_text, value)) + "]"
    return str(value)
