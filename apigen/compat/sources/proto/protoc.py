"""Runs protoc, in a process of its own: what it reads is a stranger's."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from os.path import relpath
from pathlib import Path

from apigen.compat.sources.proto.columns import character
from apigen.compat.sources.proto.tree import Tree
from apigen.diagnostics import Place, Report

_LONGEST = 60
"""Seconds. All of Kubernetes' files take one."""

_ERROR = re.compile(r"(?P<file>[^\n]+?\.proto):(?:(?P<line>\d+):(?P<column>\d+):)? (?P<text>[^\n]+)")
_UNFOUND = re.compile(r'Import "(?P<path>[^"]*)" was not found or had errors')
_MOST_ERRORS = 100


def is_installed() -> bool:
    """Whether the libraries of the extra `proto` are there."""
    names = ("google", "google.protobuf", "grpc_tools")
    return all(importlib.util.find_spec(name) is not None for name in names)


def compile_tree(tree: Tree, shown: Callable[[str], str], report: Report) -> bytes | None:
    """A descriptor set of the files and all that they import, with source positions.

    None, with AG1440 what is no protobuf, AG1441 an import that is nowhere, or AG1444 where that takes too long.
    """
    base = tree.roots[-1]
    with tempfile.TemporaryDirectory(prefix="apigen-proto-") as folder:
        out, arguments = Path(folder, "set.binpb"), Path(folder, "arguments")
        options = ["--include_imports", "--include_source_info", "--retain_options", f"--descriptor_set_out={out}"]
        roots = [f"--proto_path={relpath(root, base)}" for root in tree.roots]
        files = [f"./{relpath(file, base)}" for file in tree.files]
        arguments.write_text("\n".join([*options, *roots, *files]), "utf-8", "surrogateescape")
        command = [sys.executable, "-P", "-m", "grpc_tools.protoc", f"@{arguments}"]
        place = Place(shown(tree.name(next(iter(tree.files)))))
        try:
            done = subprocess.run(command, cwd=base, capture_output=True, timeout=_LONGEST, check=False)
        except subprocess.TimeoutExpired:
            report.error("AG1444", place, f"the compiler of protobuf was stopped after {_LONGEST} seconds")
            return None
        if done.returncode == 0 and out.is_file():
            return out.read_bytes()
    _report(done.stderr.decode("utf-8", "replace"), done.returncode, place, _Places(tree, shown), report)
    return None


class _Places:
    """Places as protoc says them, in the files of a tree."""

    def __init__(self, tree: Tree, shown: Callable[[str], str]) -> None:
        self._texts = {tree.name(file): text for file, text in tree.files.items()}
        self._shown = shown
        self._lines: dict[str, list[str]] = {}

    def of(self, match: re.Match[str]) -> Place:
        """That of an error, with the column in characters."""
        file, line, column = match["file"], int(match["line"] or 0), int(match["column"] or 0)
        lines = self._lines.setdefault(file, self._texts.get(file, "").split("\n")) if line else []
        text = lines[line - 1] if 0 < line <= len(lines) else ""
        return Place(self._shown(file), line, character(text, column - 1) + 1 if line else 0)


def _report(said: str, code: int, place: Place, places: _Places, report: Report) -> None:
    known = 0
    for match in list(_ERROR.finditer(said))[:_MOST_ERRORS]:
        text = match["text"].strip()
        if text.startswith("warning:"):
            continue
        at = places.of(match)
        unfound = _UNFOUND.match(text)
        if unfound is not None:
            _report_import(unfound["path"], at, said, report)
        elif match["line"]:
            report.error("AG1440", at, f"protoc says: {text}", hint="mend the file until protoc takes it")
        else:
            continue
        known += 1
    if not known:
        words = said.strip().splitlines()
        text = words[0] if words else f"it ended with code {code}"
        report.error("AG1440", place, f"protoc says: {text}")


def _report_import(path: str, at: Place, said: str, report: Report) -> None:
    """An import that is nowhere; one of a file that has errors of its own is told there."""
    if f"{path}: File not found." in said:
        hint = "compare a folder that holds it, or a descriptor set: protoc --include_imports --descriptor_set_out=FILE"
        report.error("AG1441", at, f'"{path}" is nowhere', hint=hint)
    elif not re.search(rf"^{re.escape(path)}:\d+:\d+: (?!warning)", said, re.MULTILINE):
        report.error("AG1440", at, f'protoc cannot read "{path}"')
