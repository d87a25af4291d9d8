"""Writes what was built of a project, or says how what is there differs from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path

from apigen.config import Config
from apigen.diagnostics import Diagnostic, Place, Report, Severity
from apigen.emit.compare import compare
from apigen.emit.errors import PublishError, PublishRefused
from apigen.emit.writer import publish
from apigen.project.build import Built
from apigen.project.locks import Lock


@dataclass(frozen=True, slots=True)
class Changes:
    """What a run wrote: paths as shown to people. `kept` are files that it no longer makes, but somebody rewrote."""

    created: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    kept: tuple[str, ...]
    unchanged: int


@dataclass(frozen=True, slots=True)
class Difference:
    """How what is there differs from what was built: as text, and a diagnostic (AG0910) per file."""

    unified: str
    diagnostics: tuple[Diagnostic, ...]


def publish_project(config: Config, built: Built, report: Report) -> Changes | None:
    """Write locks and output. None, with diagnostics (AG0911, AG0912), if something is in the way.

    Locks come first: a number that is remembered and not used does no harm, one that is used must be remembered.
    """
    stale = [lock for lock in built.locks if lock.is_stale]
    shown = shown_path(config.output)
    try:
        refuse_obstacles(config, built)
        _write(stale)
        done = publish(built.files, config.output)
    except PublishRefused as refused:
        for obstacle in refused.obstacles:
            report.error("AG0911", Place(f"{shown}/{obstacle.path}"), f"in the way is {obstacle.reason}", hint=_MOVE_IT)
        return None
    except PublishError as error:
        report.error("AG0912", Place(shown), str(error))
        return None
    new = [lock for lock in stale if lock.present is None]
    return Changes(
        created=(*(lock.shown for lock in new), *(f"{shown}/{path}" for path in done.created)),
        changed=(*(k.shown for k in stale if k not in new), *(f"{shown}/{path}" for path in done.changed)),
        removed=tuple(f"{shown}/{path}" for path in done.removed),
        kept=tuple(f"{shown}/{path}" for path in done.kept),
        unchanged=len(built.locks) - len(stale) + len(done.unchanged),
    )
