"""Load the history of a spec folder: all records are checked, and read on first use of a release.

A release is rebuilt from its records: the specs of the groups at the release, and the API that results from them. The names and
numbers that a group ever used are known from its records, too: none of them may be reused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Mapping as AbstractMapping
from pathlib import Path, PurePath

from apigen.dataclass import dataclass, field, replace
from apigen.diagnostics import Place, Related, Report
from apigen.diagnostics.model import shown_path
from apigen.diagnostics.quoting import listing
from apigen.history.model import History
from apigen.history.records import RESTORE, Folder, Record, listed_as, read_folder
from apigen.history.trees import (
    FUNCTIONS,
    GROUPS,
    NOTHING,
    ORDER,
    RECORD,
    Change,
    Keys,
    Moves,
    branch,
    child,
    is_types,
    mapping,
    merged,
)
from apigen.history.unfinished import is_unfinished
from apigen.ir.model import Api, Release
from apigen.ir.names import field_name, member_name
from apigen.ir.numbers import merged_ranges
from apigen.ir.resolve import resolve
from apigen.ir.stability import next_release
from apigen.language.build_nodes import build_nodes
from apigen.language.folders import (
    FEATURES_FILE,
    GROUP_FILE,
    HISTORY_FOLDER,
    HUB_FILE,
    SUFFIX,
    HistoryFolder,
    find_folders,
)
from apigen.language.load import HUB, BuiltinApis, group_spec, with_builtin_apis
from apigen.language.model import (
    ApiSpec,
    FeatureSpec,
    GroupSpec,
    Located,
    LockedField,
    LockedType,
    LockFile,
    NumberRange,
    TypeSpec,
    VersionFile,
    VersionHeader,
)
from apigen.language.nodes import Context, Mapping, Node, Scalar
from apigen.language.readers import groups
from apigen.language.readers.groups import FEATURES
from apigen.language.readers.types import HUB_TYPES_KEY, NUMBERS, TYPES_KEY
from apigen.language.shapes import Key
from apigen.language.source import Sources
from apigen.runtime.gc import gc_paused

_HEADER = frozenset({"of", "release", "after", "checksum", ORDER})


class Chain:
    """The records of one folder, each merged into those before it when it is first needed."""

    def __init__(self, folder: Folder, report: Report) -> None:
        self.folder = folder
        self._report = report
        self._states: list[Mapping] = []
        self._changes: dict[Release, Change] = {}

    @property
    def is_of_gates(self) -> bool:
        """Return whether it contains the gates that no group names, and the list of releases."""
        return self.folder.of == FEATURES_FILE

    def change(self, record: Record) -> Change:
        """Return the change of a record."""
        release = record.header.release
        if release not in self._changes:
            self._changes[release] = change_of(record, self._report)
        return self._changes[release]

    def state(self, record: Record) -> Mapping:
        """Return the result of a record and all earlier ones, by file, as in the spec folder."""
        position = self.folder.records.index(record)
        with gc_paused():
            while len(self._states) <= position:
                before = self._states[-1] if self._states else NOTHING
                change = self.change(self.folder.records[len(self._states)])
                self._states.append(merged(before, change, RECORD))
        return self._states[position]


def change_of(record: Record, report: Report) -> Change:
    """Return the change in the text of a record."""
    root = build_nodes(record.file, report)
    if not isinstance(root, Mapping):
        return Change()
    order: dict[Keys, Moves] = {}
    for path, moves in branch(root, ORDER).entries:
        if isinstance(moves, Mapping):
            order[tuple(path.text.split("/"))] = {
                key.text: value.text if isinstance(value, Scalar) and value.value is not None else None
                for key, value in moves.entries
            }
    return Change(mapping((each for each in root.entries if each.key.text not in _HEADER), root), order)


@dataclass(frozen=True, slots=True)
class RecordedModule:
    """A module of hand-written functions at a release; `path` is relative to the folder of its group's functions."""

    group: str
    path: str
    text: str
    place: Place


