"""Groups, their versions with lifecycles and files, their kinds with default lists, the storage version, and the hub. Second
hubs are types of other groups' hubs that a type is seen as too (`alsoHub:`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

from apigen.dataclass import dataclass, replace
from apigen.diagnostics import Place, Related
from apigen.diagnostics.quoting import listing, quote
from apigen.ir.api_names import (
    NameProblem,
    definition_problem,
    group_problem,
    kind_problem,
    list_kind_problem,
    resource_problem,
    version_problem,
)
from apigen.ir.model import Field, Group, HubRef, Kind, Lifecycle, Replacement, SecondHub, TypeId, Version, struct_in
from apigen.ir.names import HUB_VERSION, snake_case
from apigen.ir.run import Run
from apigen.language.habits import habitual_version
from apigen.language.model import (
    NO_LIFECYCLE,
    ApiSpec,
    Broken,
    FieldSpec,
    GroupSpec,
    KindSpec,
    LifecycleSpec,
    ListExpr,
    Located,
    NamedExpr,
    SecondHubSpec,
    TypeForm,
    TypeSpec,
    VersionFile,
    VersionHeader,
    version_name,
)

_VERSION_OF_GROUP = re.compile(r"v[0-9][a-z0-9]*")
_FULL = re.compile(r"(?:(?P<group>[^/]+)/)?(?P<version>v[0-9][a-z0-9]*)\.(?P<kind>[A-Z][A-Za-z0-9]*)")


@dataclass(frozen=True, slots=True)
class Replacements:
    """The versions and kinds of all groups, for checks of replacements.

    A group outside of the specs may be named, too (it is of another project), unless it is similar to a known one.
    """

    folders: Mapping[str, str]
    kinds: Mapping[tuple[str, str], frozenset[str]]

    @classmethod
    def of(cls, spec: ApiSpec) -> Replacements:
        """Return the versions and kinds of the specs; `folders` by name on the wire and by folder."""
        folders = {group.folder: group.folder for group in spec.groups}
        folders |= {group.group: group.folder for group in spec.groups if group.group}
        kinds: dict[tuple[str, str], frozenset[str]] = {}
        for group in spec.groups:
            named = {kind.name for kind in group.kinds} | {f"{kind.name}List" for kind in group.kinds if kind.list}
            types = {file.name: [type_.name for type_ in file.types] for file in group.version_files}
            for header in group.versions:
                # A version without file is an error of its own: every kind may be in it.
                kinds[group.folder, header.name] = frozenset(named.intersection(types.get(header.name, named)))
        return cls(folders, kinds)


def lifecycle_of(spec: LifecycleSpec, replacement: Replacement | None) -> Lifecycle:
    """Return a lifecycle with the releases of a declaration."""
    declared = (spec.introduced, spec.deprecated, spec.removed, spec.returned)
    introduced, deprecated, removed, returned = (each.value if each else None for each in declared)
    return Lifecycle(introduced, deprecated, removed, replacement, returned)


@dataclass(frozen=True, slots=True)
class LifecycleReader:
    """Reads the lifecycles of a group."""

    folder: str
    wire_names: Mapping[str, str]
    known: Replacements
    run: Run

    def read(self, spec: LifecycleSpec, kind: str = "") -> Lifecycle:
        """A lifecycle with its replacement bound; wrong parts are reported and omitted."""
        replacement = self._replacement(spec.replacement, kind) if spec.replacement else None
        return lifecycle_of(spec, replacement)

    def of_version(self, text: Located[str] | None, kind: str) -> Replacement | None:
        """Return the replacement of one kind by a version's replacement; None if that version does not have the kind."""
        if text is None or (self.folder, text.value) not in self.known.kinds:
            return None
        if kind not in self.known.kinds[self.folder, text.value]:
            return None
        return Replacement(self.wire_names.get(self.folder, self.folder), text.value, kind)

    def _replacement(self, text: Located[str], kind: str) -> Replacement | None:
        if _VERSION_OF_GROUP.fullmatch(text.value):
            return self._of_group(text, self.folder, text.value, kind)
        match = _FULL.fullmatch(text.value)
        if match is None:
            self.run.error(
                "AG0542",
                text.place,
                f"{quote(text.value)} is not a valid replacement",
                hint="write a version of this group (`v1`) or a kind (`apps/v1.Deployment`)",
            )
            return None
        group = match["group"] or self.folder
        folder = self.known.folders.get(group)
        if folder is not None:
            return self._of_group(text, folder, match["version"], match["kind"])
        hint = self.run.did_you_mean(group, self.known.folders)
        if hint is not None:
            self.run.error("AG0542", text.place, f"unknown group {quote(group)}", hint=hint)
            return None
        return Replacement(group, match["version"], match["kind"])

    def _of_group(self, text: Located[str], folder: str, version: str, kind: str) -> Replacement | None:
        kinds = self.known.kinds.get((folder, version))
        broken = self.run.broken
        if kinds is None:
            if not broken.version(folder, version):
                versions = [v for f, v in self.known.kinds if f == folder]
                hint = self.run.did_you_mean(version, versions)
                if hint is None and versions:
                    hint = f"write {listing(tuple(versions))}"
                message = f"group {quote(folder)} has no version {quote(version)}"
                self.run.error("AG0542", text.place, message, hint=hint)
            return None
        if kind and kind not in kinds:
            if not broken.kind(folder, kind) and not broken.type(folder, version, kind):
                hint = (
                    self.run.did_you_mean(kind, sorted(kinds))
                    or f"write one of its kinds: {listing(tuple(sorted(kinds)))}"
                )
                self.run.error("AG0542", text.place, f"`{folder}/{version}` has no kind {quote(kind)}", hint=hint)
            return None
        return Replacement(self.wire_names.get(folder, folder), version, kind)


