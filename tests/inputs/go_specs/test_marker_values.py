"""Values of markers as controller-gen writes them."""

from __future__ import annotations

import pytest

from apigen.inputs.go.specs.markers import marker_value

GOOD = [
    ("{from: Same}", {"from": "Same"}),
    ("{a: {b: {c: -1}}, d: {1, 2}}", {"a": {"b": {"c": -1}}, "d": [1, 2]}),
    ('{{type: "A, B"}, {type: `"`}}', [{"type": "A, B"}, {"type": '"'}]),
    ("{a;b}", ["a", "b"]),
    ("[a, 1.5, true, null]", ["a", 1.5, True, None]),
    ('{"x y": 1,}', {"x y": 1}),
    ("{}", {}),
    ("[]", []),
    ("1.2.3", "1.2.3"),
    ("'a b'", "a b"),
    ('"a\\"b"', 'a"b'),
]
BAD = ["", "{", "{a", "{a:", "{a: 1", "{a: 1 b: 2}", "{a: 1}}", "{,}", "[1, 2}", "{a: 1, 2}", '"a', "{" * 2_000]


@pytest.mark.parametrize(("text", "expected"), GOOD)
def test_valid_value_is_parsed(text: str, expected: object) -> None:
    assert marker_value(text) == expected


@pytest.mark.parametrize("text", BAD, ids=lambda text: text[:12])
def test_invalid_value_is_rejected(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected|missing|nested"):
        marker_value(text)
