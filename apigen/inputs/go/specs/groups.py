"""Packages as the files of a spec folder: one `group.yaml` for each group, and a file for each version.

Types of other packages have no name in specs: each version that uses one gets its own copy of the type.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import product

from apigen.dataclass import dataclass, replace
from apigen.diagnostics import Place
from apigen.inputs.go.model import GoField, GoKind, GoPackage, GoType, GoTypeDeclaration, Marker
from apigen.inputs.go.specs.expressions import (
    TYPE_METAS,
    WELL_KNOWN,
    Packages,
    UntranslatableError,
    folder_name,
    is_version,
    is_version_of_group,
)
from apigen.inputs.go.specs.fields import Reader, has_values, report_rest
from apigen.inputs.go.specs.kinds import (
    META_GROUP,
    FoundKind,
    Life,
    bad_life,
    is_list_name,
    is_usual_list,
    kinds_of,
    life_entries,
    own_life,
    plural_of,
    read_kind,
    registered_elsewhere,
    shared_life,
    take_life,
)
from apigen.inputs.go.specs.markers import Findings, Markers, OmittedKind, ReadSettings
from apigen.inputs.go.specs.types import enum_values, is_left_out, read_type
from apigen.inputs.go.syntax import references
from apigen.inputs.merging import Block, Entries, Value
from apigen.ir.graphs import reached
from apigen.ir.names import free_name
from apigen.ir.stability import VersionRank, version_rank
from apigen.language.model import ApiSpec

_GO_NAME = re.compile(r"[A-Za-z_][\w.~/+-]*")
_Key = tuple[str, str]
"""A type by its package and name."""


def with_adopted(
    packages: Sequence[GoPackage], index: Packages, settings: ReadSettings, findings: Findings
) -> tuple[GoPackage, ...]:
    """Return the packages, with the types that a version uses and specs cannot refer to declared in this version.

    Such a type belongs to a helper package, or to a group that is neither imported nor in the existing specs; the
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
        for key in references(declared, owner.path):
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
            reason = f"no spec declares it, so it is copied; to refer to its group, import `{owner.path}`, too"
            element = f"{index.name_of(package)}.{name}"
            findings.add(OmittedKind.TAG, element, f"{index.name_of(owner)}.{key[1]}", declared.place, reason)
    types = [
        _renamed(replace(declared, go=names.get((owner.path, declared.go), declared.go)), owner, package, names, index)
        for declared, owner in declarations
        if owner is not package or declared.go not in names.values()
    ]
    return replace(package, types=tuple(types))


def _is_adopted(key: _Key, package: GoPackage, index: Packages, depth: int = 0) -> bool:
    """Return whether a type has no name in specs, and a use of it cannot express it: a struct, a type with values or
    constraints, or a list or map of such types.
    """
    declared = index.types.get(key)
    if declared is None or key[0] == package.path or depth > 20 or f"{key[0]}.{key[1]}" in WELL_KNOWN:
        return False
    owner = index.packages[key[0]]
    is_named = key[1][:1].isupper() and not index.has_spec(owner, key[1])
    if declared.root or not is_named or f"{key[0]}.{key[1]}" in TYPE_METAS:
        return False
    if declared.kind is GoKind.STRUCT or has_values(declared) or any(_constrains(one) for one in declared.markers):
        return True
    return any(_is_adopted(one, package, index, depth + 1) for one in references(declared, owner.path))


def _constrains(marker: Marker) -> bool:
    return marker.name.startswith(("+kubebuilder:validation:", "+listType", "+mapType", "+k8s:listType"))


def _is_name_of(key: _Key, package: GoPackage, index: Packages) -> bool:
    """Return whether the type of that name in the package is only an alias of a type."""
    own = index.types.get((package.path, key[1]))
    return own is not None and own.underlying is not None and index.split(own.underlying.resolved, package) == key


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
        return replace(type_, resolved=_GO_NAME.sub(name, type_.resolved)) if not _is_opaque(type_) else type_

    def field(field: GoField) -> GoField:
        return replace(field, type=type_(field.type))

    underlying = None if declared.underlying is None else type_(declared.underlying)
    return replace(declared, underlying=underlying, fields=tuple(map(field, declared.fields)))


