"""Resolve type expressions in their scope.

`Names` knows the types of every group and version; a `Scope` is a version of it (or the hub, whose names the hub
stage adds). `declare`, the first pass, collects the declared types, aliases in order of their dependencies. After it, no type
is represented by text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from apigen.dataclass import dataclass, replace
from apigen.diagnostics import Related
from apigen.diagnostics.quoting import quote
from apigen.ir.graphs import MOST_SHOWN, ring, walk
from apigen.ir.groups import kinds_with_type_meta
from apigen.ir.model import (
    Alias,
    Api,
    Enum,
    EnumType,
    Group,
    ListType,
    MapType,
    NamedType,
    Scalar,
    ScalarType,
    StructType,
    Type,
    TypeDef,
    TypeId,
    WellKnown,
    WellKnownType,
    is_container,
    is_text,
    underlying,
)
from apigen.ir.names import BUILTIN_TYPES, GENERATED_CLASS_NAMES, HUB_VERSION, is_type_name, snake_case
from apigen.ir.run import Run
from apigen.language.habits import habitual_type
from apigen.language.model import ApiSpec, GroupSpec, ListExpr, MapExpr, NamedExpr, TypeExpr, TypeForm, TypeSpec

_BUILTINS: Mapping[str, Type] = {
    **{scalar.value: ScalarType(scalar) for scalar in Scalar},
    **{known.value: WellKnownType(known) for known in WellKnown},
}

TypesByName = Mapping[str, Type | None]
"""The types of a version by name; None for one that is declared, but has errors that leave its content unknown."""


@dataclass(frozen=True, slots=True)
class Names:
    """The types that expressions can name: by folder of the group, version and name.

    `without_protobuf` are the folders of the groups that have no protobuf form.
    """

    groups: Mapping[str, Mapping[str, TypesByName]]
    without_protobuf: frozenset[str]

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
        """Return whether this is a hub: it may name types of hubs."""
        return self.version == HUB_VERSION

    @property
    def has_protobuf(self) -> bool:
        """Return whether types in this scope have a protobuf form."""
        return not self.is_hub and self.group not in self.names.without_protobuf


def names_of(api: Api) -> Names:
    """The names of a resolved API, for expressions that are bound later."""
    groups: dict[str, dict[str, dict[str, Type | None]]] = {
        group.folder: {version.name: {} for version in group.versions} for group in api.groups
    }
    for id_, type_ in api.types.items():
        groups.setdefault(id_.group, {}).setdefault(id_.version, {})[id_.name] = reference(type_)
    return Names(groups, _without_protobuf(api.groups))


def _without_protobuf(groups: Iterable[Group | GroupSpec]) -> frozenset[str]:
    return frozenset(group.folder for group in groups if not group.has_protobuf)


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
    if not scope.has_protobuf or not is_container(inner) or (isinstance(inner, NamedType) and inner.nullable):
        return True
    run.error(
        "AG0307",
        expr.place,
        f"protobuf cannot encode `{underlying(inner)}` inside of a list or map",
        hint="declare the inner one as a type with `is:` and `nullable: true`, or `protobuf: none` in group.yaml",
    )
    return False


MAX_ALIAS_DEPTH = 32
"""Maximum length of a chain of aliases; a longer one could only exhaust recursion."""

_Aliases = Mapping[TypeId, TypeSpec]


def declare(spec: ApiSpec, run: Run) -> Names:
    """Return the names of all types of all versions; a broken type is None."""
    table: dict[str, dict[str, dict[str, Type | None]]] = {}
    aliases: dict[TypeId, TypeSpec] = {}
    for group in spec.groups:
        roots = kinds_with_type_meta(group)
        versions = table.setdefault(group.folder, {header.name: {} for header in group.versions})
        for file in group.version_files:
            types = versions.setdefault(file.name, {})
            _check_names(file.types, run)
            for type_ in file.types:
                id_ = TypeId(group.folder, file.name, type_.name)
                types[type_.name] = _declared(id_, type_, type_.name in roots)
                if type_.form is TypeForm.ALIAS:
                    aliases[id_] = type_
    names = Names(table, _without_protobuf(spec.groups))
    for id_ in _bound_order(aliases, run):
        table[id_.group][id_.version][id_.name] = _bind_alias(id_, aliases[id_], names, run)
    return names


def _declared(id_: TypeId, spec: TypeSpec, has_type_meta: bool) -> Type | None:
    match spec.form:
        case TypeForm.ENUM:
            return EnumType(id_)
        case TypeForm.ALIAS:
            return None
    return StructType(id_, has_type_meta)


def _check_names(types: tuple[TypeSpec, ...], run: Run) -> None:
    by_snake_name: dict[str, TypeSpec] = {}
    invalid = {type_.name: type_.place for type_ in types if _name_problem(type_.name) is not None}
    for type_ in types:
        if invalid.get(type_.name.removesuffix("List")) == type_.place and type_.name.endswith("List"):
            continue  # the list of a kind with an invalid name
        problem = _name_problem(type_.name)
        if problem is not None:
            run.error(
                "AG0304",
                type_.place,
                f"no type can be named {quote(type_.name)}: {problem}",
                hint=_name_hint(type_.name),
            )
            continue
        first = by_snake_name.setdefault(snake_case(type_.name), type_)
        if first is not type_:
            run.error(
                "AG0308",
                type_.place,
                f"`{type_.name}` and `{first.name}` both become `{snake_case(first.name)}` in the names of functions",
                hint="rename one of them",
                related=[Related(first.place, f"`{first.name}` is declared here")],
            )


def _name_problem(name: str) -> str | None:
    problems = (
        (name in BUILTIN_TYPES, "a built-in type has this name"),
        (name in GENERATED_CLASS_NAMES, "generated modules use this name"),
        (not is_type_name(name), "a type name is an uppercase letter followed by letters and digits"),
    )
    return next((problem for is_so, problem in problems if is_so), None)


def _name_hint(name: str) -> str | None:
    """Return a fix: a longer name if the name is reserved, else the name in CamelCase; None if that is not valid."""
    if is_type_name(name):
        return f"write a longer name, such as `Widget{name}`"
    words = [word for word in re.split(r"[^A-Za-z0-9]+", name) if word]
    camel = "".join(word[0].upper() + word[1:] for word in words)
    return f"write `{camel}`" if camel != name and _name_problem(camel) is None else None


def _bind_alias(id_: TypeId, spec: TypeSpec, names: Names, run: Run) -> Type | None:
    if spec.alias is None:
        return None
    target = resolve_type(spec.alias, Scope(names, id_.group, id_.version), run)
    if target is None:
        return None
    if spec.nullable and not is_container(target):
        run.error(
            "AG0309",
            spec.place,
            f"`{spec.name}` is an alias of `{target}`, but only an alias of a list or map can be nullable",
        )
        return NamedType(id_, target)
    return NamedType(id_, target, spec.nullable)


def _bound_order(aliases: _Aliases, run: Run) -> Iterator[TypeId]:
    """Yield the aliases, each after those to which it refers. An alias of itself is reported, and omitted with its
    users.
    """
    walked = walk(aliases, lambda id_: _needs(id_, aliases))
    for cycle in walked.cycles:
        _report_cycle(cycle, aliases, run)
    bad = frozenset[TypeId]().union(*walked.knots)
    depth: dict[TypeId, int] = {}
    for id_ in walked.order:
        needs = _needs(id_, aliases)
        if id_ in bad or any(n not in depth for n in needs):
            continue
        deepest = max((depth[n] for n in needs), default=0) + 1
        if deepest > MAX_ALIAS_DEPTH:
            run.error(
                "AG0305",
                aliases[id_].place,
                f"`{id_.name}` is an alias with more than {MAX_ALIAS_DEPTH} levels",
            )
            continue
        depth[id_] = deepest
        yield id_


def _needs(id_: TypeId, aliases: _Aliases) -> tuple[TypeId, ...]:
    expr = aliases[id_].alias
    return tuple(n for n in _named(expr, id_) if n in aliases) if expr is not None else ()


def _named(expr: TypeExpr, within: TypeId) -> Iterator[TypeId]:
    match expr:
        case NamedExpr(name, group, version):
            yield TypeId(group or within.group, version or within.version, name)
        case ListExpr(item):
            yield from _named(item, within)
        case MapExpr(key, value):
            yield from _named(key, within)
            yield from _named(value, within)


def _report_cycle(cycle: tuple[TypeId, ...], aliases: _Aliases, run: Run) -> None:
    first, *others = ring(cycle, lambda id_: aliases[id_].place)[:MOST_SHOWN]
    run.error(
        "AG0305",
        aliases[first].place,
        "cyclic type alias: " + " is ".join(quote(id_.name) for id_ in (first, *others)),
        related=[Related(aliases[o].place, f"{quote(o.name)} is declared here") for o in others if o != first],
    )
