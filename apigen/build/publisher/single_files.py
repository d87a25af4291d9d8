"""Write an output folder file by file, if it cannot be replaced as a whole.

All new files and a journal of the changes are prepared before the first change. Each file is replaced
atomically, so no file is ever half-written; but if a run is killed, the folder has files of both runs
until the next run has completed the journal.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from apigen.build.publisher.output_folder import (
    MANIFEST_NAME,
    WORK,
    Plan,
    Survey,
    compiled_from,
    digest,
    discard,
    folders_above,
    write_all,
)
from apigen.codegen.output import check_path
from apigen.dataclass import dataclass
from apigen.files.whole_file import flush

JOURNAL = "journal"


@dataclass(frozen=True, slots=True)
class Step:
    """One change of one file.

    Attributes:
        path: the file.
        staged: the name of the prepared file that replaces it; None if it is removed.
        before: the digest of the current file, `None` without one. A file that has changed since is not written.
    """

    path: str
    staged: str | None
    before: str | None


def publish_single_files(root: Path, plan: Plan) -> None:
    """Carry out a plan, step by step."""
    root.mkdir(parents=True, exist_ok=True)
    stage = root / WORK / "stage"
    discard(stage)
    contents = {str(number): content for number, content in enumerate(plan.written.values())}
    steps = tuple(_steps(root, plan, dict(zip(plan.written, contents, strict=True))))
    try:
        stage.mkdir(parents=True)
        write_all(stage, contents)
        _keep_modes(root, stage, steps)
        _write_journal(root, steps)
    except BaseException:
        _clean(root)
        raise
    recover_single_files(root)


def needs_recovery(root: Path) -> bool:
    """Return whether a run was killed before it had followed its journal to the end."""
    return (root / WORK / JOURNAL).exists()


def recover_single_files(root: Path) -> None:
    """Complete the journal, if there is one. Steps that are already done are skipped."""
    steps = _read_journal(root)
    for step in steps:
        _take(root, step)
    for folder in sorted(folders_above([step.path for step in steps if step.staged is None]), reverse=True):
        with suppress(OSError):  # not empty
            (root / folder).rmdir()
    _clean(root)


def _steps(root: Path, plan: Plan, staged: Mapping[str, str]) -> Iterator[Step]:
    """Return removals of files at the paths of new folders, then new files, then other removals, then the manifest."""
    survey = Survey(root)
    removed = [*plan.removed, *_compiled(root, plan.removed)]
    parents = folders_above(tuple(plan.created))
    in_the_way = {path for path in removed if path in parents or folders_above([path]) & plan.created.keys()}
    paths = [
        *sorted(in_the_way),
        *sorted(staged.keys() - {MANIFEST_NAME}),
        *(path for path in removed if path not in in_the_way),
        *(staged.keys() & {MANIFEST_NAME}),
    ]
    for path in paths:
        present = survey.look(path)
        yield Step(path, staged.get(path), digest(present) if isinstance(present, bytes) else None)


def _compiled(root: Path, modules: tuple[str, ...]) -> list[str]:
    """Yield the compiled forms of removed modules."""
    found: set[str] = set()
    for module in modules:
        folder, start = compiled_from(module)
        if (root / folder).is_dir():
            names = (entry.name for entry in (root / folder).iterdir())
            found |= {f"{folder}/{name}" for name in names if name.startswith(start) and name.endswith(".pyc")}
    return sorted(found)


def _keep_modes(root: Path, stage: Path, steps: tuple[Step, ...]) -> None:
    for step in steps:
        if step.staged is not None and step.before is not None:
            (stage / step.staged).chmod((root / step.path).stat().st_mode)


def _write_journal(root: Path, steps: tuple[Step, ...]) -> None:
    """Commit the run: from now on this or a later run completes it."""
    work = root / WORK
    text = json.dumps([asdict(step) for step in steps])
    write_all(work / "stage", {JOURNAL: text.encode()})
    (work / "stage" / JOURNAL).replace(work / JOURNAL)
    flush([work])


def _read_journal(root: Path) -> tuple[Step, ...]:
    try:
        steps = tuple(Step(**step) for step in json.loads((root / WORK / JOURNAL).read_bytes()))
        for step in steps:
            check_path(step.path)
            if step.staged is not None and not step.staged.isdecimal():
                return ()
    except (FileNotFoundError, NotADirectoryError, ValueError, TypeError):
        return ()
    return steps


def _take(root: Path, step: Step) -> None:
    """Carry out a step, unless it is already done, or the file changed in the meantime."""
    present = Survey(root).look(step.path)
    now = digest(present) if isinstance(present, bytes) else None
    place = root / step.path
    if now != step.before:
        return
    if step.staged is None:
        place.unlink(missing_ok=True)
        return
    source = root / WORK / "stage" / step.staged
    if source.is_file() and not source.is_symlink():
        place.parent.mkdir(parents=True, exist_ok=True)
        _make_room(place)
        source.replace(place)


def _make_room(place: Path) -> None:
    """Remove a folder that earlier steps emptied."""
    if place.is_dir() and not place.is_symlink():
        for folder in sorted((entry for entry in place.rglob("*") if entry.is_dir()), reverse=True):
            folder.rmdir()
        place.rmdir()


def _clean(root: Path) -> None:
    work = root / WORK
    (work / JOURNAL).unlink(missing_ok=True)
    discard(work / "stage")
    with suppress(OSError):  # not empty: the lock is in it
        work.rmdir()
