"""Reuse the review of the same two inputs by the same version of apigen."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from pathlib import Path

from apigen.dataclass import replace
from apigen.diagnostics import Place, Report
from apigen.files.cache import Cache, cache_key
from apigen.files.packing import DamagedError, pack, unpack
from apigen.review.finding import Review
from apigen.review.sources.loading import content_of
from apigen.review.sources.source import Setting
from apigen.review.surface import Surface
from apigen.runtime.gc import gc_paused

CACHE_BYTES = 128 * 1024 * 1024
"""Maximum size of all entries together; the least recently used are evicted first."""


@gc_paused()  # a review keeps nearly all objects that it creates
def cached_review(
    sides: tuple[str, str],
    options: tuple[str, ...],
    setting: Setting,
    report: Report,
    make: Callable[[], Review | None],
) -> Review | None:
    """Return the review of two inputs, from the cache of the setting or computed by `make`, and cached unless it is `None`.

    `options` are the other inputs of the review. Approvals, dates and failure settings are applied afterwards, and are not
    options. The sides of a review from or for the cache have no types, which reports do not read.

    A review with unknown inputs is computed and not cached. Diagnostics of `make` are reported only when it runs, so a review
    with errors or warnings is not cached. Nor is one computed while files changed, because it may mix old and new contents.
    A damaged entry is computed again, with the warning AG1408 in `report`. Several runs may use the folder at the same
    time, and it may be deleted at any time.
    """
    folder = setting.cache
    if folder is None:
        return make()

    def warn(text: str) -> None:
        report.warning("AG1408", Place(str(folder)), text)

    def reported() -> int:
        return sum(each.code != "AG1408" for each in report.diagnostics)

    cache, inputs = Cache(folder / "reviews", warn), _inputs(sides, options, setting)
    key = None if inputs is None else cache_key("compat", Review.__name__, *inputs)
    packed = None if key is None else cache.get(key)
    if packed is not None:
        try:
            found = unpack(packed)
            if isinstance(found, Review):
                return found
        except DamagedError:
            warn("a kept review cannot be read and is computed again")
    before = reported()
    computed = make()
    if computed is None:
        return None
    computed = replace(computed, old=_without_types(computed.old), new=_without_types(computed.new))
    if key is not None and reported() == before and _inputs(sides, options, setting) == inputs:
        cache.put(key, pack(computed))
        cache.trim(CACHE_BYTES)
    return computed


def _without_types(side: Surface) -> Surface:
    """Return a side without its types and schemas, which only rules and the search for objects read."""
    groups = {
        name: replace(group, versions={each.name: replace(each, types={}) for each in group.versions.values()})
        for name, group in side.groups.items()
    }
    return replace(side, groups=groups, schemas={})


def _inputs(sides: tuple[str, str], options: tuple[str, ...], setting: Setting) -> tuple[str | bytes, ...] | None:
    """Return all inputs of a review; None if they are unknown."""
    contents = [content_of(side, setting) for side in sides]
    functions = _functions(setting.hand_written)
    if functions is None:
        return None
    known = [(*part, "") for part in contents if part is not None]
    return (*options, *functions, *chain.from_iterable(known)) if len(known) == len(contents) else None


def _functions(folder: Path | None) -> tuple[str | bytes, ...] | None:
    """Return the hand-written functions, with which examples of findings are run; None if their files are unusual."""
    from apigen.files.folder_contents import UnusualFileError, key_parts

    try:
        return () if folder is None else key_parts(folder)
    except UnusualFileError:
        return None
