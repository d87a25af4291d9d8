"""Check released groups that were removed from the specs."""

from __future__ import annotations

from apigen.diagnostics import Related, Report
from apigen.diagnostics.quoting import listing
from apigen.history.load import Recorded
from apigen.history.rebuilding import group_of
from apigen.ir.lifecycle import parse_release
from apigen.ir.model import Release
from apigen.language.context import Context
from apigen.language.model import VersionHeader


def check_left_groups(recorded: Recorded, release: Release | None, report: Report) -> None:
    """Report the groups that may not go yet (AG1305): of which a version was not removed when it was last released."""
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
    return removed is not None and release is not None and parse_release(removed.value) <= release