def lifecycle_readers(spec: ApiSpec, run: Run) -> Mapping[str, LifecycleReader]:
    """A reader for each group, by folder."""
    wire_names = {group.folder: group.group for group in spec.groups}
    known = Replacements.of(spec)
    return {group.folder: LifecycleReader(group.folder, wire_names, known, run) for group in spec.groups}


def check_order(spec: LifecycleSpec, run: Run) -> None:
    """Check the order: introduced, then deprecated, then removed in a later release than the one that introduces it.

    For a restored element, the order starts with `returned`; only the first introduction is earlier.
    """
    steps = (
        ("introduced", spec.introduced),
        ("returned", spec.returned),
        ("deprecated", spec.deprecated),
        ("removed", spec.removed),
    )
    written = [(word, release.value, release.place) for word, release in steps if release is not None]
    for (before, earlier, _), (after, later, place) in pairwise(written):
        is_at_once = before in ("introduced", "returned") and after in ("removed", "returned") and earlier == later
        if later < earlier or is_at_once:
            hint = f"declare a release {'after' if is_at_once else 'not before'} {earlier}"
            run.error("AG0541", place, f"{after} in {later}, but {before} in {earlier}", hint=hint)


META_FOLDER, META_VERSION, LIST_META = "meta", "v1", "ListMeta"
NAMESPACED = "Namespaced"
_HUB_REF = re.compile(rf"(?:(?P<group>[^/]+)/{HUB_VERSION}\.)?(?P<name>[A-Za-z_][A-Za-z0-9_]*)")


def with_lists(spec: ApiSpec, run: Run) -> ApiSpec:
    """The spec with `<Kind>List` in every version that has the kind, unless it is declined or spelled out."""
    meta = next((group for group in spec.groups if group.folder == META_FOLDER), None)
    has_meta = meta is not None and any(
        file.name == META_VERSION and any(type_.name == LIST_META for type_ in file.types)
        for file in meta.version_files
    )
    return replace(spec, groups=tuple(_group_with_lists(group, has_meta, run) for group in spec.groups))


def lists_of(group: GroupSpec) -> Mapping[str, str]:
    """The kinds of a group by the name of their list."""
    return {f"{kind.name}List": kind.name for kind in group.kinds if kind.list}


def kinds_with_type_meta(group: GroupSpec) -> frozenset[str]:
    """The names of the types of a group that say `kind` and `apiVersion`: kinds and their lists."""
    return frozenset({kind.name for kind in group.kinds if kind.type_meta}.union(lists_of(group)))


