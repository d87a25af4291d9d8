"""Plan the records of `apigen release`: one for each group that the release changes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from collections.abc import Mapping as AbstractMapping
from pathlib import Path

from apigen.dataclass import dataclass, replace
from apigen.diagnostics import Place, Report
from apigen.diagnostics.quoting import listing, quote
from apigen.history.comparing import differing
from apigen.history.levels import GROUPS, RECORD
from apigen.history.load import Recorded
from apigen.history.present import Present
from apigen.history.rebuilding import Chain, Rebuilder
from apigen.history.records import CHAIN_FILE, Folder, Record, chain_text, listed_as
from apigen.history.trees import NOTHING, difference, entry, mapping, scalar
from apigen.history.writing import Header, record_text, taken_apart
from apigen.ir.stability import next_release
from apigen.language.folders import FEATURES_FILE, HISTORY_FOLDER, SpecFile
from apigen.language.nodes import Mapping
from apigen.language.releases import Release
from apigen.language.source import SourceFile


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
    rebuilt = Rebuilder(chains, present.catalog, own_report).api(release)
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
