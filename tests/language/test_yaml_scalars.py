"""Plain scalars mean what YAML 1.2 says, whatever YAML 1.1 made of them."""

from __future__ import annotations

import math

import pytest

from tests.language.reading import nodes_of, plain


@pytest.mark.parametrize(
    "text",
    ["on", "off", "yes", "no", "y", "n", "1_000", "12:30:45", "2001-01-01", "0b1", "1e", "+", ".", "0o8", "=", "1.2.3"],
)
def test_text(text: str) -> None:
    assert plain(nodes_of(f"a: {text}")) == {"a": text}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("010", 10),
        ("0o17", 15),
        ("0x1F", 31),
        ("-7", -7),
        ("+7", 7),
        ("1.10", 1.1),
        ("1e3", 1000.0),
        (".5", 0.5),
        ("1.", 1.0),
        ("true", True),
        ("FALSE", False),
        ("~", None),
        ("", None),
        ("Null", None),
        (".inf", math.inf),
        ("-.INF", -math.inf),
    ],
)
def test_value(text: str, value: object) -> None:
    read = plain(nodes_of(f"a: {text}"))
    assert read == {"a": value}
    assert isinstance(read, dict)
    assert type(read["a"]) is type(value)


@pytest.mark.parametrize("text", ['"1"', "'true'", '"~"', "!!str 1"])
def test_quoted_and_str_scalars_are_strings(text: str) -> None:
    assert isinstance(plain(nodes_of(f"a: {text}")), dict)
    assert plain(nodes_of(f"a: {text}")) == {"a": text.removeprefix("!!str ").strip("\"'")}
