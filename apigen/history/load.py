"""Load the history of a spec folder: all records are checked, and read on first use of a release."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from apigen.dataclass import dataclass, field
from apigen.diagnostics import Place, Related, Report
from apigen.diagnostics.model import shown_path
from apigen.diagnostics.quoting import listing
from apigen.history.levels import GROUPS
from apigen.history.model import History
from apigen.history.rebuilding import Chain, Rebuilder, group_of
from apigen.history.records import RESTORE, listed_as, read_folder
from apigen.history.trees import branch
from apigen.history.unfinished import is_unfinished
from apigen.ir.stability import next_release
from apigen.language.folders import HistoryFolder, find_folders
from apigen.language.load import Catalog
from apigen.language.model import VersionHeader
from apigen.language.nodes import Context, Scalar
from apigen.language.releases import Release
from apigen.language.source import Sources


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
    catalog: Catalog,
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
    return _recorded(histories, catalog, report) if histories else Recorded()


def _recorded(histories: Sequence[HistoryFolder], catalog: Catalog, report: Report) -> Recorded:
    """Return the contents of folders of records."""
    sources = Sources(report)
    read = (read_folder(history, sources, report) for history in histories)
    folders = [folder for folder in read if folder is not None]
    if not folders:
        return Recorded()
    chains = tuple(Chain(folder, report) for folder in folders)
    if not report.has_errors:
        _check_groups(chains, report)
    rebuilder = Rebuilder(chains, catalog, report)
    releases = {record.header.release for folder in folders for record in folder.records}
    return Recorded(History(releases, rebuilder.api), chains, rebuilder)


def _check_groups(chains: tuple[Chain, ...], report: Report) -> None:
    """Report groups that no longer have the records which the spec folder's own records list."""
    records = {chain.folder.of: chain.folder.records for chain in chains}
    for chain in chains:
        newest = chain.folder.newest
        if not chain.is_of_gates or newest is None:
            continue
        for key, value in branch(chain.state(newest), GROUPS).entries:
            listed = value.text if isinstance(value, Scalar) else ""
            if all(listed != listed_as(record) for record in records.get(key.text, ())):
                report.error(
                    "AG1301",
                    key.place,
                    f"the record of {listed.partition(' ')[0]} of {key.text} is missing",
                    hint=RESTORE.format(folder=f"{key.text}/history"),
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
