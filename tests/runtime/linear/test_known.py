"""Documents that once held a server: quantities, numbers and durations of many digits."""

from __future__ import annotations

import pytest

from apigen.runtime import Quantity
from apigen.runtime.times import Duration
from apigen.runtime.yaml_reader import plain_value
from apigen.runtime.yaml_writer import sorted_keys
from tests.effort import within


@pytest.mark.parametrize(
    "text", ["0" * 1_000_000 + "q", "." * 1_000_000, "1e" + "9" * 1_000_000, "1" * 1_000_000 + "x"]
)
def test_invalid_quantities_take_a_bounded_number_of_calls(text: str) -> None:
    with within(100), pytest.raises(ValueError):
        Quantity(text)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("1" + "0" * 999_999, "1"),
        ("0" * 1_000_000, "0"),
        ("0." + "0" * 1_000_000 + "1", "1n"),
        ("9" * 1_000_000 + "Ei", "9223372036854775807"),
    ],
)
def test_long_quantities_take_a_bounded_number_of_calls(text: str, written: str) -> None:
    with within(200):
        assert str(Quantity(text)) == written


def test_durations_with_leading_zeros_are_parsed() -> None:
    assert Duration.parse("0" * 10_000 + "1s") == Duration.parse("1s")
    with pytest.raises(ValueError, match="292 years"):
        Duration.parse("9" * 10_000 + "ns")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0x" + "0" * 1000 + "f", 15),
        ("0" * 1000 + "7", 7),
        ("0." + "1" * 1000, 1 / 9),
        ("1" * 1000, "1" * 1000),  # an infinite float is a string
        ("0x" + "f" * 1000, "0x" + "f" * 1000),
    ],
)
def test_plain_scalars_of_many_digits(text: str, value: object) -> None:
    assert plain_value(text) == value


def test_keys_with_numbers_of_many_digits_are_sorted_in_64_bits() -> None:
    keys = ["a" + "1" * 5000, "a" + "2" * 5000, "a5"]
    assert sorted(sorted_keys(keys)) == sorted(keys)
