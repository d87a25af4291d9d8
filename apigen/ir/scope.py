"""Resolve type expressions in their scope.

`Names` knows the types of every group and version; a `Scope` is a version of it (or the hub, whose names the hub
stage adds). After this stage, no type is represented by text.
"""

from __future__ import annotations

from collections.abc import Mapping

from apigen.dataclass import dataclass, replace
from apigen.diagnostics.quoting import quote
from apigen.ir.model import Alias, Api, Enum, TypeDef
from apigen.ir.reserved import BUILTIN_TYPES, HUB_VERSION
from apigen.ir.run import Run
from apigen.ir.types import (
    EnumType,
    ListType,
    MapType,
    NamedType,
    Scalar,
    ScalarType,
    StructType,
    Type,
    WellKnown,
    WellKnownType,
    is_container,
    is_text,
    underlying,
)
from apigen.language.habits import habitual_type
from apigen.language.model import ListExpr, MapExpr, NamedExpr, TypeExpr

_BUILTINS: Mapping[str, Type] = {
    **{scalar.value: ScalarType(scalar) for scalar in Scalar},
    **{known.value: WellKnownType(known) for known in WellKnown},
}

TypesByName = Mapping[str, Type | None]
"""The types of a version by name; None for one that is declared, but has errors that leave its content unknown."""


@dataclass(frozen=True, slots=True)
class Names:
    """The types that expressions can name: by folder of the group, version and name."""

    groups: Mapping[str, Mapping[str, TypesByName]]

    def with_version(self, group: str, version: str, types: TypesByName) -> Names:
        """These names and those of one more version; the hub stage adds its hubs so."""
        return replace(self, groups={**self.groups, group: {**self.groups.get(group, {}), version: types}})


@dataclass(frozen=True, slots=True)
class Scope:
    """The scope of an expression: a version of a group, or its hub."""

    names: Names
    group: str
    version: str

    @property
    def is_hub(self) -> bool:
        """Return whether this is a hub: it may name types of hubs, and needs no protobuf form."""
        return self.version == HUB_VERSION


def names_of(api: Api) -> Names:
    """The names of a resolved API, for expressions that are bound later."""
    groups: dict[str, dict[str, dict[str, Type | None]]] = {
        group.folder: {version.name: {} for version in group.versions} for group in api.groups
    }
    for id_, type_ in api.types.items():
        groups.setdefault(id_.group, {}).setdefault(id_.version, {})[id_.name] = reference(type_)
    return Names(groups)


def reference(type_: TypeDef) -> Type:
    """The type of a value of a declared type."""
    match type_:
        case Enum():
            return EnumType(type_.id)
        case Alias():
            return NamedType(type_.id, type_.target, type_.nullable)
    return StructType(type_.id, type_.has_type_meta)


def builtin(name: str) -> Type | None:
    """The builtin type of that name."""
    return _BUILTINS.get(name)


def resolve_type(expr: TypeExpr, scope: Scope, run: Run) -> Type | None:
    """Bind a type expression. None if that fails, with an error unless it is reported elsewhere."""
    match expr:
        case NamedExpr():
            return _resolve_name(expr, scope, run)
        case ListExpr(item_expr):
            item = resolve_type(item_expr, scope, run)
            if item is None or not _fits_in_container(item, item_expr, scope, run):
                return None
            return ListType(item)
        case MapExpr(key_expr, value_expr):
            key, value = _resolve_name(key_expr, scope, run), resolve_type(value_expr, scope, run)
            if key is not None and not is_text(key):
                run.error("AG0306", key_expr.place, f"the key of a map must be a string, not `{key}`")
                return None
            if key is None or value is None or not _fits_in_container(value, value_expr, scope, run):
                return None
            return MapType(key, value)


def _resolve_name(expr: NamedExpr, scope: Scope, run: Run) -> Type | None:
    if expr.group is None or expr.version is None:
        known = builtin(expr.name)
        return known if known is not None else _look_up(expr, scope.group, scope.version, scope, run)
    versions = scope.names.groups.get(expr.group)
    if versions is None:
        if not run.broken.group(expr.group):
            hint = run.did_you_mean(expr.group, scope.names.groups)
            run.error("AG0302", expr.place, f"unknown group {quote(expr.group)}", hint=hint)
        return None
    if expr.version == HUB_VERSION and not scope.is_hub:
        hint = f"name the type of a version: {quote(f'{expr.group}/VERSION.{expr.name}')}"
        run.error("AG0303", expr.place, "a type of a version cannot use a type of a hub", hint=hint)
        return None
    if expr.version not in versions:
        if not run.broken.version(expr.group, expr.version):
            hint = run.did_you_mean(expr.version, versions)
            message = f"group {quote(expr.group)} has no version {quote(expr.version)}"
            run.error("AG0303", expr.place, message, hint=hint)
        return None
    return _look_up(expr, expr.group, expr.version, scope, run)


def _look_up(expr: NamedExpr, group: str, version: str, scope: Scope, run: Run) -> Type | None:
    types = scope.names.groups.get(group, {}).get(version, {})
    if expr.name not in types and not run.broken.type(group, version, expr.name):
        candidates = types if expr.group is not None else [*types, *sorted(BUILTIN_TYPES)]
        message = f"unknown type {quote(expr.name)} in {group}/{version}"
        hint = habitual_type(expr.name) or run.did_you_mean(expr.name, candidates) or _elsewhere(expr, scope)
        run.error("AG0301", expr.place, message, hint=hint)
    return types.get(expr.name)


def _elsewhere(expr: NamedExpr, scope: Scope) -> str | None:
    """Return the hint for an unqualified name that one other version declares: of `meta`, or of all groups."""
    if expr.group is not None:
        return None
    groups = scope.names.groups
    found = [
        f"{group}/{version}.{expr.name}"
        for group in ("meta", *(name for name in groups if name != "meta"))
        for version, types in groups.get(group, {}).items()
        if version != HUB_VERSION and expr.name in types
    ]
    is_of_meta = bool(found) and found[0].startswith("meta/")
    return f"write `{found[0]}`" if is_of_meta or len(found) == 1 else None


def _fits_in_container(inner: Type, expr: TypeExpr, scope: Scope, run: Run) -> bool:
    """Report nested containers: protobuf has no lists of lists, so that an inner list or map needs a message of its
    own.
    """
    if scope.is_hub or not is_container(inner) or (isinstance(inner, NamedType) and inner.nullable):
        return True
    run.error(
        "AG0307",
        expr.place,
        f"protobuf cannot encode `{underlying(inner)}` inside of a list or map",
        hint="declare the inner one as a type with `is:` and `nullable: true`",
    )
    return False
