"""Groups and their versions: names, files, the storage version, the hub."""

from __future__ import annotations

from collections.abc import Iterator

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
from apigen.ir.kinds import plural_of
from apigen.ir.lifecycle import LifecycleReader, check_order
from apigen.ir.model import Group, Kind, Version
from apigen.ir.run import Run
from apigen.ir.types import TypeId
from apigen.language.broken import Broken, version_name
from apigen.language.habits import habitual_version
from apigen.language.model import ApiSpec, GroupSpec, KindSpec, VersionFile, VersionHeader

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
    for header in storage[1:]:
        run.error(
            "AG0324",
            header.place,
            f"`{storage[0].name}` and `{header.name}` both declare `storage: true`, but a group has only one storage version",
            hint="remove `storage: true` from one of them",
            related=[Related(storage[0].place, f"`{storage[0].name}` declares it first")],
        )
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
    for header in preferred[1:]:
        run.error(
            "AG0324",
            header.place,
            f"`{preferred[0].name}` and `{header.name}` both declare `preferred: true`, but a group has only one preferred version",
            hint="remove `preferred: true` from one of them",
            related=[Related(preferred[0].place, f"`{preferred[0].name}` declares it first")],
        )
    for header in preferred:
        if not header.served:
            message = f"`{header.name}` is not served, so it cannot be preferred"
            run.error("AG0324", header.place, message, hint="declare `preferred: true` on a served version")


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
