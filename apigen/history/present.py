"""The current specs in the form of a record."""

from __future__ import annotations

import errno
import os
import re
import tokenize
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Mapping as AbstractMapping
from pathlib import Path

from apigen.dataclass import dataclass
from apigen.diagnostics import Report
from apigen.diagnostics.model import shown_path
from apigen.history.levels import FUNCTIONS
from apigen.history.trees import NOTHING, child, entry, mapping, scalar
from apigen.ir.graphs import reached
from apigen.ir.model import Api, Enum, Struct, TypeDef
from apigen.ir.names import field_name, member_name
from apigen.language.build_nodes import build_nodes
from apigen.language.folders import (
    FEATURES_FILE,
    GROUP_FILE,
    HUB_FILE,
    SUFFIX,
    Folders,
    GroupFolder,
    SpecFile,
    find_folders,
)
from apigen.language.load import Catalog, named_groups
from apigen.language.model import ApiSpec, GroupSpec
from apigen.language.nodes import Entry, Mapping, Node, Sequence
from apigen.language.readers.groups import SERIES_OF_FOLDER
from apigen.language.source import Sources
from apigen.language.walking import gate_names
from apigen.runtime.gc import gc_paused

_SAYS_NOTHING = frozenset({"doc", "ignore"})
"""Keys of types, fields, values and gates that only affect docstrings."""

_FIRST = ("type", "protobuf", "pyName", "nullable", "optional", "omitEmpty", "inline", "required")
"""The keys of a field that are written first; the others follow, sorted by name."""

Types = AbstractMapping[str, TypeDef]
"""Return the types of a version by name; empty without a version."""


@dataclass(frozen=True, slots=True)
class _Assigned:
    """The number and the Python name that were assigned to a field, and that its spec does not declare."""

    py_name: str | None = None
    number: int | None = None


def normal_types(root: Mapping, types: Types) -> Mapping:
    """Return the types of a version's file, or of hub.yaml, which has no key `types`."""
    written = child(root, "types")
    entries = written.entries if isinstance(written, Mapping) else ()
    return mapping(Entry(key, _type(value, types.get(key.text))) for key, value in entries)


def _type(node: Node, type_: TypeDef | None) -> Node:
    if not isinstance(node, Mapping):
        return node
    fields: dict[str, _Assigned] = {}
    tombstones: dict[str, _Assigned] = {}
    if isinstance(type_, Struct) and type_.taken_from is None:
        fields = dict(_of_fields(type_))
        tombstones = {tombstone.name: _Assigned(number=tombstone.number) for tombstone in type_.tombstones}
    values: dict[str, _Assigned] = {}
    if isinstance(type_, Enum):
        values = {value.value: _Assigned(_unless(value.py_name, member_name(value.value))) for value in type_.values}
    if isinstance(type_, Struct) and type_.taken_from is None and type_.reserved:
        node = _with_reserved(node, type_)
    assigned = {"fields": fields, "enum": values, "tombstones": tombstones}
    entries = []
    for key, value in node.entries:
        if key.text in assigned:
            value = _written_out(value, assigned[key.text])
        if key.text not in _SAYS_NOTHING:
            entries.append(Entry(key, value))
    return mapping(entries, node)


def _of_fields(struct: Struct) -> Iterator[tuple[str, _Assigned]]:
    for field in struct.own_fields:
        yield field.json_name, _Assigned(_unless(field.py_name, field_name(field.json_name)), field.number)
    for inline in struct.inlines:
        if not inline.via:
            yield inline.name, _Assigned(number=inline.number)


def _with_reserved(node: Mapping, struct: Struct) -> Mapping:
    """Return a type with all numbers that it reserves, including those that only the lock contains."""
    numbers = [scalar(one.first if one.first == one.last else str(one)) for one in struct.reserved]
    entries = {each.key.text: each for each in node.entries}
    entries["reserved"] = entry("reserved", Sequence(numbers, "", 0, 0))
    return mapping(entries.values(), node)


def _unless(name: str, derived: str | None) -> str | None:
    return None if name == derived else name


def _written_out(node: Node, assigned: AbstractMapping[str, _Assigned]) -> Node:
    """Return the members of a type, each with its assigned number and name."""
    if not isinstance(node, Mapping):
        return node
    return mapping(
        (Entry(key, _member(value, assigned.get(key.text, _Assigned()))) for key, value in node.entries), node
    )


def _member(node: Node, assigned: _Assigned) -> Node:
    if not isinstance(node, Mapping):
        return node
    entries = {each.key.text: each for each in node.entries if each.key.text not in _SAYS_NOTHING}
    if assigned.number is not None:
        entries["protobuf"] = entry("protobuf", scalar(assigned.number))
    if assigned.py_name is not None:
        entries["pyName"] = entry("pyName", scalar(assigned.py_name))
    first = [key for key in _FIRST if key in entries]
    return mapping((entries[key] for key in dict.fromkeys([*first, *sorted(entries)])), node)


def _normal_feature(node: Node) -> Node:
    """Return a gate as records have it."""
    if not isinstance(node, Mapping):
        return node
    return mapping((each for each in node.entries if each.key.text not in _SAYS_NOTHING), node)


Functions = Callable[[str], AbstractMapping[str, str]]
"""Return the hand-written modules of a group, by path below the folder of its functions."""

_TEXT = re.compile(r"""["'](\w+)["']""")