class Rebuilder:
    """Rebuild releases from all chains of a spec folder, with the built-in groups to which they refer."""

    def __init__(self, chains: Iterable[Chain], builtin_apis: BuiltinApis, report: Report) -> None:
        self._chains = tuple(chains)
        self._builtin_apis = builtin_apis
        self._report = report
        self._groups: dict[tuple[str, Release], GroupSpec | None] = {}

    def own(self, release: Release, report: Report) -> ApiSpec:
        """Return the spec of a release: each group as of its last record up to the release, all in the project's own
        series.
        """
        own_series = ""
        groups_by_folder: dict[str, GroupSpec] = {}
        features: dict[str, tuple[Release, FeatureSpec]] = {}
        context = Context.of_run(report)
        for chain in self._chains:
            record = chain.folder.at(release)
            if record is None:
                continue
            state = chain.state(record)
            if chain.folder.of != FEATURES_FILE and state.entries:
                group = self._group(chain.folder.of, record, state, context)
                if group is not None:
                    groups_by_folder[group.folder] = group
            gates = FEATURES.read(branch(state, FEATURES_FILE), context)
            if gates is not None and gates.series is not None and chain.is_of_gates:
                own_series = gates.series.name.value
            for feature in () if gates is None else gates.features:
                known = features.get(feature.name)
                if known is None or known[0] < record.header.release:
                    features[feature.name] = (record.header.release, feature)
        groups = tuple(replace(groups_by_folder[name], series="") for name in sorted(groups_by_folder))
        return ApiSpec(
            groups, tuple(replace(feature, series="") for _, feature in features.values()), own_series=own_series
        )

    def api(self, release: Release) -> Api:
        """Return the API of a release. Reports AG1308 if the records no longer result in a valid API."""
        own_report = Report()
        api = resolve(with_builtin_apis(self.own(release, own_report), self._builtin_apis), own_report)
        if own_report.has_errors:
            first = next(d for d in own_report.diagnostics if d.severity == "error")
            related = [Related(first.place, first.message)]
            message = f"release {release} cannot be rebuilt from its records"
            self._report.error("AG1308", self._place(release), message, related=related)
        return api

    def _group(self, folder: str, record: Record, state: Mapping, context: Context) -> GroupSpec | None:
        """Return a group as of a record; it is read once for all releases that share it."""
        key = (folder, record.header.release)
        if key not in self._groups:
            self._groups[key] = group_of(folder, state, context)
        return self._groups[key]

    def modules(self, release: Release) -> Iterator[RecordedModule]:
        """Return the modules of hand-written functions of a release."""
        for chain in self._chains:
            record = chain.folder.at(release)
            if record is not None:
                for path, content in branch(chain.state(record), FUNCTIONS).entries:
                    if isinstance(content, Scalar):
                        yield RecordedModule(chain.folder.of, path.text, content.text, path.place)

    def _place(self, release: Release) -> Place:
        records = (chain.folder.at(release) for chain in self._chains)
        return max((r.place for r in records if r and r.header.release == release), default=Place(str(release)))


def group_of(folder: str, state: Mapping, context: Context) -> GroupSpec | None:
    """Return the spec of a group from the content of its records."""
    found = groups.GROUP_KEYS.read(branch(state, GROUP_FILE), context)
    if found is None:
        return None
    hub = _types_of(HUB, state, HUB_TYPES_KEY, context) if child(state, HUB_FILE) is not None else None
    versions = (_types_of(header.name, state, TYPES_KEY, context) for header in found.some(groups.VERSIONS))
    return group_spec(folder, found, tuple(versions), hub)


def _types_of(name: str, state: Mapping, types: Key[tuple[TypeSpec, ...]], context: Context) -> VersionFile:
    node = branch(state, f"{name}{SUFFIX}")
    return VersionFile(name, node.place, types.shape.read(node, context) or ())


@dataclass(frozen=True, slots=True)
class Recorded:
    """The records of a spec folder: a chain for each group and each folder of gates."""

    history: History = field(default_factory=History)
    chains: tuple[Chain, ...] = ()
    rebuilder: Rebuilder | None = None

    def target_release(self, configured: Release | None) -> Release | None:
        """Return the release of the specs: the configured one, or else the minor release after the newest record."""
        newest = self.history.newest
        if configured is not None or newest is None:
            return configured
        return next_release(newest)


