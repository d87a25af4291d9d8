"""Check a project, review the changes since its last recorded release, and build or record it if both succeed."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import date
from typing import TYPE_CHECKING

from apigen.build.build import build_project, check_names, check_project
from apigen.build.build_cache import BuildCache
from apigen.build.built import Built
from apigen.diagnostics import Report
from apigen.ir.model import Api, Release, Struct
from apigen.language.configuration import Config

if TYPE_CHECKING:  # a run that changes nothing does not load the compiler
    from apigen.codegen.pipeline import Checked
    from apigen.history.planning import NewRecord


def check_reviewed(
    config: Config,
    report: Report,
    *,
    check_unselected: bool = False,
    is_shipped: bool = False,
    today: date | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> Checked | None:
    """Check a project as `check_project` does, with the same arguments; None (AG0908) if there is no project.

    A change that breaks compatibility with the last recorded release is an error, too. So is a removal that is announced too
    early; it is a warning if no release was recorded, and nothing `is_shipped` now. Approvals expire by date if `today` is given.
    """
    checked = check_project(config, report, check_unselected=check_unselected, is_shipped=is_shipped, progress=progress)
    if checked is not None and (checked.recorded.history.newest is not None or _announces_ends(checked.api)):
        from apigen.review.release_step import report_breaking_changes  # imports all rules

        progress("reviewing the changes")
        report_breaking_changes(checked, config.approvals, report, today, is_shipped=is_shipped)
    return checked


def _announces_ends(api: Api | None) -> bool:
    """Return whether a version, a kind or a field declares a removal or a replacement."""
    if api is None:
        return False
    structs = [each for each in api.types.values() if isinstance(each, Struct)]
    lives = [version.lifecycle for group in api.groups for version in group.versions]
    lives += (struct.lifecycle for struct in structs)
    lives += (field.lifecycle for struct in structs for field in struct.own_fields)
    return any(life.removed is not None or life.replacement is not None for life in lives)


def build_reviewed(
    config: Config,
    report: Report,
    progress: Callable[[str], None],
    cache: BuildCache | None = None,
    on_file: Callable[[str], None] = lambda _: None,
) -> Built | None:
    """Return the output for the specs of a project; None, with diagnostics, if they have errors.

    `cache` and `on_file` are those of `build_project`.
    """
    progress("importing the compiler")
    check_names(config, report)
    checked = check_reviewed(config, report, progress=progress)
    return None if checked is None else build_project(config, checked, report, progress, cache, on_file)


def record_reviewed(
    config: Config, release: Release, groups: Collection[str] | None, report: Report
) -> tuple[NewRecord, ...] | None:
    """Record the specs of a project as a release; None, with diagnostics, if that fails.

    `groups` are those of `record_release`. Raises OSError.
    """
    from apigen.build.releasing import record_release, recording

    with recording(config):
        has_specs = config.specs.is_dir()
        checked = check_reviewed(config, report, check_unselected=has_specs, is_shipped=has_specs, today=date.today())
        return record_release(config, checked, release, groups, report)
