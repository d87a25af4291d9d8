"""Points in time and spans of time as Kubernetes' JSON has them: `Time`, `MicroTime` and `Duration`.

Go's zero time (0001-01-01T00:00:00Z) means "no time"; it is `None` here, and `parse` returns None for it. Accepted are
all texts that Go's `time.Parse` accepts, which are slightly more than RFC 3339: a one-digit hour, a comma before the
fraction, an offset of 24 hours.
"""

from __future__ import annotations

from functools import cache, lru_cache

from .dataclasses import dataclass
from .durations import Duration
from .errors import EncodeError, rejecting_once, shortened, unfit

TYPE_CHECKING = False  # as type checkers know the name
if TYPE_CHECKING:
    import re
    from datetime import date, datetime

__all__ = ["ZERO_SECONDS", "Duration", "MicroTime", "Time"]

ZERO_SECONDS = -62135596800
"""Go's zero time in Unix seconds."""

_FIRST_SECONDS = -62167219200
_LAST_SECONDS = 253402300799
"""Years of four digits, 0000 to 9999: others could not be read back from JSON."""

_EPOCH_ORDINAL = 719163
_DAY = 86400
_CYCLE_YEARS = 400
_CYCLE_DAYS = 146097
_MICROS = 1_000_000
_CACHED_LENGTH = 40


@dataclass(frozen=True, slots=True, order=True)
class Time:
    """A point in time, to the second (`metav1.Time`). `seconds` counts from 1970 and may lie outside of `datetime`."""

    seconds: int

    @staticmethod
    def parse(text: str) -> Time | None:
        """Read RFC 3339 text; a fraction of a second is dropped. Raises ValueError if Go's parser rejects the text."""
        return _cached(text) if len(text) <= _CACHED_LENGTH else _time(text)

    @staticmethod
    def from_datetime(moment: datetime) -> Time:
        """Convert, rounding down to the second. Raises ValueError for a moment without time zone."""
        return Time(_microseconds_since_1970(moment) // _MICROS)

    def to_datetime(self) -> datetime:
        """Convert to UTC. Raises OverflowError outside of the years 1 to 9999."""
        from datetime import UTC, datetime, timedelta

        return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=self.seconds)

    def json_text(self) -> str:
        """Return the text in JSON. Raises EncodeError for times that could not be read back from it."""
        seconds = time_of(self).seconds
        if _FIRST_SECONDS <= seconds <= _LAST_SECONDS:
            return _date_and_time(seconds) + "Z"
        raise EncodeError("", _YEARS)

    def __str__(self) -> str:
        return _date_and_time(self.seconds) + "Z"


@rejecting_once
def _time(text: str) -> Time | None:
    seconds, fraction = _parsed(text)
    if seconds == ZERO_SECONDS and not fraction.strip("0"):
        return None
    return Time(seconds)


_cached = lru_cache(maxsize=4096)(_time)  # what happens to an object happens at once


@dataclass(frozen=True, slots=True, order=True)
class MicroTime:
    """A point in time, to the microsecond (`metav1.MicroTime`). `microseconds` counts from 1970."""

    microseconds: int

    @staticmethod
    def parse(text: str) -> MicroTime | None:
        """Read RFC 3339 text with exactly six digits of fraction. Raises ValueError if Go's parser rejects the text."""
        return _micro_time(text)

    @staticmethod
    def from_datetime(moment: datetime) -> MicroTime:
        """Convert, exactly. Raises ValueError for a moment without time zone."""
        return MicroTime(_microseconds_since_1970(moment))

    def to_datetime(self) -> datetime:
        """Convert to UTC. Raises OverflowError outside of the years 1 to 9999."""
        from datetime import UTC, datetime, timedelta

        return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(
            microseconds=self.microseconds
        )

    def json_text(self) -> str:
        """Return the text in JSON. Raises EncodeError for times that could not be read back from it."""
        seconds = micro_time_of(self).microseconds // _MICROS
        if _FIRST_SECONDS <= seconds <= _LAST_SECONDS:
            return str(self)
        raise EncodeError("", _YEARS)

    def __str__(self) -> str:
        seconds, micros = divmod(self.microseconds, _MICROS)
        return f"{_date_and_time(seconds)}.{micros:06d}Z"


@rejecting_once
def _micro_time(text: str) -> MicroTime | None:
    seconds, fraction = _parsed(text)
    if len(fraction) != 6:
        raise ValueError(
            f"{shortened(text)} needs six digits after the seconds, such as 2001-02-03T04:05:06.000000Z"
        )
    if seconds == ZERO_SECONDS and fraction == "000000":
        return None
    return MicroTime(seconds * _MICROS + int(fraction))


