"""Reuse the review of the same two inputs by the same version of apigen."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from pathlib import Path

from apigen.diagnostics import Report
from apigen.review.finding import Review
from apigen.review.sources.loading import content_of
from apigen.review.sources.source import Setting
from apigen.runtime.gc import gc_paused


@gc_paused()  # a review keeps nearly all objects that it creates
def cached_review(
    sides: tuple[str, str],
    options: tuple[str, ...],
    setting: Setting,
    report: Report,
    make: Callable[[], Review | None],
) -> Review | None:
    """Return the review of two inputs, from the cache or computed by `make`. `options` are the other inputs of the
    review.

    Approvals, dates and failure settings are applied afterwards, and are not options.
    """
    if setting.cache is None:
        return make()
    from apigen.review.cache.review_cache import Parts, kept_review

    def parts() -> Parts:
        contents = [content_of(side, setting) for side in sides]
        functions = _functions(setting.hand_written)
        if functions is None:
            return None
        known = [(*part, "") for part in contents if part is not None]
        return (*options, *functions, *chain.from_iterable(known)) if len(known) == len(contents) else None

    return kept_review(setting.cache, report, make, parts)


def _functions(folder: Path | None) -> tuple[str | bytes, ...] | None:
    """Return the hand-written functions, with which examples of findings are run; None if their files are unusual."""
    from apigen.files.folder_contents import UnusualFileError, key_parts

    try:
        return () if folder is None else key_parts(folder)
    except UnusualFileError:
        return None
