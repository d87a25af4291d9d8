"""Plan the records of `apigen release`: one for each group that the release changes.

The current specs are compared with the last record in the form of a record. The records, read again, must reproduce the API in
everything that affects generated code.
"""

from __future__ import annotations

import errno
import os
import re
import tokenize
from collections.abc import Callable, Collection, Iterable, Iterator
from collections.abc import Mapping as AbstractMapping
from dataclasses import fields, is_dataclass
from pathlib import Path

from apigen.dataclass import dataclass, replace
from apigen.diagnostics import Place, Report
from apigen.diagnostics.model import shown_path
from apigen.diagnostics.quoting import listing, quote
from apigen.history.load import Chain, Rebuilder, Recorded
from apigen.history.records import CHAIN_FILE, Folder, Header, Record, chain_text, listed_as, record_text, taken_apart
from apigen.history.trees import FUNCTIONS, GROUPS, NOTHING, RECORD, child, difference, entry, mapping, scalar
from apigen.ir.graphs import reached
from apigen.ir.model import Api, Enum, Struct, TypeDef
from apigen.ir.names import field_name, member_name
from apigen.ir.stability import next_release
from apigen.language.build_nodes import build_nodes
from apigen.language.folders import (
    FEATURES_FILE,
    GROUP_FILE,
    HISTORY_FOLDER,
    HUB_FILE,
    SUFFIX,
    Folders,
    GroupFolder,
    SpecFile,
    find_folders,
)
from apigen.language.load import BuiltinApis, named_groups
from apigen.language.model import ApiSpec, GroupSpec, Located
from apigen.language.nodes import Entry, Mapping, Node, Sequence
from apigen.language.readers.groups import SERIES_OF_FOLDER
from apigen.language.releases import Release
from apigen.language.source import SourceFile, Sources
from apigen.language.walking import gate_names
from apigen.runtime.gc import gc_paused

_WORDS = frozenset({"place", "doc", "ignore", "text"})
"""Attributes with locations, and attributes that only affect docstrings."""

_ATTRIBUTES: dict[type, tuple[str, ...]] = {}


def differing(one: Api, other: Api, groups: Collection[str]) -> Iterator[str]:
    """Yield the names of the groups and types that differ between two APIs, in some groups (by folder)."""
    for folder in sorted(groups):
        own_group, other_group = ({group.folder: group for group in api.groups}.get(folder) for api in (one, other))
        if not is_same(own_group, other_group):
            yield folder
    mine_types, their_types = ([id_ for id_ in api.types if id_.group in groups] for api in (one, other))
    yield from (str(id_) for id_ in mine_types if not is_same(one.types[id_], other.types.get(id_)))
    yield from (str(id_) for id_ in their_types if id_ not in one.types)


def is_same(one: object, other: object) -> bool:
    """Return whether two values of the IR are equal, apart from their locations and docs."""
    if type(one) is not type(other):
        return False
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(is_same, one, other))
    if isinstance(one, Located) and isinstance(other, Located):
        return is_same(one.value, other.value)
    names = _attributes(type(one))
    if not names:
        return one == other
    return all(is_same(getattr(one, name), getattr(other, name)) for name in names)


def _attributes(class_: type) -> tuple[str, ...]:
    if class_ not in _ATTRIBUTES:
        compared = (each.name for each in fields(class_) if each.compare) if is_dataclass(class_) else ()
        _ATTRIBUTES[class_] = tuple(name for name in compared if name not in _WORDS)
    return _ATTRIBUTES[class_]


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
    if isinstance(type_, Struct) and type_.alias_of is None:
        fields = dict(_of_fields(type_))
        tombstones = {tombstone.name: _Assigned(number=tombstone.number) for tombstone in type_.tombstones}
    values: dict[str, _Assigned] = {}
    if isinstance(type_, Enum):
        values = {value.value: _Assigned(_unless(value.py_name, member_name(value.value))) for value in type_.values}
    if isinstance(type_, Struct) and type_.alias_of is None and type_.reserved:
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
    """The current spec folder; `api` and `spec` are the results of reading it with the built-in APIs, without errors."""

    def __init__(
        self, root: Path, display_root: Path, api: Api, spec: ApiSpec, functions: Functions, builtin_apis: BuiltinApis
    ) -> None:
        self.root = Path(os.path.abspath(root))
        self.api = api
        self.builtin_apis = builtin_apis
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