def _group_with_lists(group: GroupSpec, has_meta: bool, run: Run) -> GroupSpec:
    files = []
    for file in group.version_files:
        missing = tuple(_missing_lists(group, file))
        if missing and not has_meta:
            if not run.broken.type(META_FOLDER, META_VERSION, LIST_META):
                _report_missing_meta(group, missing[0], run)
            missing = ()
        files.append(replace(file, types=(*_with_lifecycles(group, file), *missing)))
    return replace(group, version_files=tuple(files))


def _missing_lists(group: GroupSpec, file: VersionFile) -> Iterator[TypeSpec]:
    types = {type_.name: type_ for type_ in file.types}
    for kind in group.kinds:
        root = types.get(kind.name)
        if kind.list and root is not None and root.form is TypeForm.STRUCT and f"{kind.name}List" not in types:
            yield _list_spec(root)


def _with_lifecycles(group: GroupSpec, file: VersionFile) -> Iterator[TypeSpec]:
    """Return the types of a version; lists without a lifecycle have that of their kinds."""
    types, kind_of = {type_.name: type_ for type_ in file.types}, lists_of(group)
    for type_ in file.types:
        root = types.get(kind_of.get(type_.name, ""))
        if root is not None and type_.lifecycle == NO_LIFECYCLE != root.lifecycle:
            yield replace(type_, lifecycle=root.lifecycle)
        else:
            yield type_


def _list_spec(root: TypeSpec) -> TypeSpec:
    """Return the spec of a list type as if it were written out."""
    place = root.place
    metadata = FieldSpec(
        name="metadata",
        place=place,
        type=NamedExpr(LIST_META, META_FOLDER, META_VERSION, place),
        doc=Located("Metadata of the list.", place),
        required=Located(False, place),
        protobuf=Located(1, place),
    )
    items = FieldSpec(
        name="items",
        place=place,
        type=ListExpr(NamedExpr(root.name, None, None, place), place),
        doc=Located("The items of the list.", place),
        nullable=True,
        protobuf=Located(2, place),
    )
    doc = Located(f"A list of {root.name}.", place)
    name = f"{root.name}List"
    return TypeSpec(name, place, TypeForm.STRUCT, doc=doc, fields=(metadata, items), lifecycle=root.lifecycle)


def _report_missing_meta(group: GroupSpec, list_: TypeSpec, run: Run) -> None:
    kind = next(k for k in group.kinds if f"{k.name}List" == list_.name)
    run.error(
        "AG0328",
        kind.place,
        f"the list kind `{list_.name}` of `{kind.name}` needs `{META_FOLDER}/{META_VERSION}.{LIST_META}`,"
        " which the specs do not declare",
        hint=f"add the group `{META_FOLDER}` to the specs, or declare `list: false`",
    )


def resolve_kinds(group: GroupSpec, spec: ApiSpec, run: Run) -> tuple[Kind, ...]:
    """The kinds of a group, each checked for a type and a plural of its own."""
    kinds = tuple(_kind(kind, group, spec, run) for kind in group.kinds)
    types = _types_by_name(group)
    by_plural: dict[str, Kind] = {}
    for kind, kind_spec in zip(kinds, group.kinds, strict=True):
        _check_type(group, kind, types, run)
        _check_operations(kind_spec, run)
        first = by_plural.setdefault(kind.plural, kind)
        if first is not kind:
            run.error(
                "AG0329",
                kind_spec.plural.place if kind_spec.plural else kind.place,
                f"`{first.name}` and `{kind.name}` have the same plural, {quote(kind.plural)}",
                related=[Related(first.place, f"`{first.name}` declares it first")],
            )
    return kinds


def operations_of(groups: Iterable[Group]) -> frozenset[str]:
    """All operations that some kind has."""
    return frozenset(name for group in groups for kind in group.kinds for name in _operations(kind.subresources))


def _operations(subresources: tuple[str, ...]) -> tuple[str, ...]:
    return ("create", "update", *subresources)


