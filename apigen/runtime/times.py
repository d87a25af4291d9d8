"""Points in time and spans of time as Kubernetes' JSON has them: `Time`, `MicroTime` and `Duration`.

Go's zero time (0001-01-01T00:00:00Z) means "no time"; it is `None` here, and `parse` returns None for it. Accepted are
all texts that Go's `time.Parse` accepts, which are slightly more than RFC 3339: a one-digit hour, a comma before the
fraction, an offset of 24 hours.
"""

from __future__ import annotations

from functools import cache, lru_cache

from .dataclasses import dataclass
from .errors import ConversionError, EncodeError, rejecting_once, shortened, unfit

TYPE_CHECKING = False  # True for type checkers, which alone need `typing`
if TYPE_CHECKING:
    import re
    from datetime import date, datetime, timedelta


_UNITS = {
    "ns": 1,
    "us": 1_000,
    "µs": 1_000,  # micro sign
    "μs": 1_000,  # Greek letter mu
    "ms": 1_000_000,
    "s": 1_000_000_000,
    "m": 60_000_000_000,
    "h": 3_600_000_000_000,
}
_SECOND = _UNITS["s"]
_LIMIT = 2**63
_INT32_LIMIT = 2**31
_MOST_SECONDS = (_LIMIT - 1) // _SECOND
_MAX_DIGITS = 19
"""Maximum digits of a number below the limit; `int` takes quadratic time."""


@dataclass(frozen=True, slots=True, order=True)
class Duration:
    """A span of time in whole nanoseconds, positive or negative."""

    nanoseconds: int = 0

    @staticmethod
    def parse(text: str) -> Duration:
        """Read `1h30m`, `-1.5s` or `0`. Raises ValueError if Go's `time.ParseDuration` rejects the text."""
        return _parsed_duration(text)

    @staticmethod
    def from_timedelta(delta: timedelta) -> Duration:
        """Convert, exactly."""
        from datetime import timedelta

        return Duration(delta // timedelta(microseconds=1) * 1_000)

    def to_timedelta(self) -> timedelta:
        """Convert, dropping fractions of a microsecond. Raises OverflowError never: 64 bits of nanoseconds fit."""
        from datetime import timedelta

        micros = abs(self.nanoseconds) // 1_000
        return timedelta(microseconds=micros if self.nanoseconds >= 0 else -micros)

    def __str__(self) -> str:
        size = abs(self.nanoseconds)
        sign = "-" if self.nanoseconds < 0 else ""
        if size < _SECOND:
            return sign + _below_a_second(size)
        minutes, rest = divmod(size, _UNITS["m"])
        seconds = _decimal(rest, _SECOND) + "s"
        if not minutes:
            return sign + seconds
        if minutes < 60:
            return f"{sign}{minutes}m{seconds}"
        return f"{sign}{minutes // 60}h{minutes % 60}m{seconds}"


def whole_seconds(
    duration: Duration, fraction: str, scalar: str, cap: bool, path: str
) -> int:
    """The seconds of a duration, as an `int32` or `int64`.

    `fraction` defines how to convert a part of a second: `truncate` (towards zero), `round` (halves away from zero) or
    `exact`. Raises ConversionError for a part of a second if `exact`, and for a value out of range unless `cap`.
    """
    seconds = _seconds(duration, fraction)
    if fraction == "exact" and not is_whole_seconds(duration):
        raise ConversionError(path, f"{duration} is not an integral number of seconds")
    if scalar == "int64" or -_INT32_LIMIT <= seconds < _INT32_LIMIT:
        return seconds
    if cap:
        return -_INT32_LIMIT if seconds < 0 else _INT32_LIMIT - 1
    raise ConversionError(path, f"{seconds} seconds do not fit an int32")


def duration_of_seconds(seconds: int, cap: bool, path: str) -> Duration:
    """The duration of whole seconds. Raises ConversionError if it is longer than 64 bits of nanoseconds, unless `cap`."""
    most = _MOST_SECONDS
    if -most <= seconds <= most:
        return Duration(seconds * _SECOND)
    if cap:
        return Duration((-most if seconds < 0 else most) * _SECOND)
    raise ConversionError(path, f"{seconds} seconds are longer than a duration can be")


def is_whole_seconds(duration: Duration) -> bool:
    """Return whether a duration has no part of a second."""
    return duration.nanoseconds % _SECOND == 0


def seconds_fit(duration: Duration, fraction: str, scalar: str) -> bool:
    """Return whether the seconds of a duration are an `int32` or `int64`, as `whole_seconds` counts them."""
    return (
        scalar == "int64"
        or -_INT32_LIMIT <= _seconds(duration, fraction) < _INT32_LIMIT
    )


def _seconds(duration: Duration, fraction: str) -> int:
    size = abs(duration.nanoseconds)
    seconds = (size + (_SECOND // 2 if fraction == "round" else 0)) // _SECOND
    seconds = min(seconds, _MOST_SECONDS)  # rounded up, it would be no duration
    return -seconds if duration.nanoseconds < 0 else seconds


@rejecting_once
def _parsed_duration(text: str) -> Duration:
    unsigned = text[1:] if text[:1] in ("+", "-") else text
    if unsigned == "0":
        return Duration(0)
    total = _total(text, unsigned)
    if text[0] == "-":
        return Duration(-total)
    if total == _LIMIT:
        raise _out_of_range(text)
    return Duration(total)


@cache
def _part() -> re.Pattern[str]:
    """Return the pattern of a number and its unit; compiled on first use, so that importing is fast."""
    import re

    return re.compile(r"([0-9]*)(?:\.([0-9]*))?([^0-9.]*)")


def _total(text: str, unsigned: str) -> int:
    if not unsigned:
        raise _malformed(text)
    total = position = 0
    while position < len(unsigned):
        part = _part().match(unsigned, position)
        if part is None or not (part[1] or part[2]):
            raise _malformed(text)
        unit = _UNITS.get(part[3])
        if unit is None:
            raise _malformed(text)
        whole = part[1].lstrip("0")
        if len(whole) > _MAX_DIGITS:
            raise _out_of_range(text)
        total += int(whole or "0") * unit + _fraction(part[2] or "", unit)
        if total > _LIMIT:
            raise _out_of_range(text)
        position = part.end()
    return total


def _fraction(digits: str, unit: int) -> int:
    """Return the nanoseconds of decimals, in floating point as Go does; digits past 63 bits do not count."""
    value, scale = 0, 1.0
    for digit in digits:
        following = value * 10 + int(digit)
        if value > (_LIMIT - 1) // 10 or following > _LIMIT:
            break
        value, scale = following, scale * 10
    return int(float(value) * (float(unit) / scale))


def _below_a_second(size: int) -> str:
    if not size:
        return "0s"
    if size < _UNITS["us"]:
        return f"{size}ns"
    if size < _UNITS["ms"]:
        return _decimal(size, _UNITS["us"]) + "µs"
    return _decimal(size, _UNITS["ms"]) + "ms"


def _decimal(size: int, unit: int) -> str:
    whole, rest = divmod(size, unit)
    # the leading 1 of the unit keeps the zeros in place
    fraction = str(unit + rest)[1:].rstrip("0")
    return f"{whole}.{fraction}" if fraction else str(whole)


def _malformed(text: str) -> ValueError:
    return ValueError(f"{shortened(text)} is not a duration such as 1h30m or 1.5s")


def _out_of_range(text: str) -> ValueError:
    return ValueError(
        f"{shortened(text)} is longer than a duration can be (some 292 years)"
    )


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
