"""The history of an API: the recorded releases, each rebuilt on first use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from apigen.ir.model import Api, Release


class History:
    """The recorded releases, in order. An API without records has an empty history.

    `rebuild` returns the API as a release shipped it; its results are cached.
    """

    def __init__(self, releases: Iterable[Release] = (), rebuild: Callable[[Release], Api] | None = None) -> None:
        self.releases: tuple[Release, ...] = tuple(sorted(releases))
        self._rebuild = rebuild
        self._rebuilt: dict[Release, Api] = {}

    @property
    def newest(self) -> Release | None:
        """The last recorded release, or `None`."""
        return self.releases[-1] if self.releases else None

    def api(self, release: Release) -> Api:
        """Return the API as `release` shipped it, with locations in its records. Raises KeyError without a record of
        the release.
        """
        if release not in self._rebuilt:
            if self._rebuild is None or release not in self.releases:
                raise KeyError(release)
            self._rebuilt[release] = self._rebuild(release)
        return self._rebuilt[release]

    def steps(self) -> Iterator[tuple[Release, Api]]:
        """Yield every release with its API, oldest first."""
        return ((release, self.api(release)) for release in self.releases)
