"""Any tree, any other: their difference, written as a record and read again, makes the second of the first."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigen.diagnostics import Report
from apigen.history.load import change_of
from apigen.history.records import Header, Record, record_text, taken_apart
from apigen.history.trees import (
    RECORD,
    Change,
    Level,
    branch,
    difference,
    entry,
    is_types,
    mapping,
    merged,
    same,
    scalar,
)
from apigen.language.build_nodes import build_nodes
from apigen.language.nodes import Mapping, Node, Scalar, Sequence
from apigen.language.releases import Release
from apigen.language.source import SourceFile
from tests.effort import within

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
NAMES = st.sampled_from(["a", "b", "c", "on", "1.10", "~", "x y", "ü", "#", "gone", "order", "null", "fields", "|"])
LITERALS = st.one_of(
    TEXTS,
    st.sampled_from(
        ["", " lead", "1.10", "null", "def f():\n    return 1\n\n\nX = 2\n", "  a\nb\n", "a\n", "a\n\n", "\ta\n"]
    ),
    st.booleans(),
    st.integers(-(2**70), 2**70),
).map(lambda value: Scalar(value, text_of(value), not isinstance(value, str), "", 0, 0, 0))


def text_of(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def mappings(
    values: st.SearchStrategy[Node], keys: st.SearchStrategy[str] = NAMES, most: int = 5
) -> st.SearchStrategy[Mapping]:
    pairs = st.lists(st.tuples(keys, values), max_size=most, unique_by=lambda pair: pair[0])
    return pairs.map(lambda entries: mapping(entry(key, value) for key, value in entries))


LEAVES: st.SearchStrategy[Node] = st.recursive(
    LITERALS,
    lambda inner: st.one_of(
        mappings(inner, most=3), st.lists(inner, max_size=3).map(lambda items: Sequence(items, "", 0, 0))
    ),
    max_leaves=5,
)
MEMBERS = mappings(LEAVES)
TYPES = mappings(
    st.one_of(
        st.fixed_dictionaries(
            {}, optional={"fields": MEMBERS, "tombstones": MEMBERS, "hub": LITERALS, "enum": MEMBERS}
        ),
        st.permutations(["fields", "hub", "unions"]).flatmap(
            lambda keys: st.fixed_dictionaries(dict.fromkeys(keys, MEMBERS))
        ),
    ).map(lambda type_: mapping(entry(key, value) for key, value in type_.items())),
    st.sampled_from(["Frobber", "Knob", "A", "B"]),
)
SECTIONS = {
    "group.yaml": mappings(
        st.one_of(LITERALS, mappings(MEMBERS)), st.sampled_from(["versions", "kinds", "hub", "group"])
    ),
    "features.yaml": MEMBERS,
    "v1.yaml": TYPES,
    "v2beta1.yaml": TYPES,
    "hub.yaml": TYPES,
    "functions": mappings(TEXTS.map(scalar), st.sampled_from(["v1/defaults.py", "v1/conversions.py"])),
}
TREES = (
    st.lists(st.sampled_from(list(SECTIONS)), unique=True)
    .flatmap(lambda keys: st.fixed_dictionaries({key: SECTIONS[key] for key in keys}))
    .map(lambda sections: mapping(entry(key, value) for key, value in sections.items()))
)


def sorted_keywords(node: Node, level: Level | None = RECORD) -> Node:
    """The tree with those entries in order of name whose order means nothing."""
    if level is None or not isinstance(node, Mapping):
        return node
    entries = [(key, sorted_keywords(value, level.inside(key.text))) for key, value in node.entries]
    if not level.is_ordered:
        entries.sort(key=lambda pair: pair[0].text)
    return mapping(entry(key.text, value) for key, value in entries)


def written_and_read(change: Change) -> Change:
    text = record_text(Header("things", Release(1, 10)), change)
    signed = taken_apart(text)
    assert signed.written == signed.expected
    assert all(section.written == section.expected for section in signed.sections)
    report = Report()
    file = SourceFile(Path("1.10.yaml"), "1.10.yaml", text)
    read = change_of(Record(Header("things", Release(1, 10)), signed.expected, file), report)
    assert not report.diagnostics, (text, report.diagnostics)
    return read


@pytest.mark.slow
@given(TREES, TREES)
def test_difference_applied_to_the_first_tree_is_the_second(old: Mapping, new: Mapping) -> None:
    change = difference(old, new, RECORD)
    assert same(sorted_keywords(merged(old, change, RECORD)), sorted_keywords(new))
    assert same(sorted_keywords(merged(old, written_and_read(change), RECORD)), sorted_keywords(new))


@pytest.mark.slow
@given(TREES)
def test_equal_trees_have_no_difference(tree: Mapping) -> None:
    assert difference(tree, tree, RECORD).is_empty


@pytest.mark.slow
@given(TREES, TREES)
def test_difference_is_minimal(old: Mapping, new: Mapping) -> None:
    """Merging a change into its own result changes nothing, and every part of the change is needed."""
    change = difference(old, new, RECORD)
    for section in change.tree.entries:
        less = Change(mapping(each for each in change.tree.entries if each is not section), change.order)
        assert not same(sorted_keywords(merged(old, less, RECORD)), sorted_keywords(new))


@given(st.permutations([f"Type{number}" for number in range(8)]))
def test_number_of_moved_types_is_minimal(names: list[str]) -> None:
    def tree(keys: list[str]) -> Mapping:
        return mapping([entry("v1.yaml", mapping(entry(key, mapping([])) for key in keys))])

    change = difference(tree(sorted(names)), tree(names), RECORD)
    moved = change.order.get(("v1.yaml",), {})
    assert len(moved) == len(names) - longest_rising(names)
    assert not change.tree.entries


def longest_rising(names: list[str]) -> int:
    best: list[int] = []
    for number, name in enumerate(names):
        best.append(1 + max((best[before] for before in range(number) if names[before] < name), default=0))
    return max(best)


@given(
    st.lists(st.sampled_from("abcdef"), unique=True),
    st.dictionaries(st.sampled_from("abcdefg"), st.none() | st.sampled_from("abcdefg")),
)
def test_applying_an_order_adds_and_removes_nothing(keys: list[str], moves: dict[str, str | None]) -> None:
    old = mapping([entry("v1.yaml", mapping(entry(key, mapping([])) for key in keys))])
    new = merged(old, Change(order={("v1.yaml",): moves, ("v2.yaml", "A"): moves}), RECORD)
    assert sorted(key.text for key, _ in branch(new, "v1.yaml").entries) == sorted(keys)


@pytest.mark.slow
def test_order_is_applied_in_linear_time() -> None:
    keys = [f"T{number}" for number in range(100_000)]
    old = mapping([entry("v1.yaml", mapping(entry(key, scalar(1)) for key in keys))])
    moves = {key: before for before, key in zip([None, *reversed(keys)], reversed(keys), strict=False)}
    with within(3_000_000):
        new = merged(old, Change(order={("v1.yaml",): moves}), RECORD)
    assert [key.text for key, _ in branch(new, "v1.yaml").entries] == keys[::-1]


def test_difference_contains_only_the_changed_field() -> None:
    old = node("v1.yaml: {A: {fields: {x: {type: int32}, y: {type: bool}}, hub: B}, C: {is: string}}")
    new = node("v1.yaml: {A: {fields: {x: {type: int64}, y: {type: bool}}, hub: B}, C: {is: string}}")
    text = record_text(Header("g", Release(1, 11), (Release(1, 10), "0" * 16)), difference(old, new, RECORD))
    signs = [line.partition("  # ")[0] for line in text.splitlines() if not line.startswith("checksum")]
    assert signs[4:] == ["v1.yaml:", "  A:", "    fields:", "      x: {type: int64}"]


def test_removed_keys_are_null() -> None:
    old, new = node("v1.yaml: {A: {fields: {x: {}, y: {}}}, B: {is: bool}}"), node("v1.yaml: {A: {fields: {x: {}}}}")
    assert same(difference(old, new, RECORD).tree, node("v1.yaml: {A: {fields: {y: null}}, B: null}"))


def test_order_lists_only_moved_entries() -> None:
    old, new = node("v1.yaml: {A: {fields: {x: {}, z: {}}}}"), node("v1.yaml: {A: {fields: {x: {}, y: {}, z: {}}}}")
    assert difference(old, new, RECORD).order == {("v1.yaml", "A", "fields"): {"y": "x"}}


@pytest.mark.parametrize("section", ["group.yaml", "features.yaml", "functions"])
def test_sections_other_than_types_are_signed_as_a_whole(section: str) -> None:
    assert not is_types(section)
    text = record_text(
        Header("g", Release(1, 10)), difference(mapping([]), node(f"{section}: {{a: {{b: c}}}}"), RECORD)
    )
    assert [one.name for one in taken_apart(text).sections] == [section]


def node(text: str) -> Mapping:
    root = build_nodes(SourceFile(Path("t"), "t", text), Report())
    assert isinstance(root, Mapping)
    return root
