"""Kinds of a group, and their default lists."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from apigen.dataclass import replace
from apigen.diagnostics import Related
from apigen.diagnostics.quoting import listing, quote
from apigen.ir.model import Group, HubRef, Kind
from apigen.ir.reserved import HUB_VERSION
from apigen.ir.run import Run
from apigen.language.model import (
    NO_LIFECYCLE,
    ApiSpec,
    FieldSpec,
    GroupSpec,
    KindSpec,
    ListExpr,
    Located,
    NamedExpr,
    TypeForm,
    TypeSpec,
    VersionFile,
)

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