def load_history(
    root: Path | None,
    display_root: Path | None,
    builtin_apis: BuiltinApis,
    report: Report,
    histories: Sequence[HistoryFolder] | None = None,
) -> Recorded:
    """Return the history of a spec folder; without records, it is empty. Errors in records are reported.

    `histories` are the folders of its records, if the caller knows them.
    """
    if root is None or not root.is_dir():
        return Recorded()
    if is_unfinished(root):
        message = "a run of `apigen release` was interrupted while it wrote the records"
        hint = "run it again with the same release to complete the records"
        report.error("AG1301", Place(shown_path(root, display_root)), message, hint=hint)
        return Recorded()
    if histories is None:
        histories = find_folders(root, Report(), Path.cwd() if display_root is None else display_root).histories
    return _recorded(histories, builtin_apis, report) if histories else Recorded()


def _recorded(histories: Sequence[HistoryFolder], builtin_apis: BuiltinApis, report: Report) -> Recorded:
    """Return the contents of folders of records."""
    sources = Sources(report)
    read = (read_folder(history, sources, report) for history in histories)
    folders = [folder for folder in read if folder is not None]
    if not folders:
        return Recorded()
    chains = tuple(Chain(folder, report) for folder in folders)
    if not report.has_errors:
        _check_groups(chains, report)
    rebuilder = Rebuilder(chains, builtin_apis, report)
    releases = {record.header.release for folder in folders for record in folder.records}
    return Recorded(History(releases, rebuilder.api), chains, rebuilder)


def _check_groups(chains: tuple[Chain, ...], report: Report) -> None:
    """Report groups that no longer have the records which the spec folder's own records list."""
    records = {chain.folder.of: chain.folder.records for chain in chains}
    for chain in chains:
        newest = chain.folder.newest
        if not chain.is_of_gates or newest is None:
            continue
        specs = PurePath(chain.folder.path.display_path).parent
        for key, value in branch(chain.state(newest), GROUPS).entries:
            listed = value.text if isinstance(value, Scalar) else ""
            if all(listed != listed_as(record) for record in records.get(key.text, ())):
                report.error(
                    "AG1301",
                    key.place,
                    f"the record of {listed.partition(' ')[0]} of {key.text} is missing",
                    hint=f"{RESTORE.format(folder=specs / key.text / HISTORY_FOLDER)}, and a removed group keeps them",
                )


def check_left_groups(recorded: Recorded, release: Release | None, report: Report) -> None:
    """Report the groups that cannot be removed yet (AG1305): in the last release, a version of them was not removed."""
    for chain in recorded.chains:
        newest = chain.folder.newest
        if not chain.folder.is_left or newest is None:
            continue
        state = chain.state(newest)
        group = group_of(chain.folder.of, state, Context.of_run(report)) if state.entries else None
        living = [] if group is None else [header for header in group.versions if not _is_past(header, release)]
        if living:
            names = listing(tuple(header.name for header in living), "and")
            report.error(
                "AG1305",
                newest.place,
                f"the group {chain.folder.of} was released with {names}, but is missing in the specs",
                hint="restore group.yaml and its versions; a group can be removed once all its versions were released with a"
                " `removed:` that is due",
                related=[Related(header.place, f"`{header.name}` is declared here") for header in living],
            )


def _is_past(header: VersionHeader, release: Release | None) -> bool:
    removed = header.lifecycle.removed
    return removed is not None and release is not None and removed.value <= release


@dataclass(slots=True)
class Past:
    """The names and numbers that were ever assigned: by version and type of a group, each field or value by its JSON name.

    A field with a tombstone has no Python name, as in locks. `place` is the location of the newest record.
    """

    place: Place
    types: dict[tuple[str, str], dict[str, LockedField]] = field(default_factory=dict)
    reserved: dict[tuple[str, str], tuple[NumberRange, ...]] = field(default_factory=dict)

    def fields(self, version: str, type_: str) -> AbstractMapping[str, LockedField]:
        """Return all fields or values that a type ever had."""
        return self.types.get((version, type_), {})

    @property
    def versions(self) -> frozenset[str]:
        """Return all versions that the group ever had."""
        return frozenset(version for version, _ in self.types)


