"""Specs with one thing less: each lens, default and hand-written function in turn, and each part of them."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Any

from apigen.language.model import ApiSpec, FieldSpec, GroupSpec, LensSpec, PathDefault, PathLens, TypeSpec, VersionFile

NEEDED = frozenset({"to", "list_path"})
"""Words that are not taken away alone: they say which lens it is."""


@dataclass(frozen=True)
class Removal:
    """A spec without one element: what it was, its location, and the group and version (or `hub`) that had it."""

    what: str
    place: str
    group: str
    version: str
    spec: ApiSpec

    def __str__(self) -> str:
        return f"{self.place} {self.what}"


def removals(spec: ApiSpec) -> Iterator[Removal]:
    """All of them, in the order of the specs."""
    for at, group in enumerate(spec.groups):
        for version, what, place, smaller in _smaller_groups(group):
            groups = (*spec.groups[:at], smaller, *spec.groups[at + 1 :])
            yield Removal(what, place, group.folder, version, replace(spec, groups=groups))


def functions_in(text: str) -> list[str]:
    """The functions of a module that the compiler finds. Helpers start with `_`."""
    statements = ast.parse(text).body
    return [s.name for s in statements if isinstance(s, ast.FunctionDef) and not s.name.startswith("_")]


def without_functions(text: str, keep: Collection[str]) -> str:
    """A module with only these of its functions, and its helpers."""
    lines = text.splitlines(keepends=True)
    for statement in reversed(ast.parse(text).body):
        if isinstance(statement, ast.FunctionDef) and not statement.name.startswith("_") and statement.name not in keep:
            del lines[statement.lineno - 1 : statement.end_lineno]
    return "".join(lines)


Smaller = tuple[str, Any, Any]
"""The removed element, its location, and the rest."""


def _smaller_groups(group: GroupSpec) -> Iterator[tuple[str, str, str, GroupSpec]]:
    files = (*group.version_files, *([group.hub_file] if group.hub_file else []))
    for file in files:
        for at, type_ in enumerate(file.types):
            for what, place, smaller in _smaller_types(type_):
                changed = replace(file, types=(*file.types[:at], smaller, *file.types[at + 1 :]))
                name = f"{group.folder}/{file.name}.{type_.name}: {what}"
                yield file.name, name, f"{place.file}:{place.line}", _with_file(group, changed)
    for at, kind in enumerate(group.kinds):
        if kind.hub is not None:
            changed_kinds = (*group.kinds[:at], replace(kind, hub=None), *group.kinds[at + 1 :])
            place = f"{kind.hub.place.file}:{kind.hub.place.line}"
            yield "hub", f"{group.folder}/{kind.name}: hub", place, replace(group, kinds=changed_kinds)


def _with_file(group: GroupSpec, file: VersionFile) -> GroupSpec:
    if group.hub_file is not None and file.name == group.hub_file.name:
        return replace(group, hub_file=file)
    return replace(group, version_files=tuple(file if f.name == file.name else f for f in group.version_files))


def _smaller_types(type_: TypeSpec) -> Iterator[Smaller]:
    if type_.hub is not None:
        yield "hub", type_.hub.place, replace(type_, hub=None)
    for member in ("defaults", "lenses", "hub_only"):
        entries: tuple[PathDefault | PathLens, ...] = getattr(type_, member)
        for at, entry in enumerate(entries):
            for what, place, rest in _smaller_entries(entry):
                kept = (*entries[:at], *rest, *entries[at + 1 :])
                yield f"{member} {entry.path}{what}", place, replace(type_, **{member: kept})  # type: ignore[arg-type]
    for at, field in enumerate(type_.fields):
        for what, place, smaller in _smaller_fields(field):
            fields = (*type_.fields[:at], smaller, *type_.fields[at + 1 :])
            yield f"{field.name} {what}", place, replace(type_, fields=fields)


def _smaller_entries(entry: PathDefault | PathLens) -> Iterator[Smaller]:
    """In place of the entry: nothing, and each entry with a part less."""
    if isinstance(entry, PathLens):
        yield "", entry.lens.place, ()
        for what, place, lens in _smaller_lenses(entry.lens):
            yield f" {what}", place, (replace(entry, lens=lens),)
    else:
        yield "", entry.cases[0].place, ()
        for what, place, cases in _smaller_cases(entry.cases):
            yield f" {what}", place, (replace(entry, cases=cases),)


def _smaller_fields(field: FieldSpec) -> Iterator[Smaller]:
    if field.absent is not None:
        yield "absent", field.place, replace(field, absent=None)
    if field.hub is not None:
        yield "hub", field.hub.place, replace(field, hub=None)
        for what, place, lens in _smaller_lenses(field.hub):
            yield f"hub {what}", place, replace(field, hub=lens)
    if field.default:
        yield "default", field.default[0].place, replace(field, default=())
        for what, place, cases in _smaller_cases(field.default):
            yield f"default {what}", place, replace(field, default=cases)


def _smaller_lenses(lens: LensSpec) -> Iterator[Smaller]:
    words = sorted(lens.words())
    for word in words:
        if len(words) > 1 and word not in NEEDED:
            yield f"word {word}", lens.place, replace(lens, **{word: None})  # type: ignore[arg-type]
        written = getattr(lens, word)
        if word in ("constant", "keep_zero"):
            for what, place, cases in _smaller_cases(written):
                yield f"{word} {what}", place, replace(lens, **{word: cases})


def _smaller_cases(cases: Any) -> Iterator[Smaller]:
    """Each case of several, and the condition of each that has one."""
    for at, case in enumerate(cases):
        if len(cases) > 1:
            yield f"case {at}", case.place, (*cases[:at], *cases[at + 1 :])
        if case.when is not None:
            yield f"case {at} when", case.place, (*cases[:at], replace(case, when=None), *cases[at + 1 :])
