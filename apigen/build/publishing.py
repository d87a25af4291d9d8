"""Write the output of a project, or report its differences from the existing files."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.build.built import Built, Changes, Lock
from apigen.build.publisher.drift import Difference, compare
from apigen.build.publisher.output_folder import MANIFEST_NAME, Manifest, PublishConflict, PublishError, make_plan
from apigen.build.publisher.writer import publish
from apigen.dataclass import dataclass, replace
from apigen.diagnostics import Diagnostic, Place, Report, Severity
from apigen.diagnostics.model import shown_path
from apigen.files.whole_file import LinkError
from apigen.language.configuration import Config


@dataclass(frozen=True, slots=True)
class ProjectDrift:
    """The differences of existing files from the built ones: as a unified diff, and as a diagnostic (AG0910) for each
    file.
    """

    unified: str
    diagnostics: tuple[Diagnostic, ...]


def publish_project(config: Config, built: Built, report: Report) -> Changes | None:
    """Write the locks and the output. None, with diagnostics (AG0911, AG0912), if something is in the way.

    Locks are written first: an unused number in a lock is harmless, but a used number must be in the lock.
    """
    before = {lock: lock.present for lock in built.locks}
    stale = [lock for lock, present in before.items() if present != lock.text.encode()]
    display_path = shown_path(config.output)
    try:
        if stale:
            # a conflict is rejected here, before anything is written
            make_plan(built.files, config.output.resolve(), built.formatter)
        _write(stale)
        published = publish(built.files, config.output, formatter=built.formatter)
    except PublishConflict as rejected:
        for obstacle in rejected.obstacles:
            hint = "move or delete it, or choose another output folder; then run again"
            report.error(
                "AG0911", Place(f"{display_path}/{obstacle.path}"), f"conflicting path: {obstacle.reason}", hint=hint
            )
        return None
    except PublishError as error:
        report.error("AG0912", Place(display_path), str(error), hint=error.hint)
        return None
    return Changes(
        created=(
            *(lock.display_path for lock in stale if before[lock] is None),
            *_below(display_path, published.created),
        ),
        changed=(
            *(lock.display_path for lock in stale if before[lock] is not None),
            *_below(display_path, published.changed),
        ),
        removed=tuple(_below(display_path, published.removed)),
        kept=tuple(_below(display_path, published.kept)),
        unchanged=(
            *(lock.display_path for lock in built.locks if lock not in stale),
            *_below(display_path, published.unchanged),
        ),
    )


def compare_project(config: Config, built: Built, report: Report) -> ProjectDrift | None:
    """Return the differences of locks and output from what was built; None, with a diagnostic (AG0912), if they cannot
    be read.
    """
    display_path = shown_path(config.output)
    try:
        found = compare(built.files, config.output)
    except PublishError as error:
        report.error("AG0912", Place(display_path), str(error), hint=error.hint)
        return None
    differences = [replace(difference, path=f"{display_path}/{difference.path}") for difference in found]
    locks = (Difference(lock.display_path, lock.present, lock.text.encode()) for lock in built.locks)
    differences += [lock for lock in locks if lock.found != lock.expected]
    differences.sort(key=lambda difference: difference.path)
    diagnostics = [_diagnostic(difference) for difference in differences]
    recorded = Manifest.read(config.output).formatter
    if differences and recorded and recorded != built.formatter:
        diagnostics.insert(0, _other_formatter(f"{display_path}/{MANIFEST_NAME}", recorded, built.formatter))
    return ProjectDrift("".join(d.unified_diff() for d in differences), tuple(diagnostics))


def _below(folder: str, paths: tuple[str, ...]) -> Iterator[str]:
    return (f"{folder}/{path}" for path in paths)


def _write(locks: list[Lock]) -> None:
    for lock in locks:
        try:
            lock.write()
        except LinkError as error:
            hint = "replace the symbolic link with the folder or file itself, or set `specs` to a path without links"
            raise PublishError(f"cannot write the lock {lock.display_path}: {error.problem}", hint) from error
        except OSError as error:
            raise PublishError(f"cannot write the lock {lock.display_path}: {error.strerror or error}") from error


def _diagnostic(difference: Difference) -> Diagnostic:
    if difference.expected is None:
        message = "obsolete file: the specs no longer generate it"
    elif difference.found is None:
        message = "missing file: the specs generate it"
    else:
        message = "outdated or edited file: it differs from the output of the specs"
    place = Place(difference.path, _first_line(difference), 1)
    return Diagnostic("AG0910", Severity.ERROR, place, message, "run `apigen generate` and commit the changes")


def _other_formatter(manifest: str, recorded: str, installed: str) -> Diagnostic:
    name, _, version = recorded.partition(" ")
    instruction = "run `apigen generate` and commit the changes"
    return Diagnostic(
        "AG0915",
        Severity.ERROR,
        Place(manifest),
        f"the output was formatted with `{recorded}`, but this run uses `{installed}`",
        f"pip install {name}=={version}, or {instruction}" if version else instruction,
    )


def _first_line(difference: Difference) -> int:
    """Return the number of the first different line."""
    found = difference.found.splitlines() if isinstance(difference.found, bytes) else []
    expected = (difference.expected or b"").splitlines()
    same = (number for number, (old, new) in enumerate(zip(found, expected, strict=False), 1) if old != new)
    return next(same, min(len(found), len(expected)) + 1) if found else 1
