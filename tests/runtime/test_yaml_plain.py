"""Documents composed by the fast path have the same result as by the complete one; unusual documents use the complete
one.
"""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from apigen.runtime import DecodeError, yaml_reader
from apigen.runtime.yaml_reader import ODD, Composer, compose_plainly

LOADERS = [yaml.CSafeLoader, yaml.SafeLoader] if hasattr(yaml, "CSafeLoader") else [yaml.SafeLoader]

PLAIN: dict[str, object] = {
    "": None,
    "a: 1\nb: [x, 1.50, 2.0, yes, ~, '5']": {"a": 1, "b": ["x", 1.5, 2, True, None, "5"]},
    "b: {}\na: []": {"a": [], "b": {}},
    "- - 1\n  - 2\n- {}": [[1, 2], {}],
    "'<<'": "<<",
    "a: 1\n---\nb: 2": {"a": 1},
}
ODDITIES = [
    "&a 1",
    "[&a 1, *a]",
    "!!str 1",
    "{a: 1, a: 2}",
    "<<: {a: 1}",
    "? [a]\n: 1",
    "1: a",
    "~: a",
    "yes: a",
    ".nan",
    "a: .inf",
]


@pytest.mark.parametrize("loader", LOADERS)
@pytest.mark.parametrize("text", PLAIN)
def test_plain_documents(loader: type[yaml.SafeLoader], text: str) -> None:
    tree = compose_plainly(loader(text))
    assert tree == PLAIN[text]
    assert repr(tree) == repr(PLAIN[text])


@pytest.mark.parametrize("loader", LOADERS)
@pytest.mark.parametrize("text", ODDITIES)
def test_documents_not_supported_by_the_plain_reader(loader: type[yaml.SafeLoader], text: str) -> None:
    assert compose_plainly(loader(text)) is ODD


def composed_with_care(text: str) -> object:
    composer = Composer(None)
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        composer.take(event)
    return composer.root


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.dates(),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.text(max_size=3) | st.integers() | st.booleans(), inner, max_size=3)
        ),
        max_leaves=10,
    ),
    st.sampled_from([True, False, None]),
)
def test_plain_reader_agrees_with_the_full_reader(value: object, flow: bool | None) -> None:
    text = yaml.safe_dump(value, default_flow_style=flow)
    tree = compose_plainly(yaml.SafeLoader(text))
    try:
        expected = composed_with_care(text)
    except DecodeError:
        assert tree is ODD
        return
    assert repr(yaml_reader.parse_yaml(text)) == repr(expected)
    assert tree is ODD or repr(tree) == repr(expected)