def _kind(spec: KindSpec, group: GroupSpec, api: ApiSpec, run: Run) -> Kind:
    if spec.preserve is not None and spec.hub is None and group.hub is None:
        latest = group.versions[-1].name if group.versions else "VERSION"
        run.error(
            "AG0327",
            spec.preserve.annotation.place,
            f"`preserve` of `{spec.name}` needs a hub, and group {quote(group.folder)} has no hub",
            hint=f"add `hub: {latest}` to group.yaml, or remove `preserve`",
        )
    return Kind(
        name=spec.name,
        plural=spec.plural.value if spec.plural else plural_of(spec.name.lower()),
        singular=spec.singular.value if spec.singular else spec.name.lower(),
        place=spec.place,
        namespaced=spec.scope is None or spec.scope.value == NAMESPACED,
        short_names=tuple(name.value for name in spec.short_names),
        categories=tuple(category.value for category in spec.categories),
        subresources=tuple(name.value for name in spec.subresources),
        scale=spec.scale,
        has_list=spec.list,
        hub=_hub_ref(spec.hub, group, api, run) if spec.hub else None,
        selectable_fields=tuple((label.value, path) for label, path in spec.selectable_fields),
        printer_columns=spec.printer_columns,
        strategy=spec.strategy,
        type_meta=spec.type_meta,
        preserve=spec.preserve,
    )


def plural_of(singular: str) -> str:
    """Return the plural that Kubernetes derives; `plural:` overrides it."""
    if singular.endswith("s"):
        return f"{singular}es"
    return f"{singular[:-1]}ies" if singular.endswith("y") else f"{singular}s"


def _hub_ref(text: Located[str], own: GroupSpec, api: ApiSpec, run: Run) -> HubRef | None:
    """The hub type that a kind names; one of another group must come from somewhere in that group."""
    match = _HUB_REF.fullmatch(text.value)
    if match is None:
        run.error(
            "AG0327",
            text.place,
            f"{quote(text.value)} is not a type of a hub",
            hint="write the group, `hub` and the type: `networking.k8s.io/hub.Ingress`",
        )
        return None
    folder: str = match["group"] or own.folder
    name: str = match["name"]
    group = next((g for g in api.groups if g.folder == folder), None)
    if group is None:
        if not run.broken.group(folder):
            hint = run.did_you_mean(folder, [g.folder for g in api.groups])
            run.error("AG0327", text.place, f"unknown group {quote(folder)}", hint=hint)
        return None
    is_of_own_hub = group is own and group.hub is not None
    return HubRef(group.folder, name) if is_of_own_hub or check_hub_type(text, name, group, run) else None


def check_hub_type(text: Located[str], name: str, group: GroupSpec, run: Run) -> bool:
    """Return whether the hub of a group may have the type that a text names; report it if not (AG0327)."""
    names = hub_type_names(group)
    if group.hub is None:
        if not run.broken.group(group.folder):
            run.error("AG0327", text.place, f"group {quote(group.folder)} has no hub")
        return False
    if name in names or may_have_type(group, name, run):
        return True
    hint = run.did_you_mean(name, sorted(names))
    run.error("AG0327", text.place, f"the hub of {quote(group.folder)} has no type {quote(name)}", hint=hint)
    return False


def hub_type_names(group: GroupSpec) -> frozenset[str]:
    """Return the names of the hub types: those in the versions, or as `hub:` declares them."""
    files = (*group.version_files, *filter(None, [group.hub_file]))
    return frozenset(type_.hub.value if type_.hub else type_.name for file in files for type_ in file.types)


def _types_by_name(group: GroupSpec) -> Mapping[str, list[TypeSpec]]:
    """The types of all versions of a group."""
    types: dict[str, list[TypeSpec]] = {}
    for file in group.version_files:
        for type_ in file.types:
            types.setdefault(type_.name, []).append(type_)
    return types


def _check_type(group: GroupSpec, kind: Kind, types: Mapping[str, list[TypeSpec]], run: Run) -> None:
    named = types.get(kind.name, [])
    if not named and not may_have_type(group, kind.name, run):
        run.error(
            "AG0326",
            kind.place,
            f"kind `{kind.name}` has no type in any version",
            hint=run.did_you_mean(kind.name, types),
        )
    for type_ in named:
        if type_.form is not TypeForm.STRUCT:
            run.error(
                "AG0326",
                type_.place,
                f"`{kind.name}` is a kind, but its type is not a struct with `fields`",
                related=[Related(kind.place, "the kind is declared here")],
            )


def may_have_type(group: GroupSpec, name: str, run: Run) -> bool:
    """Return whether the types of a version, or one type, could not be read, or the version has no file."""
    versions = [header.name for header in group.versions]
    if len(group.version_files) < len(versions):
        return True
    return run.broken.group(group.folder) or any(
        run.broken.type(group.folder, version, name) for version in (*versions, HUB_VERSION)
    )


