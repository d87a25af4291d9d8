"""Spans of time in Go's notation, such as `1h30m0s` (`metav1.Duration`)."""

from __future__ import annotations

from functools import cache

from .dataclasses import dataclass
from .errors import ConversionError, rejecting_once, shortened

TYPE_CHECKING = False  # as type checkers know the name
if TYPE_CHECKING:
    import re
    from datetime import timedelta

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
        return _parsed(text)

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
def _parsed(text: str) -> Duration:
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
    fraction = str(unit + rest)[1:].rstrip(
        "0"
    )  # the leading 1 of the unit keeps the zeros in place
    return f"{whole}.{fraction}" if fraction else str(whole)


def _malformed(text: str) -> ValueError:
    return ValueError(f"{shortened(text)} is not a duration such as 1h30m or 1.5s")


def _out_of_range(text: str) -> ValueError:
    return ValueError(
        f"{shortened(text)} is longer than a duration can be (some 292 years)"
    )
