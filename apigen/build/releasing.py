"""Record a release: all records of a run or none, even if it is killed, and never by two runs at once."""

from __future__ import annotations

import errno
import glob
import json
import os
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from apigen.build.publisher.locking import locked
from apigen.codegen.pipeline import Checked
from apigen.diagnostics import Place, Report
from apigen.diagnostics.model import shown_path
from apigen.diagnostics.quoting import listing, quote
from apigen.diagnostics.suggest import did_you_mean
from apigen.files.whole_file import STAGED, check_target, write_whole
from apigen.history.planning import NewRecord, Present, modules_in, plan_release
from apigen.history.unfinished import JOURNAL_FILE, is_unfinished
from apigen.ir.names import package_name
from apigen.language.configuration import Config
from apigen.language.folders import HISTORY_FOLDER, SUFFIX
from apigen.language.load import BuiltinApis, builtin_apis_folder
from apigen.language.releases import Release


def write_together(root: Path, files: Mapping[Path, str]) -> None:
    """Write files below `root`, and create their folders. Raises OSError if one cannot be written; then none is."""
    if files:
        content = {path.relative_to(root).as_posix(): text for path, text in files.items()}
        for path in files:  # obstacles are detected before any change
            check_target(path)
            path.parent.mkdir(parents=True, exist_ok=True)
            _check_writable(path)
        _write_atomically(root / JOURNAL_FILE, json.dumps(content))
        complete(root)


def complete(root: Path) -> None:
    """Complete the writes of a killed run, if there is one. Raises OSError."""
    if not is_unfinished(root):
        return
    for path, text in _journal(root).items():
        path.parent.mkdir(parents=True, exist_ok=True)
        _write_atomically(path, text)
    (root / JOURNAL_FILE).unlink()


def _journal(root: Path) -> Mapping[Path, str]:
    """Return the files that a journal lists. A journal that no run has written (it came with a repository) is rejected."""
    path = root / JOURNAL_FILE
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        files = {root / name: str(text) for name, text in content.items()}
    except (ValueError, AttributeError, TypeError, RecursionError):
        files = {path: ""}
    for file in files:
        inside = file.resolve().is_relative_to(root.resolve())
        if not inside or file.suffix != SUFFIX or file.parent.name != HISTORY_FOLDER:
            raise OSError(errno.EINVAL, "apigen did not create this file; remove it", str(path))
    return files


def _check_writable(path: Path) -> None:
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path.parent))


def _write_atomically(path: Path, text: str) -> None:
    """Write a file atomically: readers see the old or the new content. The temporary file of a killed run is replaced."""
    for staged in path.parent.glob(f".{glob.escape(path.name)}.*{STAGED}"):
        staged.unlink(missing_ok=True)  # of a killed run: this one has the lock of the spec folder
    write_whole(path, text.encode())


@contextmanager
def recording(config: Config) -> Iterator[None]:
    """Prevent other runs from recording a release, from the check of the specs until their release is recorded.

    The records of a killed run are completed first. Raises OSError.
    """
    if not config.specs.is_dir():  # which the check reports
        yield
        return
    with locked(config.specs):
        complete(config.specs)
        yield


def record_release(
    config: Config, checked: Checked | None, release: Release, groups: Collection[str] | None, report: Report
) -> tuple[NewRecord, ...] | None:
    """Record the checked specs as a release, and return the records: none without changes. None, with diagnostics, if that
    fails.

    Call this function, and the check, within `recording`. `groups` are the folders of the released groups; None: all, and
    the gates that no group names.
    """
    if checked is None or not config.specs.is_dir():
        return None
    if checked.api is None or report.has_errors:
        message = f"release {release} was not recorded, because the specs have errors"
        report.error("AG1304", Place(shown_path(config.specs)), message, hint="fix them, then run again")
        return None
    if not _are_known(groups, checked, report):
        return None
    functions = partial(_functions, config.handwritten)
    builtin_apis = BuiltinApis(report, builtin_apis_folder())
    present = Present(config.specs, Path.cwd(), checked.api, checked.spec, functions, builtin_apis)
    planned = plan_release(present, checked.recorded, release, groups, report)
    if planned is None:
        return None
    write_together(config.specs, _files(planned))
    return planned


def _are_known(groups: Collection[str] | None, checked: Checked, report: Report) -> bool:
    unknown = [group for group in groups or () if group not in checked.own]
    for group in unknown:
        hint = did_you_mean(group, checked.own) or f"known groups: {listing(tuple(sorted(checked.own)), 'and')}"
        report.error("AG0907", Place("command line"), f"the specs have no group {quote(group)}", hint=hint)
    series = {} if checked.api is None else checked.api.series_of_groups
    foreign = [group for group in groups or () if series.get(group)]
    for group in foreign:
        message = f"group {quote(group)} belongs to the release series {quote(series[group])}"
        hint = "only groups of the project's own series are recorded"
        report.error("AG0907", Place("command line"), message, hint=hint)
    return not unknown and not foreign


def _files(records: Collection[NewRecord]) -> Mapping[Path, str]:
    """Return the files to write: each record before the list that contains it."""
    texts = {record.file.path: record.text for record in records}
    return texts | {record.chain.path: record.chain_text for record in records}


def _functions(folder: Path, group: str) -> Mapping[str, str]:
    return modules_in(folder / package_name(group))
