"""Records a release: all records of a run, or none, whenever it is stopped, and no two runs at once."""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping
from functools import partial
from pathlib import Path

from apigen.catalogue import Catalogue, catalogue_folder
from apigen.config import Config
from apigen.dataclass import dataclass
from apigen.diagnostics import Place, Report
from apigen.diagnostics.quoting import listing, quote
from apigen.diagnostics.suggest import did_you_mean
from apigen.emit.locking import locked
from apigen.history.planning import NewRecord, plan_release
from apigen.history.present import Present, modules_in
from apigen.ir.generated_modules import package_name
from apigen.ir.model import Release
from apigen.pipeline import Checked
from apigen.project.build import check_project
from apigen.project.journal import complete, write_together


@dataclass(frozen=True, slots=True)
class Recorded:
    """What a run recorded, in order; nothing, if nothing has changed."""

    records: tuple[NewRecord, ...]


def record_release(config: Config, release: Release, groups: Collection[str] | None, report: Report) -> Recorded | None:
    """Record what the specs say as that release; None, with diagnostics, if that cannot be.

    `groups` are the folders of those that are released; None is all, and the gates that no group names.
    """
    if not config.specs.is_dir():  # which the check reports
        check_project(config, report)
        return None
    with locked(config.specs, _tell):
        complete(config.specs)
        checked = check_project(config, report, everything=True, is_shipped=True)
        if checked is None or checked.api is None or report.has_errors:
            if checked is not None:
                message = f"release {release} is not recorded, as there are errors in the specs"
                report.error("AG1304", Place(_shown(config.specs)), message, hint="mend them, then run again")
            return None
        if not _are_known(groups, checked, report):
            return None
        functions = partial(_functions, config.handwritten)
        catalogue = Catalogue(report, catalogue_folder())
        present = Present(config.specs, Path.cwd(), checked.api, checked.spec, functions, catalogue)
        planned = plan_release(present, checked.recorded, release, groups, report)
        if planned is None:
            return None
        write_together(config.specs, _files(planned))
    return Recorded(planned)


def _are_known(groups: Collection[str] | None, checked: Checked, report: Report) -> bool:
    unknown = [group for group in groups or () if group not in checked.own]
    for group in unknown:
        hint = did_you_mean(group, checked.own) or f"there are {listing(tuple(sorted(checked.own)), 'and')}"
        report.error("AG0907", Place("command line"), f"the specs have no group {quote(group)}", hint=hint)
    series = {} if checked.api is None else checked.api.series_of_groups
    foreign = [group for group in groups or () if series.get(group)]
    for group in foreign:
        message = f"the group {quote(group)} belongs to the release series {quote(series[group])}"
        hint = "only groups of the project's own series are recorded"
        report.error("AG0907", Place("command line"), message, hint=hint)
    return not unknown and not foreign


def _files(records: Collection[NewRecord]) -> Mapping[Path, str]:
    """The files to be written: each record before the list that names it."""
    texts = {record.file.path: record.text for record in records}
    return texts | {record.chain.path: record.chain_text for record in records}


def _functions(folder: Path, group: str) -> Mapping[str, str]:
    return modules_in(folder / package_name(group))


def _shown(path: Path) -> str:
    start = Path.cwd()
    return path.relative_to(start).as_posix() if path.is_relative_to(start) else path.as_posix()


def _tell(text: str) -> None:
    sys.stderr.write(f"apigen: {text}\n")
