"""Approvals of findings: the entries of a file, and how long they last."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

from apigen.dataclass import dataclass
from apigen.diagnostics import Place
from apigen.diagnostics.quoting import counted, visible
from apigen.ir.stability import Stability, releases_later
from apigen.language.releases import Release
from apigen.review.finding import Finding
from apigen.review.results import Direction

_LONGEST = 300

Expiry = date | Release
"""The end of an approval: the last day on which it applies, or the first release to which it does not."""


@dataclass(frozen=True, slots=True)
class Approval:
    """An entry of the file. `rule`, `element`, `old` and `new` are the parts of the fingerprint, for reviewers.

    Without `directions`, it applies to all of them. `place` is the location of the entry, `expires_place` that of its
    expiry.
    """

    fingerprint: str
    rule: str
    element: str
    old: str
    new: str
    reason: str
    created: date
    expires: Expiry
    place: Place
    expires_place: Place
    owner: str = ""
    ticket: str = ""
    directions: frozenset[Direction] = frozenset()

    def is_of(self, finding: Finding) -> bool:
        """Return whether the texts of the entry are those of a finding, apart from the fingerprint."""
        texts = (str(finding.element), finding.old, finding.new)
        return self.rule == finding.rule and (self.element, self.old, self.new) == tuple(map(as_written, texts))


def as_written(text: str) -> str:
    """Return a text of a finding as the file stores it: shortened, in one line, without invisible characters."""
    line = visible(text)
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"


FILE_NAME = "apigen-approvals.yaml"
"""The name of the file, which is next to the configuration of the project."""


@dataclass(frozen=True, slots=True)
class ApprovalsFile:
    """A file of approvals. `text` is the whole content; `entries` are the locations of all entries, including invalid ones.

    `is_usable`: the file was parsed, or does not exist.
    """

    path: Path
    display_path: str
    text: str = ""
    approvals: tuple[Approval, ...] = ()
    entries: tuple[Place, ...] = ()
    is_usable: bool = True

    @property
    def place(self) -> Place:
        """The file as a whole."""
        return Place(self.display_path)


@dataclass(frozen=True, slots=True)
class Span:
    """The maximum time until an approval expires: days after its creation, and releases after the next release."""

    days: int
    releases: int


SPANS = {Stability.STABLE: Span(180, 2), Stability.BETA: Span(270, 3), Stability.ALPHA: Span(365, 4)}
"""Maximum time of approvals: more stable versions are reviewed again earlier."""


@dataclass(frozen=True, slots=True)
class Moment:
    """Today, and the next release, if known. Without a day, as in `generate`, no approval expires by date."""

    today: date | None
    release: Release | None = None

    def is_over(self, expires: Expiry) -> bool:
        """Return whether an approval has expired. An expiry by release is not reached if the next release is unknown."""
        if isinstance(expires, date):
            return self.today is not None and expires < self.today
        return self.release is not None and expires <= self.release

    def is_too_far(self, expires: Expiry, created: date, stability: Stability) -> bool:
        """Return whether an expiry is later than the maximum for a stability."""
        span = SPANS[stability]
        if isinstance(expires, date):
            return expires > created + timedelta(days=span.days)
        return self.release is not None and expires > releases_later(self.release, span.releases)

    def remaining(self, expires: Expiry) -> str:
        """Return the time until an approval expires, in words."""
        if isinstance(expires, date):
            if self.today is None:
                return f"until {expires.isoformat()}"
            days = (expires - self.today).days
            return f"until {expires.isoformat()}, {counted(days, 'day')} left"
        if self.release is None or self.release.major != expires.major:
            return f"before release {expires}"
        count = expires.minor - self.release.minor
        return f"before release {expires}, {counted(count, 'release')} left"
