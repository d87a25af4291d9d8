"""Kinds that are (`is:`) a struct declared elsewhere: structs of their own, with the fields of that one.

Kubernetes registers types of meta/v1, such as `ListOptions`, as kinds of other groups.
"""

from __future__ import annotations

from collections.abc import Mapping

from apigen.dataclass import replace
from apigen.ir.inlining import Draft
from apigen.ir.model import TypeDef
from apigen.ir.types import TypeId
from apigen.language.model import ApiSpec, GroupSpec, NamedExpr, TypeForm, TypeSpec, VersionFile

_Specs = Mapping[TypeId, TypeSpec]


def with_taken_over(spec: ApiSpec) -> ApiSpec:
    """Return the spec with a struct for each kind that is an alias of a struct; other aliases are unchanged."""
    if not any(map(_has_alias_as_kind, spec.groups)):
        return spec
    types = {
        TypeId(group.folder, file.name, type_.name): type_
        for group in spec.groups
        for file in group.version_files
        for type_ in file.types
    }
    return replace(spec, groups=tuple(_of_group(group, types) for group in spec.groups))


def _has_alias_as_kind(group: GroupSpec) -> bool:
    kinds = frozenset(kind.name for kind in group.kinds)
    return any(t.form is TypeForm.ALIAS and t.name in kinds for file in group.version_files for t in file.types)


def _of_group(group: GroupSpec, types: _Specs) -> GroupSpec:
    kinds = frozenset(kind.name for kind in group.kinds)
    files = tuple(
        replace(file, types=tuple(_of_type(t, file, group, types) if t.name in kinds else t for t in file.types))
        for file in group.version_files
    )
    return replace(group, version_files=files)


def _of_type(spec: TypeSpec, file: VersionFile, group: GroupSpec, types: _Specs) -> TypeSpec:
    found = struct_behind(TypeId(group.folder, file.name, spec.name), types)
    if spec.form is not TypeForm.ALIAS or found is None:
        return spec
    source = NamedExpr(found.name, found.group, found.version, spec.place)
    return replace(spec, form=TypeForm.STRUCT, alias=None, taken_from=source)


def struct_behind(id_: TypeId, types: _Specs) -> TypeId | None:
    """Return the struct at the end of a chain of aliases; None if the chain ends at another type or is a cycle."""
    seen: set[TypeId] = set()
    while id_ not in seen:
        seen.add(id_)
        spec = types.get(id_)
        if spec is None or spec.form is TypeForm.STRUCT:
            return id_ if spec is not None else None
        if not isinstance(spec.alias, NamedExpr):
            return None
        id_ = TypeId(spec.alias.group or id_.group, spec.alias.version or id_.version, spec.alias.name)
    return None


def take_over(read: dict[TypeId, Draft | TypeDef], specs: Mapping[TypeId, TypeSpec]) -> None:
    """Put into `read` the kinds that take over a struct, with all that it has."""
    for id_, spec in specs.items():
        draft = read.get(id_)
        if spec.taken_from is None or not isinstance(draft, Draft):
            continue
        source = read.get(TypeId(spec.taken_from.group or "", spec.taken_from.version or "", spec.taken_from.name))
        if isinstance(source, Draft):
            read[id_] = _with_contents_of(draft, source)


def _with_contents_of(draft: Draft, source: Draft) -> Draft:
    """The kind with all that `source` has: fields with their numbers, tombstones, unions, defaults, constraints."""
    source_struct = source.struct
    struct = replace(
        draft.struct,
        fields=source_struct.fields,
        doc=draft.struct.doc or source_struct.doc,
        tombstones=source_struct.tombstones,
        reserved=source_struct.reserved,
        defaults=source_struct.defaults,
        lenses=source_struct.lenses,
        hub_only=source_struct.hub_only,
        constraints=source_struct.constraints,
        merge=source_struct.merge,
        taken_from=source_struct.id,
    )
    return Draft(struct, source.members, source.unions)