def _is_opaque(type_: GoType) -> bool:
    return "{" in type_.resolved or "(" in type_.resolved


_NAME = re.compile(r"(?:([\w.-]+)/(v\w+)\.)?\b([A-Z]\w*)")
_Type = tuple[str, str]
"""A type by its version and name."""
_Cluster = list[_Type]
"""Types of one name that kinds connect."""


def separate_hub_types(folder: str, versions: Mapping[str, Entries], kinds: Iterable[str], stored: str) -> None:
    """Write `hub:` on types that share a name, but no kind and not the declaration, with a type of another version.

    `folder` is that of the group; `versions` are the entries of the version files, the lowest version first. The type
    of the stored version keeps its name in the hub, or that of the highest version where the stored one has none of
    that name.
    """
    types = {
        (version, name): {key: value for key, value in body.items() if key != "doc"}
        for version, entries in versions.items()
        for name, body in _entries(entries["types"]).items()
    }
    uses = {one: [used for used in _names(body, folder, one[0]) if used in types] for one, body in types.items()}
    kinds_of: dict[_Type, set[str]] = {one: set() for one in types}
    for kind in kinds:
        for one in reached(((version, kind) for version in versions if (version, kind) in types), uses.__getitem__):
            kinds_of[one].add(kind)
    order = [version for version in versions if version != stored] + [stored]
    pairs: list[tuple[_Cluster, _Cluster]] = []
    for name in dict.fromkeys(name for _, name in types):
        same_name = [(version, name) for version in order if (version, name) in types]
        own = [one for one in same_name if not any(used in same_name and used != one for used in uses[one])]
        clusters = _clusters(own, kinds_of)
        pairs += ((cluster, clusters[-1]) for cluster in clusters[:-1])
    separated: set[_Type] = set()

    def differ(pair: tuple[_Cluster, _Cluster]) -> bool:
        nested = (used for cluster in pair for one in cluster for used in uses[one])
        return any(types[a] != types[b] for a, b in product(*pair)) or any(used in separated for used in nested)

    while more := [one for pair in pairs if differ(pair) for one in pair[0] if one not in separated]:
        separated.update(more)
    used_names: set[object] = {name for _, name in types}
    for cluster, _ in pairs:
        if cluster[0] in separated:
            version, name = cluster[-1]
            hub = free_name(f"{version.capitalize()}{name}", used_names)
            used_names.add(hub)
            for version, name in cluster:
                body = _entries(versions[version]["types"])[name]
                words = dict(body)
                body.clear()
                body.update({"hub": hub, **words})


def _clusters(found: Iterable[_Type], kinds_of: Mapping[_Type, set[str]]) -> list[_Cluster]:
    """Group the types of one name: types that one kind contains belong together. The group with the newest type comes
    last.
    """
    clusters: list[_Cluster] = []
    for one in found:
        near = [each for each in clusters if any(not kinds_of[one].isdisjoint(kinds_of[other]) for other in each)]
        clusters = [each for each in clusters if each not in near] + [
            [*(other for each in near for other in each), one]
        ]
    return clusters


def _names(body: Entries, folder: str, version: str) -> set[_Type]:
    """The types of the group that a type of a version names."""
    expressions = [body.get("is"), *(field.get("type") for field in _entries(body.get("fields")).values())]
    names = (match.groups() for text in expressions for match in _NAME.finditer(str(text)))
    return {(other or version, name) for group, other, name in names if group in (None, folder)}


def _entries(value: Value) -> dict[str, Entries]:
    """The mappings among the values of a mapping, by key."""
    return {name: body for name, body in value.items() if isinstance(body, dict)} if isinstance(value, Mapping) else {}


