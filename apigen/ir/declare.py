"""First pass: collect the declared types, so that expressions can be bound; aliases in order of their dependencies."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from apigen.diagnostics import Related
from apigen.diagnostics.quoting import quote
from apigen.ir.graphs import MOST_SHOWN, ring, walk
from apigen.ir.kinds import kinds_with_type_meta
from apigen.ir.names import is_type_name, snake_case
from apigen.ir.reserved import BUILTIN_TYPES, GENERATED_CLASS_NAMES
from apigen.ir.run import Run
from apigen.ir.scope import Names, Scope, resolve_type
from apigen.ir.types import EnumType, NamedType, StructType, Type, TypeId, is_container
from apigen.language.model import ApiSpec, ListExpr, MapExpr, NamedExpr, TypeExpr, TypeForm, TypeSpec

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
    names = Names(table)
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
    if name in BUILTIN_TYPES:
        return "a built-in type has this name"
    if name in GENERATED_CLASS_NAMES:
        return "generated modules use this name"
    if not is_type_name(name):
        return "a type name is an uppercase letter followed by letters and digits"
    return None


def _name_hint(name: str) -> str | None:
    """Return the name in CamelCase; None if that is not the name of a type either."""
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
