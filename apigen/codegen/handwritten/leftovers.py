"""Find folders of hand-written functions whose group or version is no longer in the specs."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from pathlib import Path

from apigen.codegen.handwritten.find import FORMS
from apigen.diagnostics import Place, Related, Report
from apigen.ir.api_names import version_problem
from apigen.ir.model import Group
from apigen.ir.names import package_name
from apigen.language.load import catalog_folder

_MODULES = frozenset(f"{form.module}.py" for form in FORMS)


def check_leftovers(
    folder: Path, display_path: str, groups: Iterable[Group], own: Container[str], report: Report
) -> None:
    """Warn (AG0806) about each folder of hand-written functions that no version of the specs uses.

    `own` are the folders of the groups that the specs declare; the catalog's functions are not the project's.
    """
    packages = {package_name(group.folder): group for group in groups}
    catalog = {package_name(group.name) for group in _folders(catalog_folder())}
    for package in _folders(folder):
        group = packages.get(package.name)
        if (group is None and package.name in catalog) or (group is not None and group.folder not in own):
            continue
        versions = set() if group is None else {version.name for version in group.versions}
        for version in _folders(package):
            if version.name not in versions and version_problem(version.name) is None:
                _report(version, f"{display_path}/{package.name}/{version.name}", group, report)


def _report(version: Path, display_path: str, group: Group | None, report: Report) -> None:
    modules = sorted(_MODULES & {path.name for path in version.glob("*.py")})
    if not modules:
        return
    if group is None:
        missing, tombstone = f"the specs have no group with the package `{version.parent.name}`", None
    else:
        missing = f"`{group.name}` has no version `{version.name}`"
        tombstone = next((tombstone for tombstone in group.removed_versions if tombstone.name == version.name), None)
    report.warning(
        "AG0806",
        Place(f"{display_path}/{modules[0]}"),
        f"the hand-written functions in {display_path} are never called: {missing}",
        hint=f"remove the folder: git rm -r {display_path}",
        related=[Related(tombstone.place, f"`{tombstone.name}` was removed here")] if tombstone is not None else (),
    )


def _folders(folder: Path) -> Iterator[Path]:
    """The folders in a folder, by name, without hidden ones."""
    entries = sorted(folder.iterdir()) if folder.is_dir() else ()
    return (entry for entry in entries if entry.is_dir() and not entry.name.startswith((".", "__")))
