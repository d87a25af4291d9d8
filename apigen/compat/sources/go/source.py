"""Go packages: imported to specs in a temporary folder, and read from there."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

from apigen.compat.sources.source import Setting, Source
from apigen.compat.surface.surface import Surface, Unread
from apigen.dataclass import replace
from apigen.diagnostics import Place, Report
from apigen.diagnostics.quoting import quote

MOST_FOLDERS = 10_000
"""Folders that are looked into for a Go file."""

_OF_KUBERNETES = re.compile(r"k8s\.io/[\w.-]+@v0\.(\d+)\.\d+")
_SPECS = "specs"


class GoPackages(Source):
    """A folder of Go packages, as Kubernetes writes them: a module, or below one."""

    form = "go"
    title = "a folder of Go packages"

    def recognises(self, said: str, setting: Setting) -> bool:
        """A folder with a Go file somewhere in it."""
        folder = setting.folder / said
        return folder.is_dir() and _has_go(folder)

    def load(self, said: str, setting: Setting, report: Report) -> Surface | None:
        """Import it. Errors: AG1407 there is no Go file, and those of imports. What is not imported is in `unread`."""
        folder = setting.folder / said
        if not folder.is_dir() or not _has_go(folder):
            report.error("AG1407", Place(said), f"{quote(said)} holds no Go packages")
            return None
        import tempfile

        with tempfile.TemporaryDirectory() as temporary:
            return _imported(folder, said, Path(os.path.realpath(temporary)), report)


def _imported(folder: Path, said: str, temporary: Path, report: Report) -> Surface | None:
    from apigen.compat.sources.api.reading import add_errors, read_specs
    from apigen.compat.sources.go.positions import Positions, at_sources
    from apigen.importers.go.importing import ImportedFile, Wanted, import_go
    from apigen.importers.go.read import read_packages
    from apigen.importers.go.roots import root_of, with_modules

    found = Report()
    root = root_of(folder, found, shown=said)
    packages = () if root is None else read_packages(with_modules([root]), found)
    specs = temporary / _SPECS
    match = _OF_KUBERNETES.search(folder.as_posix())
    release = None if match is None else (1, int(match[1]))
    imported = None
    if not found.has_errors:
        imported = import_go(Wanted(packages, specs, said, docs=True, release=release), found)
    if add_errors(found, report) or imported is None:
        return None
    files: Iterable[ImportedFile] = imported.files
    for file in files:
        file.path.parent.mkdir(parents=True, exist_ok=True)
        file.path.write_bytes(file.after)
    surface = read_specs(specs, temporary, said, GoPackages.form, report)
    if surface is None:
        return None
    unread = tuple(Unread(each.place, f"{each.element}: {each.name}: {each.reason}") for each in imported.findings)
    return replace(at_sources(_as_far_as_go_says(surface), Positions(packages)), unread=unread)


def _as_far_as_go_says(surface: Surface) -> Surface:
    """Without what the import fills in for want of words in Go: strategies, and whether objects say their version and kind."""
    groups = {
        name: replace(
            group, kinds={kind: replace(each, strategy=None, type_meta=None) for kind, each in group.kinds.items()}
        )
        for name, group in surface.groups.items()
    }
    return replace(surface, groups=groups)


def _has_go(folder: Path) -> bool:
    for count, (_, folders, files) in enumerate(os.walk(folder)):
        if any(name.endswith(".go") for name in files):
            return True
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        if count >= MOST_FOLDERS:
            return False
    return False
