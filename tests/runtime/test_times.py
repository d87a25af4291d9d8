"""Times and durations beyond the vectors: conversion, order, and the edges of the calendar."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigen.runtime import Duration, MicroTime, Time
from apigen.runtime.times import ZERO_SECONDS

SECONDS_OF_PARSED_YEARS = st.integers(-62167219200, 253402300799)
INT64 = st.integers(-(2**63), 2**63 - 1)


@given(SECONDS_OF_PARSED_YEARS.filter(lambda seconds: seconds != ZERO_SECONDS))
def test_time_round_trips(seconds: int) -> None:
    assert Time.parse(str(Time(seconds))) == Time(seconds)


@given(st.integers(-62135596800_000000 + 1, 253402300799_999999))
def test_micro_time_round_trips_and_is_converted(microseconds: int) -> None:
    time = MicroTime(microseconds)
    assert MicroTime.parse(str(time)) == time
    assert MicroTime.from_datetime(time.to_datetime()) == time


@given(INT64)
def test_duration_round_trips(nanoseconds: int) -> None:
    duration = Duration(nanoseconds)
    assert Duration.parse(str(duration)) == duration
    assert abs(Duration.from_timedelta(duration.to_timedelta()).nanoseconds - nanoseconds) < 1000


def test_the_zero_time_of_go_is_none() -> None:
    assert Time.parse("0001-01-01T00:00:00Z") is None
    assert MicroTime.parse("0001-01-01T00:00:00.000000Z") is None
    assert Time.parse("0001-01-01T01:00:00+01:00") is None
    assert Time.parse("0001-01-01T00:00:00.5Z") == Time(ZERO_SECONDS)  # in Go not the zero time, though it prints alike


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("2001-02-03T4:05:06Z", "2001-02-03T04:05:06Z"),
        ("2001-02-03T04:05:06,5Z", "2001-02-03T04:05:06Z"),
        ("2001-02-03T04:05:06+24:60", "2001-02-02T03:05:06Z"),
        ("0000-02-29T00:00:00Z", "0000-02-29T00:00:00Z"),
        ("0000-01-01T00:00:00+00:01", "-0001-12-31T23:59:00Z"),
        ("9999-12-31T23:59:59-00:01", "10000-01-01T00:00:59Z"),
    ],
)
def test_times_accepted_by_go_beyond_rfc_3339(text: str, same: str) -> None:
    assert str(Time.parse(text)) == same


@pytest.mark.parametrize(
    "text",
    [
        "",
        "now",
        "2001-02-29T00:00:00Z",
        "2001-02-03T24:00:00Z",
        "2001-02-03T00:00:00+25:00",
        "2001-02-03T00:00:00",
        "9" * 5000,
    ],
)
def test_invalid_times(text: str) -> None:
    for parse in (Time.parse, MicroTime.parse):
        with pytest.raises(ValueError):
            parse(text)


def test_conversion_to_datetime() -> None:
    moment = datetime(2001, 2, 3, 4, 5, 6, 789, timezone(timedelta(hours=2)))
    assert str(Time.from_datetime(moment)) == "2001-02-03T02:05:06Z"
    assert str(MicroTime.from_datetime(moment)) == "2001-02-03T02:05:06.000789Z"
    assert Time(0).to_datetime().isoformat() == "1970-01-01T00:00:00+00:00"
    assert Time.from_datetime(datetime(1969, 12, 31, 23, 59, 59, 1, UTC)) == Time(-1)
    with pytest.raises(ValueError, match="no time zone"):
        Time.from_datetime(datetime(2001, 2, 3))
    with pytest.raises(OverflowError):
        Time(-62167219200).to_datetime()


def test_order() -> None:
    assert Time(1) < Time(2)
    assert MicroTime(-1) < MicroTime(0)
    assert Duration(-1) < Duration()
    assert len({Time(1), Time(1), Duration(1), MicroTime(1)}) == 3


@pytest.mark.parametrize(
    "text", ["", "-", "s", "1", "1d", "1h1", "1 s", "1e3s", "--1s", "9223372036854775808ns", "9" * 5000 + "s"]
)
def test_invalid_durations(text: str) -> None:
    with pytest.raises(ValueError):
        Duration.parse(text)


def test_the_shortest_and_the_longest_duration() -> None:
    assert Duration.parse("-2562047h47m16.854775808s") == Duration(-(2**63))
    assert str(Duration(-(2**63))) == "-2562047h47m16.854775808s"
    assert str(Duration.from_timedelta(timedelta(hours=1, microseconds=1))) == "1h0m0.000001s"
    assert Duration(-1500).to_timedelta() == timedelta(microseconds=-1)
