"""Packages that are one version of a group, such as `api/v1` and `exp/api/v1`, as one package."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from apigen.dataclass import replace
from apigen.diagnostics import Report
from apigen.inputs.go.model import GoKind, GoPackage, GoType, GoTypeDeclaration
from apigen.inputs.go.specs.expressions import is_version_of_group
from apigen.inputs.go.specs.fields import OPTIONAL_BY_DEFAULT
from apigen.inputs.go.specs.kinds import kinds_of
from apigen.inputs.go.syntax import references


def joined(packages: Sequence[GoPackage], report: Report) -> tuple[GoPackage, ...]:
    """Return the packages, with those that are the same version of a group as one, under the path of the first of them.

    They cannot declare different types of one name (AG1235).
    """
    versions: dict[tuple[str, str], list[GoPackage]] = {}
    for package in packages:
        if not package.referred and is_version_of_group(package):
            versions.setdefault((package.group, package.version), []).append(package)
    paths = {other.path: first.path for first, *others in versions.values() for other in others}
    if not paths:
        return tuple(packages)
    pattern = re.compile(rf"(?<![\w.~/+-])({'|'.join(map(re.escape, paths))})(?=\.\w)")

    def type_(type_: GoType) -> GoType:
        return replace(type_, resolved=pattern.sub(lambda match: paths[match[1]], type_.resolved))

    def moved(declared: GoTypeDeclaration) -> GoTypeDeclaration:
        underlying = None if declared.underlying is None else type_(declared.underlying)
        fields = tuple(replace(field, type=type_(field.type)) for field in declared.fields)
        return replace(declared, underlying=underlying, fields=fields)

    joint = {first.path: _joint(first, others, report) for first, *others in versions.values()}
    left = (joint.get(package.path, package) for package in packages if package.path not in paths)
    return tuple(replace(package, types=tuple(map(moved, package.types))) for package in left)


def _joint(first: GoPackage, others: Sequence[GoPackage], report: Report) -> GoPackage:
    for other in others:
        if _is_optional(first) != _is_optional(other):
            message = f"`{other.path}` and `{first.path}` are both {first.version} of `{first.group}`, but only one has `{OPTIONAL_BY_DEFAULT}`"
            report.error("AG1235", other.place, message, hint="add the marker to both, or import one of them")
    parts = (first, *others)
    is_registered = any(part.registered for part in parts)
    return replace(
        first,
        types=tuple(_types(parts, report)),
        constants=tuple(constant for part in parts for constant in part.constants),
        markers=tuple(marker for part in parts for marker in part.markers),
        registered=tuple(name for part in parts for name in _registered(part)) if is_registered else (),
        registers_machinery=any(part.registers_machinery for part in parts),
    )


def _is_optional(package: GoPackage) -> bool:
    return any(marker.text == OPTIONAL_BY_DEFAULT for marker in package.markers)


def _registered(package: GoPackage) -> Sequence[str]:
    """The kinds of a package: those that it registers, or all if it has no code for that."""
    return package.registered or [declared.go for declared in kinds_of(package)]


def _types(parts: Sequence[GoPackage], report: Report) -> Iterator[GoTypeDeclaration]:
    """The types of packages, each once: one that is only a name for a type of that name in another part is omitted."""
    paths = {part.path for part in parts}
    first: dict[str, tuple[GoTypeDeclaration, GoPackage]] = {}
    for part in parts:
        for declared in part.types:
            if declared.underlying is not None and _is_name_of(declared.underlying, declared.go, paths):
                continue
            known, owner = first.setdefault(declared.go, (declared, part))
            if owner is part:
                yield declared
            elif not _are_alike(known, declared) and _is_used(declared, part):
                message = (
                    f"`{part.path}` and `{owner.path}` both declare `{declared.go}` in {part.version} of `{part.group}`"
                )
                report.error(
                    "AG1235", declared.place, message, hint="rename one of them, or import one of the packages"
                )


def _is_name_of(underlying: GoType, name: str, paths: set[str]) -> bool:
    path, _, of = underlying.resolved.rpartition(".")
    return of == name and path in paths


def _are_alike(one: GoTypeDeclaration, other: GoTypeDeclaration) -> bool:
    """Return whether two types without fields are declared alike."""
    is_plain = one.underlying is not None and not one.constants and not other.constants
    is_equal = (one.kind, one.underlying) == (other.kind, other.underlying)
    return is_plain and is_equal and [m.text for m in one.markers] == [m.text for m in other.markers]


def _is_used(declared: GoTypeDeclaration, package: GoPackage) -> bool:
    """Return whether a type is visible outside of its package, or another type of the package leads to it."""
    if declared.kind in (GoKind.INTERFACE, GoKind.FUNC):
        return False
    used = (key for other in package.types for key in references(other, package.path))
    return declared.go[:1].isupper() or (package.path, declared.go) in used