@dataclass(frozen=True, slots=True)
class GroupEntries:
    """The entries of a group: `group` for group.yaml and `versions` for the version files.

    `guessed` are kinds with a key (`scope`, `plural`) whose value is assumed by convention, because Go does not
    declare it.
    """

    folder: str
    group: Entries
    versions: Mapping[str, Entries]
    guessed: frozenset[tuple[str, str]]


def read_groups(
    packages: Iterable[GoPackage], known: ApiSpec | None, settings: ReadSettings, findings: Findings
) -> list[GroupEntries]:
    """Return the groups of the packages that are versions of an API; the other packages are only referred to.

    `known` are the other groups of the specs, whose types may be used and whose kinds may be replacements.
    """
    packages = _with_kinds_of_groups(tuple(packages))
    packages = with_adopted(packages, Packages(packages, known), settings, findings)
    index = Packages(packages, known)
    versions = [package for package in packages if is_version(package.version) and not package.referred]
    kinds = _all_kinds(packages, known)
    groups: dict[str, list[GoPackage]] = {}
    for package in versions:
        groups.setdefault(folder_name(package.group), []).append(package)
    return [
        _group(folder, sorted(packages_of_group, key=_rank), index, kinds, settings, findings)
        for folder, packages_of_group in sorted(groups.items())
    ]


def _with_kinds_of_groups(packages: tuple[GoPackage, ...]) -> tuple[GoPackage, ...]:
    """Return the packages; a type that is a kind in another version of the group becomes a kind, because in specs a name is
    a kind in all versions or in none.
    """
    known: dict[str, set[str]] = {}
    for package in packages:
        known.setdefault(package.group, set()).update(package.registered)

    def more(package: GoPackage) -> tuple[str, ...]:
        return tuple(
            sorted({one.go for one in package.types if one.root} & known[package.group] - {*package.registered})
        )

    return tuple(
        replace(one, registered=(*one.registered, *more(one))) if one.registered and is_version(one.version) else one
        for one in packages
    )


def _rank(package: GoPackage) -> VersionRank:
    """Return the rank of a package among the versions of its group."""
    rank = version_rank(package.version)
    assert rank is not None
    return rank


_Kinds = dict[tuple[str, str], set[str]]
"""Names of kinds by group (on the wire) and version."""


def _all_kinds(packages: Iterable[GoPackage], known: ApiSpec | None) -> _Kinds:
    found: _Kinds = {}
    for group in () if known is None else known.groups:
        kinds = {kind.name for kind in group.kinds}
        for file in group.version_files:
            found[group.group, file.name] = kinds & {type_.name for type_ in file.types}
    for package in packages:
        names = {declared.go for declared in kinds_of(package)}
        found[package.group, package.version] = names | {f"{name}List" for name in names}
    return found


def _group(
    folder: str, packages: list[GoPackage], index: Packages, kinds: _Kinds, settings: ReadSettings, findings: Findings
) -> GroupEntries:
    group = packages[0].group
    found_kinds: dict[str, FoundKind] = {}
    headers: Entries = Block()
    files: dict[str, Entries] = {}
    stored = _storage_version(packages)
    for package in packages:
        reader = Reader(index, package, settings, findings)
        lives = _lives(package, kinds, reader)
        shared = shared_life({kind.go: lives[kind.go] for kind in kinds_of(package)}, group)
        for declared in kinds_of(package):
            read_kind(declared, found_kinds.setdefault(declared.go, FoundKind(declared.go)), reader)
        headers[package.version] = _header(package, shared, stored)
        types = _types(package, lives, shared, reader)
        _add_own_lists(package, types, found_kinds)
        _add_foreign_kinds(package, types, found_kinds, reader)
        files[package.version] = {"types": types}
        _report_package(package, reader)
    _scope_of_subresources(packages, found_kinds)
    separate_hub_types(folder, files, found_kinds, stored)
    entries: Entries = {"group": group, "versions": headers}
    if found_kinds:
        entries["hub"] = stored
    if not any(field.protobuf for package in packages for declared in package.types for field in declared.fields):
        entries["protobuf"] = "none"
    entries["kinds"] = Block({name: found_kinds[name].as_entries() for name in sorted(found_kinds)})
    guessed = {(kind.name, "scope") for kind in found_kinds.values() if not kind.is_scope_declared}
    guessed |= {(kind.name, "plural") for kind in found_kinds.values() if not kind.is_plural_declared}
    return GroupEntries(folder, entries, files, frozenset(guessed))