@dataclass(frozen=True, slots=True)
class NewRecord:
    """A record to write, and the new list of all records of its folder."""

    header: Header
    file: SpecFile
    text: str
    chain: SpecFile
    chain_text: str

    @property
    def of(self) -> str:
        """The owner of the record."""
        return self.header.of

    @property
    def folder(self) -> Path:
        """The folder of records that contains it."""
        return self.file.path.parent

    def as_record(self) -> Record:
        """The record after it is written."""
        file = SourceFile(self.file.path, self.file.display_path, self.text)
        return Record(self.header, taken_apart(self.text).expected, file)


def plan_release(
    present: Present,
    recorded: Recorded,
    release: Release,
    groups: Collection[str] | None,
    report: Report,
) -> tuple[NewRecord, ...] | None:
    """Return the records of a release: of some groups, or (None) of all groups and of the gates that no group names.

    Groups that are unchanged since their last record get none. None, with diagnostics, if they cannot be recorded:
    AG1303 a later release is recorded, AG1309 a group needs another group whose current state is not recorded.
    """
    planned = tuple(_planned(present, recorded, release, groups))
    if not planned:
        return ()
    if not _is_new(release, recorded, planned, report):
        return None
    return planned if _give_the_api(planned, recorded, release, present, report) else None


def _planned(
    present: Present, recorded: Recorded, release: Release, groups: Collection[str] | None
) -> Iterator[NewRecord]:
    chains = {chain.folder.path.path: chain for chain in recorded.chains}
    of_groups: list[NewRecord] = []
    for group in present.folders.groups:
        if present.is_own(group.name) and (groups is None or group.name in groups):
            parent = SpecFile(group.group_file.path.parent, group.place.file)
            of_groups += _new_record(parent, group.name, present.group(group), chains, release)
    if groups is not None:
        yield from of_groups
        return
    for chain in recorded.chains:
        if chain.folder.is_left:
            of_groups += _new_record(_above(chain.folder.path), chain.folder.of, NOTHING, chains, release)
    yield from of_groups
    for path in sorted({*present.besides(), *(c.folder.path.path.parent for c in chains.values() if c.is_of_gates)}):
        now = present.others(path)
        if path == present.root:
            now = mapping([*now.entries, entry(GROUPS, _newest_records(recorded, of_groups))])
        yield from _new_record(present.spec_file(path), FEATURES_FILE, now, chains, release, path == present.root)


def _newest_records(recorded: Recorded, planned: Iterable[NewRecord]) -> Mapping:
    """Return the last record of each group, including planned ones."""
    newest = {chain.folder.of: chain.folder.newest for chain in recorded.chains if not chain.is_of_gates}
    newest |= {record.of: record.as_record() for record in planned}
    listed = ((of, record) for of, record in sorted(newest.items()) if record is not None)
    return mapping(entry(of, scalar(listed_as(record))) for of, record in listed)


def _new_record(
    parent: SpecFile,
    of: str,
    now: Mapping,
    chains: AbstractMapping[Path, Chain],
    release: Release,
    is_always_written: bool = False,
) -> Iterator[NewRecord]:
    folder = _inside(parent, HISTORY_FOLDER)
    chain = chains.get(folder.path)
    newest = None if chain is None else chain.folder.newest
    before = NOTHING if chain is None or newest is None else chain.state(newest)
    change = difference(before, now, RECORD)
    is_recorded = newest is not None and newest.header.release == release
    if change.is_empty and (is_recorded or not is_always_written):
        return
    header = Header(of, release, None if newest is None else (newest.header.release, newest.checksum))
    text = record_text(header, change)
    known = () if chain is None else chain.folder.records
    checksums = {record.header.release: record.checksum for record in known} | {release: taken_apart(text).expected}
    file, list_ = _inside(folder, f"{release}.yaml"), _inside(folder, CHAIN_FILE)
    yield NewRecord(header, file, text, list_, chain_text(checksums))


