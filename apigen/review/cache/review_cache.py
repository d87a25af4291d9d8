"""Cache of reviews, with a hash of all their inputs as key."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from apigen.dataclass import replace
from apigen.diagnostics import Place, Report
from apigen.files.cache import Cache, cache_key
from apigen.files.packing import DamagedError, pack, unpack
from apigen.review.finding import Review
from apigen.review.surface import Surface

CACHE_BYTES = 128 * 1024 * 1024
"""Maximum size of all entries together; the least recently used are evicted first."""

Parts = tuple[str | bytes, ...] | None
"""All inputs of a review; `None` if they are unknown."""


def kept_review(
    folder: Path, report: Report, make: Callable[[], Review | None], parts: Callable[[], Parts]
) -> Review | None:
    """Return the cached review of `parts`, or the result of `make`, which is cached unless it is `None`.

    The sides of the review have no types, which reports do not read.

    Without parts, the review is computed and not cached. Diagnostics of `make` are reported only when it runs, so a review
    with errors or warnings is not cached. Nor is one computed while files changed, because it may mix old and new contents.
    A damaged entry is computed again, with the warning AG1408 in `report`. Several runs may use the folder at the same
    time, and it may be deleted at any time.
    """

    def warn(text: str) -> None:
        report.warning("AG1408", Place(str(folder)), text)

    def reported() -> int:
        return sum(each.code != "AG1408" for each in report.diagnostics)

    cache, inputs = Cache(folder / "reviews", warn), parts()
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
    if key is not None and reported() == before and parts() == inputs:
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
