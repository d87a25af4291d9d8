"""Spec folders."""

from __future__ import annotations

import os
from pathlib import Path

from apigen.diagnostics import Place, Report
from apigen.diagnostics.quoting import quote
from apigen.files.folder_contents import UnusualFileError, key_parts
from apigen.inputs.schemas.files import top_entries
from apigen.inputs.source import Rejection, Setting, Source, names_below
from apigen.ir.surface import Surface
from apigen.language.folders import FEATURES_FILE, GROUP_FILE, HUB_FILE, SUFFIX

_FILES = (GROUP_FILE, FEATURES_FILE, HUB_FILE)


class Specs(Source):
    """A folder of specs: groups, versions, gates."""

    form = "specs"
    title = "a folder of specs"

    def recognises(self, argument: str, setting: Setting) -> bool:
        """A folder with a group.yaml somewhere in it, or the spec folder of the project."""
        folder = folder_of(argument, setting)
        return folder.is_dir() and (folder == setting.specs or holds_specs(folder))

    def load(self, argument: str, setting: Setting, report: Report) -> Surface | None:
        """Read the folder. Errors: those of specs; AG1401 if it contains no group."""
        folder = folder_of(argument, setting)
        if not holds_specs(folder):
            message = f"{quote(argument)} contains no specs: it has no {GROUP_FILE}"
            report.error("AG1401", Place(argument), message, hint="pass the folder that contains the groups of the API")
            return None
        if (folder / GROUP_FILE).is_file():
            message = f"{quote(argument)} is the folder of a group; specs are compared as a whole folder"
            hint = f"pass the folder that contains the groups: {_above(argument, 1)}"
            report.error("AG1400", Place(argument), message, hint=hint)
            return None
        from apigen.review.sources.api.reading import read_specs  # a cached surface needs none of the later stages

        release = setting.release if folder == setting.specs else None
        return read_specs(folder, setting.folder, argument, self.form, report, release)

    def content(self, argument: str, setting: Setting) -> tuple[str | bytes, ...] | None:
        """Return all files of the folder. The built-in APIs are part of apigen, and not included."""
        folder = folder_of(argument, setting)
        release = setting.release if folder == setting.specs else None
        try:
            return argument, str(release), *key_parts(folder)
        except UnusualFileError:
            return None

    def rejection(self, argument: str, setting: Setting) -> Rejection | None:
        """Return the `Rejection` of a file of a folder of specs, recognized by its name, its neighbors, or its types."""
        path = folder_of(argument, setting)
        if not path.is_file() or path.suffix != SUFFIX:
            return None
        is_one = path.name in _FILES or (path.parent / GROUP_FILE).is_file() or "types" in top_entries(path)
        if not is_one:
            return None
        hint = f"pass the folder that contains the groups: {_above(argument, 1 if path.name == FEATURES_FILE else 2)}"
        return Rejection("a single spec file; specs are compared as a whole folder", hint)


def _above(argument: str, up: int) -> str:
    """Return the argument for a folder that many levels above."""
    revision, colon, inside = argument.rpartition(":")
    folder = os.path.normpath(inside + "/.." * up)  # `HEAD:` is the root of a revision
    return f"{revision}{colon}{'' if colon and folder in ('.', '..') else folder}"


def folder_of(argument: str, setting: Setting) -> Path:
    """The folder that an input names, without `..` in it."""
    return Path(os.path.abspath(setting.folder / argument))


def holds_specs(folder: Path) -> bool:
    """Return whether a folder contains a group or feature gates, at any depth. Hidden folders are skipped."""
    names = names_below(folder, lambda name: name.startswith((".", "__pycache__", "node_modules")))
    return any(name in (GROUP_FILE, FEATURES_FILE) for _, name in names)