def _is_new(release: Release, recorded: Recorded, planned: Iterable[NewRecord], report: Report) -> bool:
    """Return whether the records do not change a release that is already recorded."""
    folders = {record.folder for record in planned}
    is_whole = any(record.of == FEATURES_FILE for record in planned)
    past: list[Record] = []
    for chain in recorded.chains:
        for record in chain.folder.records:
            is_same = record.header.release == release
            concerns = chain.folder.path.path in folders or (chain.is_of_gates and not is_whole)
            if record.header.release > release or (is_same and concerns):
                past.append(record)
    if not past:
        return True
    first = max(past, key=lambda record: record.header.release)
    newest = max(recorded.history.releases)
    changed = tuple(record.of for record in planned if record.of != FEATURES_FILE)
    consequence = f"so what is not in it, of {listing(changed, 'and')}, cannot become part of {release}"
    report.error(
        "AG1303",
        first.place,
        f"{first.header.release} is recorded, {consequence if changed else f'and {release} is not a release after it'}",
        hint=f"record it in a later release: `apigen release {next_release(newest)}`",
    )
    return False


def _give_the_api(
    planned: tuple[NewRecord, ...], recorded: Recorded, release: Release, present: Present, report: Report
) -> bool:
    """Return whether the records, read again, reproduce the API from which they were created."""
    own_report = Report()
    chains = (Chain(folder, own_report) for folder in _folders(planned, recorded))
    rebuilt = Rebuilder(chains, present.builtin_apis, own_report).api(release)
    own = {group.name for group in present.folders.groups}
    groups = {record.of for record in planned} & own
    differs = tuple(differing(present.api, rebuilt, groups))
    if not own_report.has_errors and not differs:
        return True
    recorded_groups = {chain.folder.of for chain in recorded.chains} | groups
    needed = {name for folder in groups for name in present.needs(folder)} & own
    stale = sorted(needed - groups)
    missing = [name for name in stale if name not in recorded_groups]
    if stale:
        state = "was never recorded" if missing else "has changed since it was recorded"
        others = listing(tuple(missing or stale), "and")
        message = f"{listing(tuple(sorted(groups)), 'and')} needs {others}, which {state}"
        hint = "record them together: " + " ".join(f"--group {name}" for name in sorted({*groups, *stale}))
        report.error("AG1309", Place("command line"), message, hint=hint)
        return False
    for diagnostic in own_report.diagnostics:
        report.add(diagnostic)
    if differs:
        message = f"the records of {release} would not reproduce {quote(differs[0])}"
        report.error("AG1308", Place(present.spec_file(present.root).display_path), message)
    return False


def _folders(planned: tuple[NewRecord, ...], recorded: Recorded) -> Iterator[Folder]:
    """Yield all folders of records, including the new records."""
    known = {chain.folder.path.path: chain.folder for chain in recorded.chains}
    for record in planned:
        old = known.get(record.folder, Folder(SpecFile(record.folder, record.file.display_path), record.of))
        known[record.folder] = replace(old, records=(*old.records, record.as_record()))
    return iter(known.values())


def _above(folder: SpecFile) -> SpecFile:
    return SpecFile(folder.path.parent, folder.display_path.rpartition("/")[0])


def _inside(folder: SpecFile, name: str) -> SpecFile:
    return SpecFile(folder.path / name, name if folder.display_path in ("", ".") else f"{folder.display_path}/{name}")