def time_of(value: object) -> Time:
    """Return a Time, or that of an aware `datetime`. Raises EncodeError for others, and for Go's zero time."""
    if type(value) is not Time:
        value = Time.from_datetime(_aware(value, "a Time"))
    if type(value.seconds) is not int:
        raise unfit("a Time of integer seconds", value.seconds)
    if value.seconds == ZERO_SECONDS:
        raise EncodeError("", _ZERO_PROBLEM)
    return value


def micro_time_of(value: object) -> MicroTime:
    """Return a MicroTime, or that of an aware `datetime`. Raises EncodeError for others, and for Go's zero time."""
    if type(value) is not MicroTime:
        value = MicroTime.from_datetime(_aware(value, "a MicroTime"))
    if type(value.microseconds) is not int:
        raise unfit("a MicroTime of integer microseconds", value.microseconds)
    if value.microseconds == ZERO_SECONDS * _MICROS:
        raise EncodeError("", _ZERO_PROBLEM)
    return value


_YEARS = "JSON holds times of the years 0 to 9999 only"
_ZERO_PROBLEM = "0001-01-01T00:00:00Z is read as None: set None instead"


def _aware(value: object, expected: str) -> datetime:
    from datetime import datetime

    if not isinstance(value, datetime):
        raise unfit(f"{expected} or a datetime", value)
    if value.utcoffset() is None:
        raise EncodeError("", f"{value} has no time zone")
    return value


@cache
def _date() -> type[date]:
    """The calendar of the standard library, which objects without times do not wait for."""
    from datetime import date

    return date


@cache
def _rfc3339() -> re.Pattern[str]:
    """Return the pattern of a time; compiled on first use, so that importing is fast."""
    import re

    return re.compile(
        r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{1,2}):([0-9]{2}):([0-9]{2})(?:[.,]([0-9]+))?"
        r"(?:Z|([+-])([0-9]{2}):([0-9]{2}))"
    )


def _parsed(text: str) -> tuple[int, str]:
    """Return Unix seconds and the digits of the fraction."""
    match = _rfc3339().fullmatch(text)
    if match is None:
        raise ValueError(
            f"{shortened(text)} is not a time such as 2001-02-03T04:05:06Z"
        )
    (
        year,
        month,
        day,
        hour,
        minute,
        second,
        fraction,
        sign,
        offset_hours,
        offset_minutes,
    ) = match.groups()
    clock = (int(hour) * 60 + int(minute)) * 60 + int(second)
    if int(hour) > 23 or int(minute) > 59 or int(second) > 59:
        raise ValueError(
            f"{shortened(text)} is past the end of a day, an hour or a minute"
        )
    try:
        seconds = _days_since_1970(int(year), int(month), int(day)) * _DAY + clock
    except ValueError as error:
        raise ValueError(f"{shortened(text)} is not a time: {error}") from None
    if sign:
        if int(offset_hours) > 24 or int(offset_minutes) > 60:
            raise ValueError(f"{shortened(text)} has an offset past one day")
        offset = (int(offset_hours) * 60 + int(offset_minutes)) * 60
        seconds += offset if sign == "-" else -offset
    return seconds, fraction or ""


def _days_since_1970(year: int, month: int, day: int) -> int:
    """Count days; the calendar lacks the year 0, so that is counted in the year 400, which has the same calendar."""
    if year:
        return _date()(year, month, day).toordinal() - _EPOCH_ORDINAL
    ordinal = _date()(_CYCLE_YEARS, month, day).toordinal()
    return ordinal - _EPOCH_ORDINAL - _CYCLE_DAYS


@lru_cache(maxsize=4096)
def _date_and_time(seconds: int) -> str:
    days, clock = divmod(seconds, _DAY)
    cycles, ordinal = divmod(days + _EPOCH_ORDINAL - 1, _CYCLE_DAYS)
    within = _date().fromordinal(ordinal + 1)
    year = within.year + cycles * _CYCLE_YEARS
    sign = "-" if year < 0 else ""
    minutes, second = divmod(clock, 60)
    hour, minute = divmod(minutes, 60)
    return f"{sign}{abs(year):04d}-{within.month:02d}-{within.day:02d}T{hour:02d}:{minute:02d}:{second:02d}"


def _microseconds_since_1970(moment: datetime) -> int:
    if moment.tzinfo is None:
        raise ValueError(f"{moment} has no time zone")
    from datetime import UTC, datetime, timedelta

    return (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