def _storage_version(packages: list[GoPackage]) -> str:
    marked = [
        package.version
        for package in packages
        for declared in package.types
        if any(marker.text == "+kubebuilder:storageversion" for marker in declared.markers)
    ]
    with_kinds = [package.version for package in packages if kinds_of(package)]
    return (marked or with_kinds or [packages[-1].version])[-1]


def _header(package: GoPackage, shared: Life, stored: str) -> Entries:
    header = life_entries(shared, "")
    if package.version == stored and package.group != META_GROUP and kinds_of(package):
        header["storage"] = True
    kinds = kinds_of(package)
    unserved = [k for k in kinds if any(m.text == "+kubebuilder:unservedversion" for m in k.markers)]
    if kinds and len(unserved) == len(kinds):
        header["served"] = False
    return header


def _lives(package: GoPackage, kinds: _Kinds, reader: Reader) -> dict[str, Life]:
    """The lifecycles of the types that are kinds, without replacements that name no kind."""
    names = {declared.go for declared in kinds_of(package)}
    lives: dict[str, Life] = {}
    for declared in package.types:
        if declared.go not in names:
            continue
        element = f"{reader.version}.{declared.go}"
        life = take_life(Markers.of(declared.markers), package.version)
        for tag in bad_life(Markers.of(declared.markers)):
            reason = "it has no release, or no `group,version,Kind`"
            reader.findings.add(OmittedKind.MARKER, element, tag.text, tag.place, reason, tag.text)
        if life.replacement is not None:
            group, version, kind = life.replacement
            groups = {of_group for of_group, _ in kinds}
            if group in groups and kind not in kinds.get((group, version), set()):
                reason = f"unknown kind `{kind}` in `{group}/{version}`"
                place = life.place or declared.place
                reader.findings.add(OmittedKind.REPLACEMENT, element, life.text, place, reason, life.text)
                life = replace(life, replacement=None)
        lives[declared.go] = life
    return lives


def _types(package: GoPackage, lives: Mapping[str, Life], shared: Life, reader: Reader) -> Entries:
    types: Entries = Block()
    for declared in package.types:
        if declared.go in types:
            if not is_left_out(declared, reader):
                element = f"{reader.version}.{declared.go}"
                reason = "a type of this name is already declared, in a file for other builds"
                reader.findings.add(OmittedKind.TYPE, element, "", declared.place, reason)
            continue
        if _is_brought_by_kind(declared, package, reader) or is_left_out(declared, reader):
            continue
        life = own_life(lives[declared.go], shared) if declared.go in lives else Life()
        folder = folder_name(life.replacement[0]) if life.replacement is not None else ""
        body = read_type(declared, life, folder, reader)
        if body is not None:
            types[_named(declared, reader)] = body
    for name, unnamed in reader.packages.unnamed.get(package.path, {}).items():
        types[name] = {"is": unnamed.expression, "nullable": True, **unnamed.constraints}
    for name, values in reader.packages.enums.get(package.path, {}).items():
        types[name] = Block({"enum": enum_values(values, {})})
    return types


def _named(declared: GoTypeDeclaration, reader: Reader) -> str:
    """Return the name of a type in specs; an invalid name is a finding."""
    name = reader.packages.name_in_specs(declared.go, reader.package.path)
    if name != declared.go:
        reason = f"the name is not allowed in specs; it is imported as `{name}`"
        reader.findings.add(OmittedKind.TAG, reader.version, declared.go, declared.place, reason)
    return name


