"""The types of an input that does not consist of specs, such as a `.proto` file, as specs that can be compiled."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from apigen.diagnostics import Place
from apigen.ir.graphs import reached
from apigen.ir.model import Presence
from apigen.ir.names import field_name, given_name_problem, member_name
from apigen.ir.surface import (
    Alias,
    Default,
    Enum,
    Field,
    Group,
    ListOf,
    MapOf,
    Named,
    Scalar,
    Scalars,
    Several,
    Slot,
    Struct,
    Surface,
    Type,
    TypeDef,
    Version,
)
from apigen.language.model import (
    ApiSpec,
    DefaultCase,
    EnumValueSpec,
    FieldSpec,
    GroupSpec,
    KindSpec,
    ListExpr,
    Located,
    MapExpr,
    NamedExpr,
    TypeExpr,
    TypeForm,
    TypeSpec,
    UnionSpec,
    VersionFile,
    VersionHeader,
)
from apigen.review.counterexamples.holders import is_numbered, spec_name
from apigen.review.counterexamples.running import group_name, version_name
from apigen.review.links import Links

T = TypeVar("T")


class NotConvertibleError(Exception):
    """A side of a review cannot be compiled; the text is the reason."""


_SCALARS = {
    Scalars.INTEGER: Scalars.INT64,
    Scalars.NUMBER: Scalars.FLOAT64,
    Scalars.ANYTHING: Scalars.RAW_EXTENSION,
    Scalars.SINT32: Scalars.INT32,
    Scalars.SINT64: Scalars.INT64,
    Scalars.FIXED32: Scalars.UINT32,
    Scalars.FIXED64: Scalars.UINT64,
    Scalars.SFIXED32: Scalars.INT32,
    Scalars.SFIXED64: Scalars.INT64,
}


def specs_of_types(surface: Surface, group: Group, kinds: Iterable[str], only_version: str = "") -> ApiSpec:
    """Return the specs of a group with some of its kinds, as far as the spec language can express their types: in all
    versions, or in `only_version`.

    Raises NotConvertibleError for a property that it cannot express, or that generated code does not validate.
    """
    wanted = frozenset(kinds)
    candidates = [version for version in group.versions.values() if only_version in ("", version.name)]
    versions = [version for version in candidates if wanted & version.kinds.keys()]
    if not versions:
        raise NotConvertibleError("no version has the kind")
    names = [version_name(version) for version in versions]
    if len(set(names)) < len(names):
        raise NotConvertibleError("the names of its versions are ambiguous")
    files = (
        VersionFile(name, version.place, tuple(_types(surface, version, wanted)))
        for name, version in zip(names, versions, strict=True)
    )
    headers = (VersionHeader(name, group.place, storage=name == names[-1]) for name in names)
    wire_name = group_name(versions[0])
    spec = GroupSpec(
        folder=wire_name or "core",
        group=wire_name,
        place=group.place,
        group_place=group.place,
        versions=tuple(headers),
        hub=Located(names[-1], group.place),
        kinds=tuple(KindSpec(kind, group.place, list=False) for kind in sorted(wanted & group.kinds.keys())),
        version_files=tuple(files),
        has_protobuf=is_numbered(group),
    )
    return ApiSpec((spec,))


def _types(surface: Surface, version: Version, kinds: frozenset[str]) -> Iterator[TypeSpec]:
    """Yield the types that kinds of a version contain."""
    roots = [kind.root for name, kind in version.kinds.items() if name in kinds]
    names = list(reached(roots, Links(surface).of))
    if len({spec_name(name.name) for name in names}) < len(names):
        raise NotConvertibleError("the names of its types are ambiguous")
    for name in names:
        type_ = surface.type(name)
        if type_ is None or name in surface.imported:
            raise NotConvertibleError(f"type {name.name} is not part of the input")
        yield _type_spec(type_)


def _type_spec(type_: TypeDef) -> TypeSpec:
    name, place = spec_name(type_.name.name), type_.place
    match type_:
        case Struct():
            if type_.lenses or type_.defaults:
                raise NotConvertibleError(f"the conversions and defaults of {name} cannot be reproduced")
            _check_unconstrained(type_.slot)
            py_names = given_names(type_.fields, field_name, "field_no_")
            fields = (_field(field, py_names.get(field.name)) for field in type_.fields.values())
            unions = (
                UnionSpec(
                    place, tuple((None, Located(member, place)) for member in union.members), optional=union.optional
                )
                for union in type_.unions
            )
            return TypeSpec(name, place, TypeForm.STRUCT, fields=tuple(fields), unions=tuple(unions))
        case Enum():
            if type_.base != Scalar(Scalars.STRING):
                raise NotConvertibleError(f"an enum of {type_.base} cannot be tested")
            py_names = given_names(type_.values, member_name, "VALUE_NO_")
            values = (
                EnumValueSpec(value, place, py_name=_located(py_names.get(value), place)) for value in type_.values
            )
            unknown = _located(type_.unknown, place)
            return TypeSpec(name, place, TypeForm.ENUM, values=tuple(values), open=type_.open, unknown=unknown)
        case Alias(slot=slot):
            _check_unconstrained(slot)
            return TypeSpec(name, place, TypeForm.ALIAS, alias=_type(slot.type, place), nullable=slot.nullable)


def _field(field: Field, py_name: str | None) -> FieldSpec:
    place, slot = field.place, field.slot
    _check_unconstrained(slot)
    if field.gate is not None or field.via:
        raise NotConvertibleError(f"field {field.name} cannot be tested")
    return FieldSpec(
        field.name,
        place,
        _type(slot.type, place),
        nullable=field.presence is Presence.NULLABLE or (slot.nullable and field.presence is Presence.PLAIN),
        optional=field.presence is Presence.OPTIONAL,
        omit_empty=field.presence is Presence.OMIT_EMPTY,
        required=Located(field.required, place),
        protobuf=_located(field.number, place),
        py_name=_located(py_name, place),
        default=() if slot.default is None else (_default(slot.default),),
    )


def _located(value: T | None, place: Place) -> Located[T] | None:
    return None if value is None else Located(value, place)


def _check_unconstrained(slot: Slot) -> None:
    """Raise NotConvertibleError for a slot with constraints, which generated code may validate differently."""
    limits = (*slot.constraints, *(branch.keyword for branch in slot.branches), *("rules" for _ in slot.rules[:1]))
    for keyword in limits:
        raise NotConvertibleError(f"`{keyword}` cannot be tested")


def _default(default: Default) -> DefaultCase:
    value = None if default.is_computed else json.loads(default.text)
    if isinstance(value, list | dict) or value is None:
        raise NotConvertibleError("a computed default cannot be reproduced")
    return DefaultCase(default.place, Located(value, default.place))


def _type(type_: Type, place: Place) -> TypeExpr:
    match type_:
        case Scalar(Scalars.NULL) | Several():
            raise NotConvertibleError(f"a value of type {type_} cannot be tested")
        case Scalar(scalar):
            return _named(_SCALARS.get(scalar, scalar).value, place)
        case ListOf(item):
            _check_unconstrained(item)
            return ListExpr(_type(item.type, place), place)
        case MapOf(key, value):
            _check_unconstrained(key)
            _check_unconstrained(value)
            key_type = _type(key.type, place)
            if not isinstance(key_type, NamedExpr):
                raise NotConvertibleError(f"keys of type {key.type} cannot be tested")
            return MapExpr(key_type, _type(value.type, place), place)
        case Named(name):
            return _named(spec_name(name.name), place)


def _named(name: str, place: Place) -> NamedExpr:
    return NamedExpr(name, None, None, place)


def given_names(names: Iterable[str], derived: Callable[[str], str | None], otherwise: str) -> dict[str, str]:
    """Return a `pyName` for each name without a valid and unique derived one: `otherwise` with a number."""
    found: dict[str, str] = {}
    used: set[str] = set()
    for number, name in enumerate(names):
        own = derived(name)
        if own is None or own in used or given_name_problem(own) is not None:
            own = found[name] = f"{otherwise}{number}"
        used.add(own)
    return found
