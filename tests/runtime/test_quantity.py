"""Quantities beyond the vectors: value, order, and what they cost."""

from __future__ import annotations

import copy
import pickle
from decimal import Decimal, localcontext

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from apigen.runtime import Quantity

DECIMALS = st.builds(
    lambda sign, digits, point, suffix: f"{sign}{digits}{point}{suffix}",
    st.sampled_from(["", "-", "+"]),
    st.integers(0, 10**25).map(str),
    st.sampled_from(["", ".5", ".125", ".000000001", ".12345678901234567890"]),
    st.sampled_from(["", "n", "u", "m", "k", "M", "G", "T", "P", "e3", "E-6", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"]),
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", "0"),
        ("1000m", "1"),
        ("-1.5Ki", "-1536"),
        ("0.1n", "1e-9"),
        ("12Ei", "9223372036854775807"),
        ("1e3", "1000"),
        ("1000E", "1e21"),
        (".5", "0.5"),
    ],
)
def test_the_value_is_exact(text: str, value: str) -> None:
    assert Quantity(text).value == Decimal(value)


def test_empty_quantity_is_zero() -> None:
    assert str(Quantity()) == "0"
    assert not Quantity()
    assert Quantity("1n")


@pytest.mark.parametrize(
    ("one", "other"), [("1", "1000m"), ("1Ki", "1024"), ("0", "-0.0Mi"), ("1e3", "1k"), ("1000E", "1e21")]
)
def test_equal_values_are_equal_and_hash_alike(one: str, other: str) -> None:
    assert Quantity(one) == Quantity(other)
    assert hash(Quantity(one)) == hash(Quantity(other))
    assert not Quantity(one) < Quantity(other)
    assert Quantity(one) <= Quantity(other)


def test_order_is_by_value() -> None:
    texts = [
        "-1e2000000000",
        "-1",
        "-1n",
        "0",
        "1n",
        "999m",
        "1",
        "1k",
        "1Ki",
        "1M",
        "2Gi",
        "1e1000000000",
        "1e1000000001",
    ]
    quantities = [Quantity(text) for text in texts]
    backwards = quantities[::-1]
    assert sorted(backwards) == quantities


def test_other_types_differ() -> None:
    assert Quantity("1") != 1
    assert Quantity("1") != "1"
    with pytest.raises(TypeError):
        Quantity("1") < 1  # noqa: B015


def test_quantity_is_immutable() -> None:
    with pytest.raises(AttributeError):
        Quantity("1")._text = "2"
    with pytest.raises(AttributeError):
        del Quantity("1")._text


@pytest.mark.parametrize("text", ["500m", "1000E", "0012"])
def test_copies_keep_text_and_value(text: str) -> None:
    quantity = Quantity(text)
    for twin in (copy.copy(quantity), copy.deepcopy(quantity), pickle.loads(pickle.dumps(quantity))):
        assert (str(twin), twin) == (str(quantity), quantity)
    assert repr(quantity) == f"Quantity({str(quantity)!r})"


@pytest.mark.parametrize("text", ["1e-2000000000", "1e2000000000", "-1e-9999999999", "1" * 4000, "1" * 4000 + "Ei"])
def test_huge_exponents_take_bounded_time(text: str) -> None:
    quantity = Quantity(text)
    assert quantity == Quantity(text)
    assert hash(quantity)
    assert quantity > Quantity("-2")


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "1 ",
        "x",
        "1Kb",
        "1e",
        "Ei",
        "--1",
        "1.2.3",
        "1e99999999999999999999",
        "9" * 5000 + "x",
        "\u0663",
        "1\n",
    ],
)
def test_invalid_quantities(text: str) -> None:
    with pytest.raises(ValueError):
        Quantity(text)


LONG = "1234567890" * 1000


@pytest.mark.parametrize(
    ("text", "written"),  # of resource.ParseQuantity(text).String() of v0.36.0
    [
        (LONG, LONG),
        (LONG + "m", LONG[:-1] + "0m"),
        ("1" + "0" * 5000, "100"),
        ("0." + "0" * 5000 + "1", "1n"),
        ("0." + "9" * 5000, "1"),
        ("-" + "9" * 5000 + ".9999999999", "-100"),
        ("1000e" + "0" * 5000 + "3", "1e6"),
        ("1." + "0" * 5000 + "1Ki", "1024000000001n"),
        ("9" * 5000 + "Ki", "9223372036854775807"),
        ("1e2147483647", "10e2147483646"),
        ("100e2147483647", "100e2147483647"),
        ("1.5e-2147483648", "150e2147483646"),
        ("1e4294967299", "1e4294967299"),  # it is 1e3, and looks canonical
        ("1000e4294967299", "1e6"),
        ("-", "0"),
        ("5.Ki", "5.Ki"),
    ],
)
def test_long_quantities_are_written_as_by_go(text: str, written: str) -> None:
    assert str(Quantity(text)) == written


