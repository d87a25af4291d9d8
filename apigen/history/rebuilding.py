"""Rebuild releases from their records: the specs of the groups at the release, and the API that results from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from apigen.dataclass import dataclass, replace
from apigen.diagnostics import Place, Related, Report
from apigen.history.levels import FUNCTIONS, ORDER, RECORD
from apigen.history.records import Folder, Record
from apigen.history.trees import NOTHING, Change, Keys, Moves, branch, child, mapping, merged
from apigen.ir.model import Api, Release
from apigen.ir.resolve import resolve
from apigen.language.build_nodes import build_nodes
from apigen.language.folders import FEATURES_FILE, GROUP_FILE, HUB_FILE, SUFFIX
from apigen.language.load import HUB, Catalog, group_spec, with_catalog
from apigen.language.model import ApiSpec, FeatureSpec, GroupSpec, TypeSpec, VersionFile
from apigen.language.nodes import Context, Mapping, Scalar
from apigen.language.readers import groups
from apigen.language.readers.groups import FEATURES
from apigen.language.readers.types import HUB_TYPES_KEY, TYPES_KEY
from apigen.language.shapes import Key
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
    """Rebuild releases from all chains of a spec folder, with the groups of the catalog to which they refer."""

    def __init__(self, chains: Iterable[Chain], catalog: Catalog, report: Report) -> None:
        self._chains = tuple(chains)
        self._catalog = catalog
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
        api = resolve(with_catalog(self.own(release, own_report), self._catalog), own_report)
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
