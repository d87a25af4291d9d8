"""Keeps what runs made, and gives it back to runs that would make the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from apigen.diagnostics import Place, Report
from apigen.files.cache import Cache, cache_key
from apigen.review.memory.packing import DamagedError, pack, unpack

KEPT_BYTES = 128 * 1024 * 1024
"""What all entries may take together; those that nobody used for longest go first."""

T = TypeVar("T")

Parts = tuple[str | bytes, ...] | None
"""Everything that a value is made of; None: nobody can tell."""


class Keeper:
    """A folder of surfaces and reviews. Runs may share it, and it may be deleted at any time; None: nothing is kept.

    An entry that is damaged is made again, with the warning AG1408 in `report`.
    """

    def __init__(self, folder: Path | None, report: Report) -> None:
        self._report = report
        self._folder = folder
        self._cache = None if folder is None else Cache(folder / "reviews", self._warn)

    def kept(
        self, class_: type[T], parts: Parts, make: Callable[[], T | None], parts_now: Callable[[], Parts]
    ) -> T | None:
        """What was made of `parts` before, else what `make` makes, which is kept unless it is None.

        Without parts nobody knows what it depends on: it is made. Whatever `make` reports is reported once only, so what it
        makes with errors or warnings must be None, or is not to be kept. Nor is what was made while files changed, which
        `parts_now` tells afterwards: part of it may be of before, part of after.
        """
        found = self.recall(class_, parts)
        if found is not None:
            return found
        known = self._told
        made = make()
        if made is not None and self._told == known and self._cache is not None and parts_now() == parts:
            self.keep(parts, made)
        return made

    def recall(self, class_: type[T], parts: tuple[str | bytes, ...] | None) -> T | None:
        """What was kept under `parts`; None where nothing was."""
        key = self._key(class_, parts)
        if self._cache is None or key is None:
            return None
        packed = self._cache.get(key)
        if packed is None:
            return None
        try:
            found = unpack(packed)
        except DamagedError:
            self._warn(f"a kept {class_.__name__.lower()} cannot be read and is made anew")
            return None
        return found if isinstance(found, class_) else None

    def keep(self, parts: tuple[str | bytes, ...] | None, made: object) -> None:
        """Keep a value for later runs."""
        key = self._key(type(made), parts)
        if self._cache is not None and key is not None:
            data = pack(made)
            self._cache.put(key, data)
            self._cache.trim(KEPT_BYTES)

    def _key(self, class_: type, parts: tuple[str | bytes, ...] | None) -> str | None:
        if self._cache is None or parts is None:
            return None
        return cache_key("compat", class_.__name__, *parts)

    @property
    def _told(self) -> int:
        """How many diagnostics there are, but for those of the cache itself."""
        return sum(each.code != "AG1408" for each in self._report.diagnostics)

    def _warn(self, text: str) -> None:
        self._report.warning("AG1408", Place(str(self._folder)), text)