@pytest.mark.parametrize(
    ("one", "other", "total"),
    [
        ("9" * 5000, "1", "100"),
        ("-" + "9" * 5000, "9" * 5000, "0"),
        ("1" * 5000, "2" * 5000, "3" * 5000),
        ("1Ki", "9" * 5000, "1" + "0" * 4996 + "1023"),
        ("3Gi", "1" + "0" * 700 + "1", "1" + "0" * 691 + "3221225473"),
    ],
)
def test_long_sums_are_exact(one: str, other: str, total: str) -> None:
    assert str(Quantity(one) + Quantity(other)) == total


def test_long_powers_of_two_have_binary_text() -> None:
    with localcontext(prec=1000):
        rest = f"{Decimal(2) ** 3001 - 1024:f}"
    assert str(Quantity("1Ki") + Quantity(rest)) == "2"  # 1024**300 has no suffix


def test_long_quantities_that_differ_in_the_last_digit_differ() -> None:
    low, high = Quantity(LONG + "1"), Quantity(LONG + "2")
    assert low < high and low != high and hash(low) != hash(high)
    assert Quantity("-" + LONG + "1") > Quantity("-" + LONG + "2")
    assert low.value < high.value


@example("625000000000000000000000")
@example("7812.5Ki")
@given(DECIMALS)
def test_canonical_text_is_stable(text: str) -> None:
    quantity = Quantity(text)
    written = str(quantity)
    if (
        text.endswith("i") and written.lstrip("-").isdigit()
    ):  # Kubernetes' own code writes 7812.5Ki as 8000000, and that as 8M
        written = str(Quantity(written))
    assert str(Quantity(written)) == written
    exponent = quantity.value.as_tuple().exponent
    assert Quantity(str(quantity)) == quantity or (
        isinstance(exponent, int) and exponent >= 21
    )  # a suffix past E is lost


@given(DECIMALS, DECIMALS)
def test_order_matches_the_values(one: str, other: str) -> None:
    a, b = Quantity(one), Quantity(other)
    assert (a < b, a == b) == (a.value < b.value, a.value == b.value)


@pytest.mark.parametrize(
    ("one", "other", "total"),
    [
        ("1", "500m", "1500m"),
        ("1Ki", "1024", "2Ki"),  # in the style of the first
        ("1024", "1Ki", "2048"),
        ("0.5Ki", "1536", "2Ki"),  # written 512, and binary all the same
        ("512", "1536", "2048"),
        ("1Ki", "1m", "1024001m"),  # no binary text has a fraction
        ("0", "1e3", "1e3"),  # zero has no style
        ("0Mi", "1000", "1k"),
        ("1Mi", "0", "1Mi"),
        ("+5", "0", "5"),
        ("-1", "1", "0"),
        ("7Ei", "7Ei", "14Ei"),  # capped only when read
        ("1Ki", "1180591620717411303424", "1152921504606846977Ki"),
        ("1n", "1e2000000001", "1e2000000001"),
        ("-1e2000000001", "1Ki", "-1e2000000001"),
    ],
)
def test_sums(one: str, other: str, total: str) -> None:
    assert str(Quantity(one) + Quantity(other)) == total


@given(DECIMALS, DECIMALS)
def test_sums_are_exact(one: str, other: str) -> None:
    a, b = Quantity(one), Quantity(other)
    with localcontext(prec=200):
        assert (a + b).value == a.value + b.value
    assert a + b == b + a


@pytest.mark.parametrize(
    ("text", "rounded"),
    [
        ("1u", "1m"),
        ("1001u", "2m"),
        ("-1n", "-1m"),
        ("-1500u", "-2m"),
        ("0.9999Ki", "1023898m"),
        ("1.9999999Ki", "2Ki"),  # it was written in decimal and is binary
        ("1e-6", "1e-3"),
        ("+5", "+5"),  # nothing to round: kept as it is
        ("2000u", "2m"),
        ("1.5Gi", "1536Mi"),
        ("0", "0"),
        ("1e2000000001", "1e2000000001"),
    ],
)
def test_rounding_up_to_thousandths(text: str, rounded: str) -> None:
    assert str(Quantity(text).rounded_up(-3)) == rounded


def test_rounding_up_to_thousands() -> None:
    assert str(Quantity("1001").rounded_up(3)) == "2k"
    assert str(Quantity("1n").rounded_up(3)) == "1k"


def test_only_quantities_add_up() -> None:
    with pytest.raises(TypeError):
        Quantity("1") + 1
