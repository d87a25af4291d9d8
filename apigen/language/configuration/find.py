"""Finds the configuration of the project that apigen runs in."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

from apigen.diagnostics import Place, Report
from apigen.diagnostics.model import shown_path
from apigen.language.configuration.toml_file import TomlFile, parsed, syntax_error, table_in

OWN_NAME = "apigen.toml"
SHARED_NAME = "pyproject.toml"
SHARED_TABLE = ("tool", "apigen")


def find_config(start: Path, report: Report, named: str | None = None) -> TomlFile | None:
    """Return the configuration that is `named`, or else the nearest one in `start` and its parent folders.

    An `apigen.toml` is one, and a `pyproject.toml` with a table `[tool.apigen]`; the first wins if a folder has both.
    None without a configuration, or if it cannot be used (AG0904, AG0905).
    """
    if named is not None:
        return _named(Path(os.path.abspath(start / named)), start, report)
    for folder in (start, *start.parents):
        if (folder / OWN_NAME).exists():
            return _read(folder / OWN_NAME, (), start, report)
        shared = folder / SHARED_NAME
        if shared.is_file() and _mentions_apigen(shared):
            return _read(shared, SHARED_TABLE, start, report)
    return None


def _named(path: Path, start: Path, report: Report) -> TomlFile | None:
    if path.is_dir():
        names = [name for name in (OWN_NAME, SHARED_NAME) if (path / name).is_file()]
        hint = f"did you mean `{(path / names[0]).name}` in it?" if names else None
        report.error(
            "AG0905",
            Place(shown_path(path, start)),
            "the configuration must be a file, but this is a folder",
            hint=hint,
        )
        return None
    shared = path.name == SHARED_NAME
    file = _read(path, SHARED_TABLE if shared else (), start, report)
    if file is not None and shared and table_in(parsed(file.text), SHARED_TABLE) is None:
        report.error("AG0905", Place(file.display_path), "it has no table [tool.apigen]")
        return None
    return file


def _mentions_apigen(path: Path) -> bool:
    """Return whether a pyproject.toml has our table, or would seem to but for a fault in it."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return False
    try:
        return table_in(parsed(text), SHARED_TABLE) is not None
    except tomllib.TOMLDecodeError:
        return "apigen" in text


def _read(path: Path, table: tuple[str, ...], start: Path, report: Report) -> TomlFile | None:
    display_path = shown_path(path, start)
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        report.error("AG0905", Place(display_path), f"the byte 0x{error.object[error.start]:02x} is not UTF-8")
        return None
    except OSError as error:
        report.error("AG0905", Place(display_path), f"cannot be read: {error.strerror or 'unknown reason'}")
        return None
    file = TomlFile(path, display_path, text, table)
    report.use_source(file.line)
    try:
        parsed(text)
    except tomllib.TOMLDecodeError as error:
        place, words = syntax_error(error, display_path, text)
        report.error("AG0904", place, f"invalid TOML: {words[:1].lower()}{words[1:]}")
        return None
    return file
