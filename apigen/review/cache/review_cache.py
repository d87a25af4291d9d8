"""Cache results of a run for later runs with the same inputs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from apigen.diagnostics import Place, Report
from apigen.files.cache import Cache, cache_key
from apigen.review.cache.packing import DamagedError, pack, unpack

CACHE_BYTES = 128 * 1024 * 1024
"""Maximum size of all entries together; the least recently used are evicted first."""

T = TypeVar("T")

Parts = tuple[str | bytes, ...] | None
"""All inputs of a value; `None` if they are unknown."""


class ReviewCache:
    """A cache of surfaces and reviews in a folder; without a folder, nothing is cached.

    Several runs may use the folder at the same time, and it may be deleted at any time.

    A damaged entry is computed again, with the warning AG1408 in `report`.
    """

    def __init__(self, folder: Path | None, report: Report) -> None:
        self._report = report
        self._folder = folder
        self._cache = None if folder is None else Cache(folder / "reviews", self._warn)

    def kept(
        self, class_: type[T], parts: Parts, make: Callable[[], T | None], parts_now: Callable[[], Parts]
    ) -> T | None:
        """Return the cached value for `parts`, or the result of `make`, which is cached unless it is `None`.

        Without parts, the value is computed and not cached. Diagnostics of `make` are reported only when it runs, so a
        result with errors or warnings is not cached. Nor is one computed while files changed, which `parts_now` detects
        afterwards: it may mix old and new contents.
        """
        found = self.get(class_, parts)
        if found is not None:
            return found
        known = self._told
        made = make()
        if made is not None and self._told == known and self._cache is not None and parts_now() == parts:
            self.keep(parts, made)
        return made

    def get(self, class_: type[T], parts: tuple[str | bytes, ...] | None) -> T | None:
        """Return the cached value for `parts`; None without one."""
        key = self._key(class_, parts)
        if self._cache is None or key is None:
            return None
        packed = self._cache.get(key)
        if packed is None:
            return None
        try:
            found = unpack(packed)
        except DamagedError:
            self._warn(f"a kept {class_.__name__.lower()} cannot be read and is computed again")
            return None
        return found if isinstance(found, class_) else None

    def keep(self, parts: tuple[str | bytes, ...] | None, made: object) -> None:
        """Store a value for later runs; the least recently used entries are evicted."""
        key = self._key(type(made), parts)
        if self._cache is not None and key is not None:
            data = pack(made)
            self._cache.put(key, data)
            self._cache.trim(CACHE_BYTES)

    def _key(self, class_: type, parts: tuple[str | bytes, ...] | None) -> str | None:
        if self._cache is None or parts is None:
            return None
        return cache_key("compat", class_.__name__, *parts)

    @property
    def _told(self) -> int:
        """Return the number of diagnostics, without those of the cache itself."""
        return sum(each.code != "AG1408" for each in self._report.diagnostics)

    def _warn(self, text: str) -> None:
        self._report.warning("AG1408", Place(str(self._folder)), text)
