"""Random patterns, and whether generated validation matches them."""

from __future__ import annotations

import re
from itertools import product

from hypothesis import strategies as st

from apigen.runtime.patterns import matches

_ATOMS = st.sampled_from(["a", "b", "c", ".", "[ab]", "[^a]", r"\w", r"\d", "[a-c1]", r"\.", r"\s", r"[^\W1]", r"\-"])
_REPEATS = st.sampled_from(["", "", "", "*", "+", "?", "{2}", "{1,2}", "{2,}", "*?", "+?"])


def _sequence(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.lists(inner, min_size=0, max_size=3).map("".join)


def _group(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    alternatives = st.lists(inner, min_size=1, max_size=3).map("|".join)
    opening = st.sampled_from(["(", "(?:", "(?P<name>", "(?s:", "(?i:", "(?m:"])
    return st.tuples(opening, alternatives, _REPEATS).map(lambda parts: f"{parts[0]}{parts[1]}){parts[2]}")


_PLAIN = st.tuples(_ATOMS, _REPEATS).map("".join)
_PLACES = st.sampled_from(["^", "$", r"\b", r"\B", r"\A", r"\z"])
_INNER = st.recursive(
    _sequence(_PLAIN), lambda inner: _sequence(st.one_of(_PLAIN, _PLACES, _group(inner))), max_leaves=4
)


@st.composite
def patterns(draw: st.DrawFn) -> str:
    """A pattern, often tied to the ends of the text."""
    begin, end = draw(st.sampled_from(["", "^"])), draw(st.sampled_from(["", "$"]))
    made = f"{begin}{draw(_INNER)}{end}"
    return re.sub(r"\?P<name>", lambda match: f"?P<n{match.start()}>", made)


def is_found(pattern: str, text: str) -> bool:
    """Whether validation accepts a text."""
    return matches(pattern, text)


TEXTS = tuple("".join(each) for length in range(5) for each in product("ab1\n", repeat=length))
"""All short texts of a few characters."""