class Present:
    """The current spec folder; `api` and `spec` are the results of reading it with the catalog, without errors."""

    def __init__(
        self, root: Path, display_root: Path, api: Api, spec: ApiSpec, functions: Functions, catalog: Catalog
    ) -> None:
        self.root = Path(os.path.abspath(root))
        self.api = api
        self.catalog = catalog
        self.folders: Folders = find_folders(root, Report(), display_root)
        self._display_root = Path(os.path.abspath(display_root))
        self._sources = Sources(Report())
        self._functions = functions
        self._groups = {group.folder: group for group in spec.groups}
        self._needs = {feature.name: tuple(gate.value for gate in feature.depends_on) for feature in spec.features}
        self._own_gates = {feature.name for feature in spec.features if spec.is_own(feature.series)}
        of_folders = ((file.path.parent, self._gates_in(file)) for file in self.folders.features)
        self._gates = {folder: gates for folder, gates in of_folders if gates or folder == self.root}

    def is_own(self, folder: str) -> bool:
        """Return whether the releases of a group are those of the project: of its own series."""
        return folder not in self._groups or not self.api.series_of_groups.get(folder, "")

    def spec_file(self, path: Path) -> SpecFile:
        """Return the path of a file or folder for display."""
        return SpecFile(path, shown_path(path, self._display_root))

    def besides(self) -> frozenset[Path]:
        """Return the folders next to which gates are recorded: those with a features.yaml, and the spec folder itself."""
        return frozenset({self.root, *self._gates})

    def needs(self, folder: str) -> frozenset[str]:
        """Return the groups to which a group refers, directly or indirectly."""

        def others(name: str) -> list[str]:
            return [other for other in named_groups(self._groups[name]) if other in self._groups]

        return reached(others(folder), others)

    def group(self, folder: GroupFolder) -> Mapping:
        """Return the content of the record of a group."""
        group = self._groups[folder.name]
        with gc_paused():
            return mapping(self._sections(folder, group))

    def others(self, folder: Path) -> Mapping:
        """Return the gates of the features.yaml in a folder that no group names; for the root, also the series that it
        declares.
        """
        named = {name for group in self.folders.groups for name in self.named(group)}
        gates = [each for name, each in self._gates.get(folder, {}).items() if name not in named]
        kept = mapping([*self._series_at(folder), *gates])
        return mapping([entry(FEATURES_FILE, kept)]) if kept.entries else NOTHING

    def named(self, folder: GroupFolder) -> frozenset[str]:
        """Return the gates that a group names, in its specs and functions, and those on which they depend."""
        gates = list(gate_names(self._groups[folder.name]))
        for text in self._functions(folder.name).values():
            gates += (name for name in _TEXT.findall(text) if name in self._needs)
        return reached(gates, lambda name: self._needs.get(name, ()))

    def _sections(self, folder: GroupFolder, group: GroupSpec) -> Iterator[Entry]:
        yield entry(GROUP_FILE, self._root(folder.group_file))
        named = self.named(folder)
        gates = [each for nodes in self._gates.values() for name, each in nodes.items() if name in named]
        if gates:
            yield entry(FEATURES_FILE, mapping(gates))
        for header in group.versions:
            file = folder.file(f"{header.name}{SUFFIX}")
            types = {id_.name: type_ for id_, type_ in self.api.types_of(folder.name, header.name).items()}
            yield entry(f"{header.name}{SUFFIX}", normal_types(self._root(file), types))
        hub = folder.file(HUB_FILE)
        if hub is not None:
            yield entry(HUB_FILE, normal_types(self._root(hub), {}))
        functions = self._functions(folder.name)
        if functions:
            yield entry(FUNCTIONS, mapping(entry(path, scalar(text)) for path, text in functions.items()))

    def _gates_in(self, file: SpecFile) -> AbstractMapping[str, Entry]:
        """Return the gates of the project's own series in a features.yaml."""
        entries = (each for each in self._root(file).entries if each.key.text in self._own_gates)
        return {key.text: Entry(key, _normal_feature(value)) for key, value in entries}

    def _series_at(self, folder: Path) -> list[Entry]:
        """Return the declaration of the project's own series in the features.yaml at the root of the specs."""
        files = (file for file in self.folders.features if file.path.parent == folder == self.root)
        entries = (each for file in files for each in self._root(file).entries)
        return [each for each in entries if each.key.text == SERIES_OF_FOLDER.name]

    def _root(self, file: SpecFile | None) -> Mapping:
        source = None if file is None else self._sources.read(file.path, file.display_path)
        root: Node | None = None if source is None else build_nodes(source, Report())
        return root if isinstance(root, Mapping) else NOTHING


def modules_in(folder: Path) -> AbstractMapping[str, str]:
    """Return the Python modules below a folder of hand-written functions, by path, without links. Raises OSError."""
    paths: Iterable[Path] = sorted(folder.rglob("*.py")) if folder.is_dir() else ()
    modules = (path for path in paths if path.is_file() and not path.is_symlink())
    return {path.relative_to(folder).as_posix(): _python(path) for path in modules}


def _python(path: Path) -> str:
    try:
        with tokenize.open(path) as stream:
            return stream.read()
    except (SyntaxError, UnicodeDecodeError) as error:
        raise OSError(errno.EILSEQ, "Python cannot decode this text", str(path)) from error
