"""The packages that a trial runs: one side of a review, compiled from its specs, without hand-written functions, because
a review must not run code that comes with a change.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar

from apigen.codegen.backend_input import BackendInput
from apigen.codegen.pipeline import compile_unruled, generate
from apigen.dataclass import dataclass, replace
from apigen.diagnostics import Report, Severity
from apigen.ir.graphs import reached
from apigen.ir.surface import Group, Surface, TypeName
from apigen.language.load import named_groups
from apigen.language.model import (
    ApiSpec,
    Constraints,
    FieldSpec,
    GroupSpec,
    KindSpec,
    Located,
    NamedExpr,
    TypeForm,
    TypeSpec,
    VersionFile,
)
from apigen.language.selection import Choice
from apigen.review.counterexamples.holders import VALUE_KEY, held_type
from apigen.review.counterexamples.specs_of_types import NotConvertibleError, specs_of_types

BACKENDS = ("json", "protobuf", "defaults", "conversions", "strategies", "validation", "copying")
"""The backends whose code a trial runs."""


@dataclass(frozen=True, slots=True)
class GroupSide:
    """One side of a trial: a group in its surface. `version`: that version is tried alone, without conversions."""

    surface: Surface
    group: Group
    version: str = ""


class SideCompiler:
    """Compiles groups of one side; specs that cannot be compiled are compiled once."""

    def __init__(self) -> None:
        self._rejected: dict[str, str] = {}

    def build(self, side: GroupSide, kinds: Iterable[str], folder: Path, name: str) -> None:
        """Write the package `name` with some kinds of the group below a folder.

        Raises NotConvertibleError, with the reason, if that is not possible.
        """
        try:
            for file in generate(self._compiled(side, tuple(kinds)), backends=BACKENDS):
                path = folder / name / file.path
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(file.content)
        except RecursionError:
            raise NotConvertibleError("its types are nested too deeply to be compiled") from None

    def _compiled(self, side: GroupSide, kinds: tuple[str, ...]) -> BackendInput:
        if not side.version and side.group.name in self._rejected:
            raise NotConvertibleError(self._rejected[side.group.name])
        specs = side.surface.specs
        tried = (
            specs_of_types(side.surface, side.group, kinds, side.version)
            if specs is None
            else _specs_of_trial(specs, side, kinds)
        )
        group = next(each for each in tried.groups if each.group == side.group.name or specs is None)
        chosen = frozenset((group.folder, kind.name) for kind in group.kinds if kind.name in kinds)
        if not chosen:
            raise NotConvertibleError("no version has the kind")
        report = Report()
        backend_input = compile_unruled(tried, report, Choice(frozenset(), chosen))
        if backend_input is not None:
            return backend_input
        reason = f"the specs cannot be compiled without hand-written functions: {_first_error(report)}"
        if not side.version:
            self._rejected[side.group.name] = reason
        raise NotConvertibleError(reason)


def _specs_of_trial(specs: ApiSpec, side: GroupSide, kinds: tuple[str, ...]) -> ApiSpec:
    """Return the group of a side and those that it refers to, as a trial serves them: with the kinds that hold values, and
    without hand-written functions. What these are declared to enforce is validated by generated code.
    """
    written = {group.folder: group for group in specs.groups}
    folder = next((group.folder for group in specs.groups if group.group == side.group.name), None)
    if folder is None:
        raise NotConvertibleError("the group is not part of the specs")
    group = _with_holders(written[folder], side.group, kinds)
    tried = written | {folder: _served(_alone(group, side.version) if side.version else group)}
    needed = reached([folder], lambda name: named_groups(tried[name]) & tried.keys())
    return replace(specs, groups=tuple(_enforced_group(tried[name]) for name in tried if name in needed))


def _with_holders(written: GroupSpec, group: Group, kinds: tuple[str, ...]) -> GroupSpec:
    holders: dict[str, KindSpec] = {}
    files: list[VersionFile] = []
    for file in written.version_files:
        held = {kind: held_type(group.versions[file.name], kind) for kind in kinds if file.name in group.versions}
        types = (_holder(kind, name, written) for kind, name in held.items() if name is not None)
        files.append(replace(file, types=(*file.types, *types)))
        holders |= {kind: KindSpec(kind, written.place, list=False) for kind, name in held.items() if name is not None}
    return replace(written, kinds=(*written.kinds, *holders.values()), version_files=tuple(files))


def _holder(kind: str, held: TypeName, group: GroupSpec) -> TypeSpec:
    number = Located(1, group.place) if group.has_protobuf else None
    type_ = NamedExpr(held.name, None, None, group.place)
    field = FieldSpec(VALUE_KEY, group.place, type_, optional=True, protobuf=number)
    return TypeSpec(kind, group.place, TypeForm.STRUCT, fields=(field,))


def _served(group: GroupSpec) -> GroupSpec:
    """Return a group with a hub, whose objects have `apiVersion` and `kind`, and no hooks."""
    stored = (each.name for each in group.versions if each.storage)
    hub = group.hub or Located(next(stored, group.versions[-1].name), group.place)
    kinds = (replace(kind, type_meta=True, strategy=replace(kind.strategy, hooks=())) for kind in group.kinds)
    return replace(group, hub=hub, kinds=tuple(kinds))


def _alone(group: GroupSpec, version: str) -> GroupSpec:
    """Return a group with one of its versions, which is its own hub."""
    files = tuple(
        replace(file, types=tuple(map(_without_conversion, file.types)))
        for file in group.version_files
        if file.name == version
    )
    names = {type_.name for file in files for type_ in file.types}
    return replace(
        group,
        versions=tuple(replace(each, storage=True) for each in group.versions if each.name == version),
        hub=Located(version, group.place),
        kinds=tuple(
            replace(kind, hub=None, preserve=None, printer_columns=()) for kind in group.kinds if kind.name in names
        ),
        version_files=files,
        hub_file=None,
        locks=tuple(lock for lock in group.locks if lock.version == version),
    )


def _without_conversion(type_: TypeSpec) -> TypeSpec:
    fields = (replace(field, hub=None, hub_type=None, absent=None) for field in type_.fields)
    return replace(type_, fields=tuple(fields), lenses=(), hub_only=(), also_hub=(), hub=None)


def _enforced_group(group: GroupSpec) -> GroupSpec:
    files = (replace(file, types=tuple(map(_enforced_type, file.types))) for file in group.version_files)
    return replace(group, version_files=tuple(files))


def _enforced_type(type_: TypeSpec) -> TypeSpec:
    return _enforced(replace(type_, fields=tuple(map(_enforced, type_.fields))))


H = TypeVar("H", TypeSpec, FieldSpec)
_HELD = ("constraints", "item_constraints", "key_constraints", "value_constraints")


def _enforced(holder: H) -> H:
    """Return a field or type whose generated code validates what hand-written code is declared to enforce."""
    held: dict[str, Constraints] = {word: getattr(holder, word) for word in _HELD}
    changed: dict[str, Any] = {
        word: _joined(each, each.enforced_by_hand) for word, each in held.items() if each.enforced_by_hand is not None
    }
    return replace(holder, **changed) if changed else holder


def _joined(own: Constraints, by_hand: Constraints) -> Constraints:
    """Return the constraints of both, of two bounds the stricter one."""
    found: dict[str, Any] = {"enforced_by_hand": None}
    for word in Constraints.__match_args__:
        one, other = getattr(own, word), getattr(by_hand, word)
        if isinstance(one, tuple):
            found[word] = (*one, *other)
        elif one is None:
            found[word] = other
        elif other is not None and word.startswith(("min", "exclusive_min")):
            found[word] = max(one, other, key=lambda bound: bound.value)
        elif other is not None and word.startswith(("max", "exclusive_max")):
            found[word] = min(one, other, key=lambda bound: bound.value)
    return replace(own, **found)


def _first_error(report: Report) -> str:
    errors = (each.message for each in report.diagnostics if each.severity is Severity.ERROR)
    return next(errors, "unknown reason")
