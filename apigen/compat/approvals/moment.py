"""The moment for which a review is: by the calendar, and by releases."""

from __future__ import annotations

from datetime import date, timedelta

from apigen.compat.approvals.approval import Expiry
from apigen.dataclass import dataclass
from apigen.diagnostics.quoting import counted
from apigen.ir.model import Release
from apigen.ir.stability import Stability, releases_later


@dataclass(frozen=True, slots=True)
class Span:
    """How far ahead an approval may end: in days after it was made, and in releases after the one in the making."""

    days: int
    releases: int


SPANS = {Stability.STABLE: Span(180, 2), Stability.BETA: Span(270, 3), Stability.ALPHA: Span(365, 4)}
"""The more an API promises, the sooner somebody looks again."""


@dataclass(frozen=True, slots=True)
class Moment:
    """Today, and the next release, if known. Without a day, as in `generate`, no approval expires by date."""

    today: date | None
    release: Release | None = None

    def is_over(self, expires: Expiry) -> bool:
        """Whether an end has come. One by release has not, where no release is known."""
        if isinstance(expires, date):
            return self.today is not None and expires < self.today
        return self.release is not None and expires <= self.release

    def is_too_far(self, expires: Expiry, created: date, stability: Stability) -> bool:
        """Whether an end is further ahead than approvals of that stability may last."""
        span = SPANS[stability]
        if isinstance(expires, date):
            return expires > created + timedelta(days=span.days)
        return self.release is not None and expires > releases_later(self.release, span.releases)

    def left(self, expires: Expiry) -> str:
        """How long there is until an end, in words."""
        if isinstance(expires, date):
            if self.today is None:
                return f"until {expires.isoformat()}"
            days = (expires - self.today).days
            return f"until {expires.isoformat()}, {counted(days, 'day')} left"
        if self.release is None or self.release.major != expires.major:
            return f"before release {expires}"
        count = expires.minor - self.release.minor
        return f"before release {expires}, {counted(count, 'release')} left"
