"""What was read of files of specs, for a later review of specs of which some files are others."""

from __future__ import annotations

import marshal
from pathlib import Path

from apigen.diagnostics import Place, Report
from apigen.emit.cache import Cache, cache_key, is_of_form
from apigen.spec.known_files import KNOWN_FORM, KnownFiles


class KeptFiles:
    """The files of a folder of specs, as they were read before: of its last state, be it of a revision or of now.

    `specs` is how the folder is called in its project. Without a folder for caches nothing is kept.
    An entry that is damaged is made anew, with the warning AG1408 in `report`.
    """

    def __init__(self, cache: Path | None, specs: str, report: Report) -> None:
        self._report = report
        self._folder = cache
        self._cache = None if cache is None else Cache(cache / "reviews", self._warn)
        self._key = cache_key("read", str(Path.cwd()), specs)
        self.known = self._known()

    def keep(self) -> None:
        """Keep what was read."""
        if self._cache is not None and self.known is not None and self.known.is_new:
            self._cache.put(self._key, marshal.dumps(dict(self.known.all)))

    def _known(self) -> KnownFiles | None:
        if self._cache is None:
            return None
        try:
            known = marshal.loads(self._cache.bytes_for(self._key, _nothing))
        except (_NotKeptError, EOFError, TypeError, ValueError):
            known = {}
        return KnownFiles(known if is_of_form(known, KNOWN_FORM) else {})

    def _warn(self, text: str) -> None:
        self._report.warning("AG1408", Place(str(self._folder)), text)


class _NotKeptError(Exception):
    """There is no such entry."""


def _nothing() -> bytes:
    raise _NotKeptError