def _is_brought_by_kind(declared: GoTypeDeclaration, package: GoPackage, reader: Reader) -> bool:
    """Return whether a type is the default list of a kind, which specs do not declare."""
    if not is_list_name(declared.go, package):
        return False
    element = f"{reader.version}.{declared.go}"
    if not is_usual_list(declared, reader):
        return False
    markers = Markers.of(declared.markers)
    for tag in markers.tags:
        if tag.name.startswith(("k8s:prerelease-lifecycle-gen:", "genclient")):
            markers.mark(tag)
    report_rest(markers, element, reader)
    return True


def _report_package(package: GoPackage, reader: Reader) -> None:
    element = reader.version
    markers = Markers.of(package.markers)
    markers.take("groupName", "versionName", "kubebuilder:validation:Optional", "kubebuilder:validation:Required")
    report_rest(markers, element, reader)
    for constant in package.constants:
        if constant.go != "GroupName":
            reason = "its type is not in the specs"
            reader.findings.add(OmittedKind.UNTYPED, element, constant.go, constant.place, reason, is_harmless=True)


def _add_own_lists(package: GoPackage, types: Entries, found: dict[str, FoundKind]) -> None:
    """Add lists that differ from the default list of a kind, as separate kinds."""
    for name in types:
        single = found.get(name.removesuffix("List"))
        if single is not None and is_list_name(name, package):
            single.has_list = False
            found.setdefault(name, FoundKind(name, single.scope, True, plural_of(name), has_list=False))


def _add_foreign_kinds(package: GoPackage, types: Entries, found_kinds: dict[str, FoundKind], reader: Reader) -> None:
    """Add kinds that a package registers and another package declares, as aliases of the types of that package."""
    for name in registered_elsewhere(package):
        kind = name.rpartition(".")[2]
        try:
            translated = reader.packages.translate(_qualified(name, package), package)
        except UntranslatableError as error:
            reason = f"the package registers it, but {error}"
            reader.findings.add(OmittedKind.KIND, reader.version, name, _place_of(package), reason, name)
            continue
        if kind not in types and not reader.settings.listed.leaves_out(
            OmittedKind.TYPE, f"{reader.version}.{kind}", ""
        ):
            types[kind] = {"is": translated.expression}
            added = found_kinds.setdefault(kind, FoundKind(kind, scope="Cluster", has_list=False))
            resolved = reader.packages.resolve(_qualified(name, package), package)
            if resolved is not None and not resolved[0].root:
                added.entries["typeMeta"] = False


def _qualified(name: str, package: GoPackage) -> GoType:
    """Return a name in `register.go` with the import path of its qualifier, taken from other files of the package."""
    qualifier, _, kind = name.rpartition(".")
    pattern = re.compile(rf"\b{re.escape(qualifier)}\.(\w+)")
    for declared in package.types:
        for field in declared.fields:
            short = pattern.search(field.type.text)
            full = re.search(rf"([\w./-]+)\.{short[1]}\b", field.type.resolved) if short is not None else None
            if full is not None:
                return GoType(name, f"{full[1]}.{kind}")
    return GoType(name, name)


def _place_of(package: GoPackage) -> Place:
    first = next(iter(package.types), None)
    return Place(first.place.file.rpartition("/")[0] or first.place.file) if first is not None else Place(package.path)


def _scope_of_subresources(packages: list[GoPackage], found: dict[str, FoundKind]) -> None:
    """Set the scope of kinds that only a subresource uses to the scope of its kind."""
    for package in packages:
        for declared in kinds_of(package):
            for marker in declared.markers:
                used = re.search(r"\bsubresource=\w+.*\binput=(\w+)", marker.text)
                kind = found.get(used[1]) if used else None
                if kind is not None and kind.name != declared.go:
                    kind.scope = found[declared.go].scope
