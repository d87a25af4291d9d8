"""Structs of other packages: each version that uses one gets its own copy of the type."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from apigen.dataclass import replace
from apigen.inputs.go.model import GoField, GoKind, GoPackage, GoType, GoTypeDeclaration
from apigen.inputs.go.specs.expressions import META, WELL_KNOWN, Packages, is_version_of_group
from apigen.inputs.go.specs.findings import Findings, OmittedKind
from apigen.inputs.go.specs.settings import ReadSettings
from apigen.inputs.go.types import base_names
from apigen.ir.names import free_name

_NAME = re.compile(r"[A-Za-z_][\w.~/+-]*")
_Key = tuple[str, str]
"""A type by its package and name."""


def with_adopted(
    packages: Sequence[GoPackage], index: Packages, settings: ReadSettings, findings: Findings
) -> tuple[GoPackage, ...]:
    """Return the packages, with the structs that a version uses and specs cannot refer to declared in this version.

    Such a struct belongs to a helper package, or to a group that is neither imported nor in the existing specs; the
    latter is reported to `findings`. Types that are omitted from the specs are ignored.
    """
    return tuple(package if package.referred else _adopting(package, index, settings, findings) for package in packages)


def _adopting(package: GoPackage, index: Packages, settings: ReadSettings, findings: Findings) -> GoPackage:
    """Return the package with the types that it adopts, under their own names if these are unused in it."""
    used_names: set[object] = {declared.go for declared in package.types}
    names: dict[_Key, str] = {}
    declarations = [(declared, package) for declared in package.types]
    for declared, owner in declarations:
        element = f"{index.name_of(package)}.{declared.go}"
        if owner is package and (declared.is_no_message or settings.listed.explains(OmittedKind.TYPE, element, "")):
            continue
        for key in _references(declared, owner, index):
            if key in names or not _is_adopted(key, package, index):
                continue
            path, name = key
            if name in used_names and not _is_name_of(key, package, index):
                qualifier = index.packages[path].name
                name = free_name(f"{qualifier[:1].upper()}{qualifier[1:]}{name}", used_names)
            used_names.add(name)
            names[key] = name
            declarations.append((index.types[key], index.packages[path]))
    if not names:
        return package
    for key, name in names.items():
        owner, declared = index.packages[key[0]], index.types[key]
        if is_version_of_group(owner):
            reason = f"no spec declares it, so its fields are copied; to refer to its group, import `{owner.path}`, too"
            element = f"{index.name_of(package)}.{name}"
            findings.add(OmittedKind.TAG, element, f"{index.name_of(owner)}.{key[1]}", declared.place, reason)
    types = [
        _renamed(replace(declared, go=names.get((owner.path, declared.go), declared.go)), owner, package, names, index)
        for declared, owner in declarations
        if owner is not package or declared.go not in names.values()
    ]
    return replace(package, types=tuple(types))


def _is_adopted(key: _Key, package: GoPackage, index: Packages, depth: int = 0) -> bool:
    """Return whether a type is a struct without a name in specs, or a list or map of such structs."""
    declared = index.types.get(key)
    if declared is None or key[0] == package.path or depth > 20 or f"{key[0]}.{key[1]}" in WELL_KNOWN:
        return False
    owner = index.packages[key[0]]
    is_named = key[1][:1].isupper() and not index.has_spec(owner, key[1])
    if declared.root or not is_named or f"{key[0]}.{key[1]}" == f"{META}.TypeMeta":
        return False
    if declared.kind is GoKind.STRUCT:
        return True
    return any(_is_adopted(one, package, index, depth + 1) for one in _references(declared, owner, index))


def _is_name_of(key: _Key, package: GoPackage, index: Packages) -> bool:
    """Return whether the type of that name in the package is only an alias of a type."""
    own = index.types.get((package.path, key[1]))
    return own is not None and own.underlying is not None and index.split(own.underlying.resolved, package) == key


def _references(declared: GoTypeDeclaration, owner: GoPackage, index: Packages) -> Iterator[_Key]:
    """The types that a type names, by package and name."""
    for type_ in declared.used_types if declared.kind is not GoKind.FUNC else ():
        for name in base_names(type_.resolved):
            yield index.split(name, owner)


def _renamed(
    declared: GoTypeDeclaration, owner: GoPackage, package: GoPackage, names: dict[_Key, str], index: Packages
) -> GoTypeDeclaration:
    """The type as the adopting package declares it: with the new names, and full names for the others of its
    package.
    """

    def name(match: re.Match[str]) -> str:
        key = index.split(match[0], owner)
        is_full = owner is package or key not in index.types
        return names.get(key, match[0] if is_full else f"{key[0]}.{key[1]}")

    def type_(type_: GoType) -> GoType:
        return replace(type_, resolved=_NAME.sub(name, type_.resolved)) if not _is_opaque(type_) else type_

    def field(field: GoField) -> GoField:
        return replace(field, type=type_(field.type))

    underlying = None if declared.underlying is None else type_(declared.underlying)
    return replace(declared, underlying=underlying, fields=tuple(map(field, declared.fields)))


def _is_opaque(type_: GoType) -> bool:
    return "{" in type_.resolved or "(" in type_.resolved