def past_of(chain: Chain) -> Past:
    """Return the names and numbers in the records of a group."""
    newest = chain.folder.newest
    past = Past(Place("") if newest is None else newest.place)
    for record in chain.folder.records:
        release = record.header.release
        for section, types in chain.change(record).tree.entries:
            if not is_types(section.text) or section.text == HUB_FILE or not isinstance(types, Mapping):
                continue
            version = section.text.removesuffix(SUFFIX)
            for name, type_ in types.entries:
                if isinstance(type_, Mapping):
                    known = past.types.setdefault((version, name.text), {})
                    known.update((member.json_name, member) for member in _locked_fields(type_, release))
                    numbers = (*past.reserved.get((version, name.text), ()), *_reserved(type_))
                    past.reserved[version, name.text] = numbers
    return past


def with_past(spec: ApiSpec, chains: Iterable[Chain]) -> ApiSpec:
    """Return the spec with locks that also contain all recorded names and numbers, whether their files exist or not, and
    with the gates of the last release that it no longer declares.
    """
    recorded = tuple(chain for chain in chains if chain.folder.records)
    if not recorded:
        return spec
    pasts = {chain.folder.of: past_of(chain) for chain in recorded}
    groups = (_with_past(group, pasts[group.folder]) if group.folder in pasts else group for group in spec.groups)
    return replace(spec, groups=tuple(groups), left_features=tuple(_left_features(spec, recorded)))


def _left_features(spec: ApiSpec, recorded: Iterable[Chain]) -> Iterator[FeatureSpec]:
    declared = {feature.name for feature in spec.features}
    for chain in recorded:
        gates = branch(chain.state(chain.folder.records[-1]), FEATURES_FILE)
        if any(key.text not in declared for key, _ in gates.entries):
            read = FEATURES.read(gates, Context.of_run(Report()))
            yield from (each for each in (() if read is None else read.features) if each.name not in declared)


def _with_past(group: GroupSpec, past: Past) -> GroupSpec:
    locks = {lock.version: lock for lock in group.locks}
    for file in group.version_files:
        if file.name in past.versions:
            lock = locks.get(file.name, LockFile(file.name, past.place, ()))
            locks[file.name] = replace(lock, types=tuple(_types(lock, past)))
    return replace(group, locks=tuple(locks.values()))


def _types(lock: LockFile, past: Past) -> Iterator[LockedType]:
    locked = {type_.name: type_ for type_ in lock.types}
    recorded = {name: fields for (version, name), fields in past.types.items() if version == lock.version}
    for name in {**locked, **recorded}:
        reserved = past.reserved.get((lock.version, name), ())
        yield _type(locked.get(name, LockedType(name, ())), recorded.get(name, {}), reserved)


def _type(
    locked: LockedType, recorded: AbstractMapping[str, LockedField], reserved: tuple[NumberRange, ...]
) -> LockedType:
    fields = {member.json_name: member for member in locked.fields}
    for name, member in recorded.items():
        known = fields.get(name)
        is_removed = known is not None and known.py_name is None
        fields[name] = replace(member, py_name=None) if is_removed else member
    numbers = [member.number for member in fields.values() if member.number is not None]
    numbers += (one.last for one in reserved)
    every = merged_ranges((*locked.reserved, *reserved))
    return LockedType(locked.name, tuple(fields.values()), max([locked.highest, *numbers]), every)


def _locked_fields(type_: Mapping, release: Release) -> Iterator[LockedField]:
    for section, name_of in (("fields", field_name), ("enum", member_name), ("tombstones", lambda _: None)):
        for key, node in branch(type_, section).entries:
            if isinstance(node, Mapping):
                is_inline = _is_true(child(node, "inline"))
                name = None if is_inline else _text(child(node, "pyName")) or name_of(key.text)
                yield LockedField(key.text, name, _number(node), Located(release, key.place))


def _reserved(type_: Mapping) -> tuple[NumberRange, ...]:
    written = child(type_, "reserved")
    numbers = None if written is None else NUMBERS.read(written, Context.of_run(Report()))
    return tuple(one.value for one in numbers or ())


def _number(node: Mapping) -> int | None:
    number = child(node, "protobuf")
    return number.value if isinstance(number, Scalar) and isinstance(number.value, int) else None


def _text(node: Node | None) -> str | None:
    return node.value if isinstance(node, Scalar) and isinstance(node.value, str) else None


def _is_true(node: Node | None) -> bool:
    return isinstance(node, Scalar) and node.value is True