def _check_operations(kind: KindSpec, run: Run) -> None:
    known = _operations(tuple(name.value for name in kind.subresources))
    written = [(name, operation.place) for name, operation in kind.strategy.operations]
    for name, place in [*written, *((hook.value, hook.place) for hook in kind.strategy.hooks)]:
        if name not in known:
            run.error(
                "AG0331",
                place,
                f"`{kind.name}` has no operation {quote(name)}",
                hint=run.did_you_mean(name, known) or f"it has {listing(known)}; `subresources:` adds others",
            )


def second_hub(spec: SecondHubSpec, id_: TypeId) -> SecondHub:
    """Return the second hub that `alsoHub:` declares for a struct."""
    hub = _hub_id(spec.hub)
    view = id_._replace(seen_as=str(hub))
    return SecondHub(hub, view, _view_name(id_, hub), spec.hub.place, spec.lenses, spec.hub_only)


def _view_name(id_: TypeId, hub: TypeId) -> str:
    """The part of the names of functions for a type seen as a hub type; the group of the hub only if it is another one."""
    group = re.sub(r"[^0-9A-Za-z]", "_", hub.group).lower()
    return f"{snake_case(id_.name)}_as_{'' if hub.group == id_.group else f'{group}_'}{snake_case(hub.name)}"


def chosen_hub(field: Field, group: str) -> tuple[TypeId, str] | None:
    """Return the hub type that `hubType:` selects for the struct in the type of a field, and its part of function
    names.

    None if the field, which belongs to a type of `group`, has no `hubType:` or no struct.
    """
    base = struct_in(field.type)
    if base is None or field.hub_type is None:
        return None
    text = field.hub_type.value
    hub = _hub_id(field.hub_type) if "/" in text else TypeId(group, HUB_VERSION, text)
    return base._replace(seen_as=str(hub)), _view_name(base, hub)


def check_second_hubs(spec: ApiSpec, run: Run) -> None:
    """Report names in `alsoHub:` and `hubType:` that are not types of the named hub (AG0327).

    A group of `alsoHub:` that is not among the specs is ignored: an output may contain a group without the groups of its
    second hubs.
    """
    groups = {group.folder: group for group in spec.groups}
    for group in spec.groups:
        for file in group.version_files:
            for type_ in file.types:
                for second in type_.also_hub:
                    _check_second(second.hub, group, groups.get(_hub_id(second.hub).group), run)
                for field in type_.fields:
                    if field.hub_type is not None:
                        _check_chosen(field.hub_type, group, groups, run)


def _check_second(text: Located[str], own: GroupSpec, group: GroupSpec | None, run: Run) -> None:
    if group is own:
        message = f"{quote(text.value)} belongs to the type's own hub"
        run.error("AG0327", text.place, message, hint="use `hub:` for the name of the type in its own hub")
    elif group is not None:
        check_hub_type(text, _hub_id(text).name, group, run)


def _check_chosen(text: Located[str], own: GroupSpec, groups: Mapping[str, GroupSpec], run: Run) -> None:
    if "/" not in text.value:
        check_hub_type(text, text.value, own, run)
    elif (group := groups.get(_hub_id(text).group)) is not None:
        check_hub_type(text, _hub_id(text).name, group, run)
    else:
        hint = run.did_you_mean(_hub_id(text).group, sorted(groups)) or "name a type of a hub among these specs"
        run.error("AG0327", text.place, f"there is no group {quote(_hub_id(text).group)}", hint=hint)


def _hub_id(text: Located[str]) -> TypeId:
    folder, _, name = text.value.partition(f"/{HUB_VERSION}.")
    return TypeId(folder, HUB_VERSION, name)


_MOST_SUGGESTIONS = 100
"""Maximum number of misnamed versions of a group whose fixes avoid the names in use, so that a hostile file takes no time."""


