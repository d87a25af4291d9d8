"""Protobuf as a source of surfaces."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from apigen.dataclass import replace
from apigen.diagnostics import Place, Report
from apigen.diagnostics.model import shown_path
from apigen.diagnostics.quoting import quote
from apigen.files.regular_files import read_regular
from apigen.inputs.proto.reading import (
    OmittedFile,
    Tree,
    compile_tree,
    is_bundled,
    is_installed,
    proto_files,
    read_tree,
    without_unresolved,
)
from apigen.inputs.source import Setting, Source
from apigen.ir.surface import Surface, Unread

_SETS = {".binpb", ".pb", ".desc", ".protoset", ".fds", ".fdset", ".pbbin"}
_LARGEST_SET = 256 * 2**20
_COMPLETE = "pass a folder that contains it, or a descriptor set: protoc --include_imports --descriptor_set_out=FILE"
_OWN = "google/protobuf/"
"""The folder of files that come with protobuf; they are only compared if they are the input itself."""


class Proto(Source):
    """`.proto` files (one file or a folder), or a descriptor set. The group is the package without its version."""

    form = "proto"
    title = "`.proto` files or a descriptor set"
    around = (".proto",)

    def recognises(self, argument: str, setting: Setting) -> bool:
        path = setting.folder / argument
        if path.is_file():
            return path.suffix == ".proto" or path.suffix in _SETS
        return path.is_dir() and next(proto_files(path), None) is not None

    def load(self, argument: str, setting: Setting, report: Report) -> Surface | None:
        path = setting.folder / argument
        display_path = _display_path(path, setting)
        if not path.exists():
            report.error("AG1445", Place(display_path), f"no file or folder {quote(argument)}")
        elif not is_installed():
            hint = "install them with their extra: pip install 'apigen[proto]'"
            report.error("AG1442", Place(display_path), "the libraries for protobuf are not installed", hint=hint)
        elif path.is_file() and path.suffix != ".proto":
            return _load_set(path, argument, display_path, report)
        else:
            return _load_files(Path(os.path.realpath(path)), argument, setting, report)
        return None


def _load_set(path: Path, argument: str, display_path: str, report: Report) -> Surface | None:
    from apigen.inputs.proto.surface_of import ProtoFile, decode_set, is_consistent, surface_of

    try:
        if path.stat().st_size > _LARGEST_SET:
            report.error("AG1444", Place(display_path), f"a set of more than {_LARGEST_SET >> 20} MB is not read")
            return None
        data = read_regular(path)
    except OSError as error:
        report.error("AG1445", Place(display_path), f"{quote(argument)} cannot be read: {error.strerror or error}")
        return None
    files = decode_set(data, display_path, report)
    if files is None or not is_consistent(files, display_path, report):
        return None
    own = [file for file in files if not file.name.startswith(_OWN)] or files
    names = {file.name for file in own}
    imported = [file for file in files if file.name not in names]
    return surface_of([ProtoFile(file, file.name) for file in own], imported, argument, Proto.form)


def _load_files(path: Path, argument: str, setting: Setting, report: Report) -> Surface | None:
    from apigen.inputs.proto.surface_of import ProtoFile, decode_set, surface_of

    read = read_tree(path, _display_path(path, setting), report)
    if read is None:
        return None
    tree, left_out = without_unresolved(read, is_bundled)
    if not tree.files:
        tree, left_out = read, ()  # whose missing files are errors
    unread = tuple(Unread(_place_of(each, read, setting), each.reason) for each in left_out)
    for each, reported in zip(left_out, unread, strict=True):
        if each.is_nowhere:
            report.warning("AG1441", reported.place, reported.message, hint=_COMPLETE)
    display_paths = {tree.name(file): _display_path(file, setting) for file in tree.files}
    lines = {path: text.split("\n") for path, text in zip(display_paths.values(), tree.files.values(), strict=True)}
    report.use_source(lambda place: _line(place, lines))
    data = compile_tree(tree, lambda name: display_paths.get(name, name), report)
    files = None if data is None else decode_set(data, _display_path(path, setting), report)
    if files is None:
        return None
    paths = ((file, display_paths[file.name]) for file in files if file.name in display_paths)
    own = [ProtoFile(file, path, lines[path]) for file, path in paths]
    surface = surface_of(own, [file for file in files if file.name not in display_paths], argument, Proto.form)
    return replace(surface, unread=(*unread, *surface.unread))


def _place_of(left_out: OmittedFile, tree: Tree, setting: Setting) -> Place:
    """Return the location of the import of a missing file."""
    lines = tree.files[left_out.file].split("\n")
    at = next((number for number, line in enumerate(lines, 1) if f'"{left_out.imported}"' in line), 0)
    return Place(_display_path(left_out.file, setting), at, 1 if at else 0)


def _line(place: Place, lines: Mapping[str, list[str]]) -> str | None:
    """Return the line of a place, for carets; `lines` are those of each file."""
    of_file = lines.get(place.file, [])
    return of_file[place.line - 1] if 0 < place.line <= len(of_file) else None


def _display_path(path: Path, setting: Setting) -> str:
    """Return a path for display: relative to the working directory."""
    return shown_path(Path(os.path.realpath(path)), Path(os.path.realpath(setting.folder)))
