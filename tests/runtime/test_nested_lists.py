"""The exact parser counts lists that hold nothing but a list; values, limits and errors stay those of a plain parser."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigen.runtime.errors import DecodeError
from apigen.runtime.json_reader import ExactParser

SPACE = st.sampled_from(["", "", " ", "\n\t"])
SCALAR = st.sampled_from(["1", '"a]"', "null", "[]", "{}"])


@st.composite
def nested(draw: st.DrawFn, depth: int = 8) -> str:
    """JSON text of lists and objects, most of which hold one value."""
    if depth == 0 or draw(st.integers(0, 9)) == 0:
        return draw(SPACE) + draw(SCALAR) + draw(SPACE)
    inner = draw(nested(depth - 1))
    if draw(st.integers(0, 3)) == 0:
        text = f'{{"a":{inner}}}'
    else:
        others = "".join(f",{draw(SCALAR)}" for _ in range(draw(st.sampled_from([0, 0, 0, 1, 2]))))
        text = f"[{inner}{others}]"
    return draw(SPACE) + text + draw(SPACE)


@given(nested())
def test_nested_lists_are_parsed_as_by_json(text: str) -> None:
    assert ExactParser(text).parse() == json.loads(text)
    assert ExactParser(text, duplicates=[]).parse() == json.loads(text)


@given(nested())
def test_values_of_raw_names_keep_their_text(text: str) -> None:
    tree = ExactParser(f'{{"raw":[{text}]}}', frozenset({"raw"})).parse()
    assert isinstance(tree, dict)
    assert tree == json.loads(f'{{"raw":[{text}]}}')
    assert tree["raw"].raw == f"[{text}]".encode()


@given(nested(), st.data())
def test_broken_text_has_the_error_that_json_reports(text: str, data: st.DataObject) -> None:
    end = data.draw(st.integers(0, len(text.rstrip()) - 1))
    with pytest.raises(json.JSONDecodeError) as expected:
        json.loads(text[:end])
    with pytest.raises(DecodeError) as found:
        ExactParser(text[:end]).parse()
    if "Unterminated" not in expected.value.msg:
        place = f"line {expected.value.lineno}, column {expected.value.colno}"
        assert place in str(found.value)


@pytest.mark.parametrize("space", ["", " ", "\n"])
@pytest.mark.parametrize("limit", [1, 2, 5])
def test_lists_nest_as_deep_as_the_limit(space: str, limit: int) -> None:
    def text(depth: int) -> str:
        return f"[{space}" * depth + f"{space}]" * depth

    assert ExactParser(text(limit), max_depth=limit).parse() == json.loads(text(limit))
    with pytest.raises(DecodeError, match=f"nested more than {limit} levels deep"):
        ExactParser(text(limit + 1), max_depth=limit).parse()


def test_lists_before_and_after_a_run_are_kept() -> None:
    text = '[1, [[[[ {"a": [[2], [[3]]]} ], 4]]], [[5]]]'
    assert ExactParser(text).parse() == json.loads(text)