def check_groups(spec: ApiSpec, run: Run) -> None:
    """No two groups of one name, each with well-named versions that have their files, and with a storage version."""
    by_name: dict[str, GroupSpec] = {}
    for group in spec.groups:
        first = by_name.setdefault(group.group, group)
        if first is not group:
            run.error(
                "AG0320",
                group.place,
                f"the group {quote(group.group)} is declared twice",
                related=[Related(first.place, f"the folder `{first.folder}` also declares it")],
            )
        for place, problem in _name_problems(group):
            run.error("AG0321", place, problem.message, hint=problem.fix)
        meant = {version_name(group.folder, name) for _, _, name in _misnamed_versions(group) if name is not None}
        if meant:  # the version exists, with another name
            run.broken = Broken(run.broken.names | meant)
        _check_versions(group, run)
        _check_hub(group, run)
        _check_storage(group, run)
        _check_preferred(group, run)
        _check_tombstones(group, run)


def resolve_group(spec: GroupSpec, kinds: tuple[Kind, ...], lifecycles: LifecycleReader, series: str) -> Group:
    """The group with its versions, in written order; `series` is its release series, empty for the project's own."""
    files = {file.name: file for file in spec.version_files}
    versions = (_version(spec, header, files.get(header.name), lifecycles) for header in spec.versions)
    return Group(
        folder=spec.folder,
        name=spec.group,
        place=spec.place,
        versions=tuple(versions),
        hub=spec.hub.value if spec.hub else None,
        kinds=kinds,
        hub_overrides=spec.hub_file.types if spec.hub_file else (),
        removed_versions=spec.removed_versions,
        removed_kinds=spec.removed_kinds,
        series=series,
        has_protobuf=spec.has_protobuf,
    )


def _version(group: GroupSpec, header: VersionHeader, file: VersionFile | None, lifecycles: LifecycleReader) -> Version:
    lifecycle = lifecycles.read(header.lifecycle)
    check_order(header.lifecycle, lifecycles.run)
    types = file.types if file else ()
    return Version(
        group=group.folder,
        name=header.name,
        place=header.place,
        lifecycle=lifecycle,
        storage=header.storage,
        served=header.served,
        types=tuple(TypeId(group.folder, header.name, type_.name) for type_ in types),
        defaulted=header.defaulted,
        preferred=header.preferred,
    )


def _name_problems(group: GroupSpec) -> Iterator[tuple[Place, NameProblem]]:
    """The invalid names that a group.yaml declares, with their places."""
    checked = [(group.group_place, group_problem(group.group))]
    checked += [(version.place, problem) for version, problem, _ in _misnamed_versions(group)]
    # Removed versions may have names that specs cannot give to new ones (`v0`), but no others than CRDs have.
    checked += [(version.place, resource_problem("version", version.name, "v1")) for version in group.removed_versions]
    checked += [(kind.place, kind_problem(kind.name)) for kind in group.kinds]
    checked += [(kind.place, kind_problem(kind.name)) for kind in group.removed_kinds]
    for kind in group.kinds:
        if kind.list and kind_problem(kind.name) is None:
            checked.append((kind.place, list_kind_problem(kind.name)))
        checked += [(place, problem) for place, problem in _resource_problems(group, kind)]
    return ((place, problem) for place, problem in checked if problem is not None)


def _misnamed_versions(group: GroupSpec) -> Iterator[tuple[VersionHeader, NameProblem | None, str | None]]:
    """Yield the versions with an invalid name, its problem, and the version that was meant; None if that is not known."""
    misnamed = [version for version in group.versions if version_problem(version.name) is not None]
    files = {file.name for file in group.version_files}
    taken: set[str] = set()
    if len(misnamed) <= _MOST_SUGGESTIONS:
        taken.update(version.name for version in group.versions)
        taken.update(version.name for version in group.removed_versions)
    for version in misnamed:
        problem = version_problem(version.name, taken)
        meant = habitual_version(version.name, taken)
        if problem is not None and meant is not None:
            fix = f"write `{meant}`"
            if group.hub is not None and group.hub.value == version.name:
                fix += " here and in `hub:`"
            if version.name in files:
                fix += f", and rename `{version.name}.yaml` to `{meant}.yaml`"
            problem = problem._replace(fix=fix)
            if taken:
                taken.add(meant)
        yield version, problem, meant


def _resource_problems(group: GroupSpec, kind: KindSpec) -> Iterator[tuple[Place, NameProblem | None]]:
    """Yield the problems of the names of a kind in URLs and on command lines, None for valid names."""
    resource = plural_of(kind.name.lower())
    if kind.plural is None:
        plural = resource
    else:
        plural = kind.plural.value
        yield kind.plural.place, resource_problem("plural", plural, resource)
    if kind.singular is not None:
        yield kind.singular.place, resource_problem("singular", kind.singular.value, kind.name.lower())
    for name in kind.short_names:
        yield name.place, resource_problem("short name", name.value, kind.name[:2].lower())
    for category in kind.categories:
        yield category.place, resource_problem("category", category.value, "all")
    for subresource in kind.subresources:
        yield subresource.place, resource_problem("subresource", subresource.value, "status")
    if group_problem(group.group) is None and resource_problem("plural", plural, resource) is None:
        yield kind.plural.place if kind.plural else kind.place, definition_problem(plural, group.group)


def _check_versions(group: GroupSpec, run: Run) -> None:
    files = {file.name: file for file in group.version_files}
    for header in group.versions:
        if version_problem(header.name) is not None:
            continue
        if header.name not in files and not run.broken.file(group.folder, header.name):
            run.error(
                "AG0322",
                header.place,
                f"version `{header.name}` has no file",
                hint=f"add `{header.name}.yaml` next to group.yaml, with `types:`",
            )


def _check_hub(group: GroupSpec, run: Run) -> None:
    names = [header.name for header in group.versions]
    if run.broken.group(group.folder):
        return
    if group.hub is None:
        if group.hub_file is not None:
            message = "the group has no hub"
            run.error(
                "AG0325",
                group.hub_file.place,
                message,
                hint="declare in group.yaml which version the hub follows: `hub: v1`",
            )
        return
    if not names and run.broken.header(group.folder):
        return
    if group.hub.value not in names and not run.broken.version(group.folder, group.hub.value):
        message = f"`hub:` names the unknown version {quote(group.hub.value)}"
        hint = run.did_you_mean(group.hub.value, names) or (f"write {listing(tuple(names))}" if names else None)
        run.error("AG0325", group.hub.place, message, hint=hint)


def _check_storage(group: GroupSpec, run: Run) -> None:
    storage = [header for header in group.versions if header.storage]
    _check_is_one("storage", storage, run)
    is_unknown = _has_unread_version(group, run) or run.broken.header(group.folder)
    if group.hub is None or not group.versions or storage or is_unknown:
        return
    run.error(
        "AG0324",
        group.hub.place,
        "a group with a hub needs a storage version, but no version declares `storage: true`",
        hint=f"declare it on {listing(tuple(header.name for header in group.versions))}" if group.versions else None,
    )


def _check_preferred(group: GroupSpec, run: Run) -> None:
    preferred = [header for header in group.versions if header.preferred]
    _check_is_one("preferred", preferred, run)
    for header in preferred:
        if not header.served:
            message = f"`{header.name}` is not served, so it cannot be preferred"
            run.error("AG0324", header.place, message, hint="declare `preferred: true` on a served version")


def _check_is_one(word: str, headers: list[VersionHeader], run: Run) -> None:
    """Report the versions that declare the same as the first one, if only one version of a group can."""
    for header in headers[1:]:
        first = headers[0]
        run.error(
            "AG0324",
            header.place,
            f"`{first.name}` and `{header.name}` both declare `{word}: true`, but a group has only one {word} version",
            hint=f"remove `{word}: true` from one of them",
            related=[Related(first.place, f"`{first.name}` declares it first")],
        )


def _check_tombstones(group: GroupSpec, run: Run) -> None:
    """Report versions and kinds whose name has a tombstone."""
    versions = ((header.name, header.place) for header in group.versions)
    kinds = ((kind.name, kind.place) for kind in group.kinds)
    for element, living, removed in (
        ("version", versions, group.removed_versions),
        ("kind", kinds, group.removed_kinds),
    ):
        tombstones = {tombstone.name: tombstone for tombstone in removed}
        for name, place in living:
            if name in tombstones:
                run.error(
                    "AG0406",
                    place,
                    f"{element} `{name}` has a tombstone in this group, so its name must not be reused",
                    hint="choose another name",
                    related=[Related(tombstones[name].place, f"the tombstone of `{name}`")],
                )


def _has_unread_version(group: GroupSpec, run: Run) -> bool:
    """Return whether a version could not be read, which may be the one to store."""
    unread = version_name(group.folder, "")[:-1]
    return run.broken.group(group.folder) or any(name[: len(unread)] == unread for name in run.broken.names)
