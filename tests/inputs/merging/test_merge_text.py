"""Merging by text edits: everything that is not edited stays byte for byte."""

from __future__ import annotations

import itertools
import json
from textwrap import dedent

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from apigen.inputs.merging import (
    REMOVE,
    Block,
    Entries,
    Lines,
    NoteKind,
    Owner,
    Shape,
    UnmergeableError,
    Value,
    merge_text,
    render,
)
from apigen.language.node_text import WIDEST

INNER = Shape(owners={"a": Owner.FOLLOW, "b": Owner.KEEP, "c": Owner.ONCE, "d": Owner.QUIET, "flag": Owner.FOLLOW})
TREE = Shape(owners={"names": Owner.KEEP, "more": Owner.KEEP}, children={"names": Shape(each=INNER), "more": INNER})


def merged(before: str, wanted: Entries, shape: Shape = TREE) -> str:
    text, _ = merge_text(dedent(before), wanted, shape)
    again, notes = merge_text(text, wanted, shape)
    assert again == text
    assert {note.kind for note in notes} <= {NoteKind.KEPT, NoteKind.NOT_IN_SOURCE}
    return text


def names(**entries: Value) -> Entries:
    return {"names": Block(entries)}


@pytest.mark.parametrize(
    ("before", "wanted", "after"),
    [
        pytest.param("names:\n  x: {a: 1}\n", names(x={"a": 2}), "names:\n  x: {a: 2}\n", id="followed"),
        pytest.param("names:\n  x: {b: 1}\n", names(x={"b": 2}), "names:\n  x: {b: 1}\n", id="kept"),
        pytest.param("names:\n  x: {a: 1}\n", names(x={"a": 1, "c": 5}), "names:\n  x: {a: 1}\n", id="once"),
        pytest.param(
            "names:\n  x: {a: 1, flag: true, z: 3}\n", names(x={"a": 1}), "names:\n  x: {a: 1, z: 3}\n", id="removed"
        ),
        pytest.param("names:\n  x: {flag: true, z: 3}\n", names(x={}), "names:\n  x: {z: 3}\n", id="removed-first"),
        pytest.param("names:\n  x: {flag: true}\n", names(x={}), "names:\n  x: {}\n", id="removed-last"),
        pytest.param(
            "names:\n  x:\n    flag: true   # why\n    z: 3\n",
            names(x={}),
            "names:\n  x:\n    z: 3\n",
            id="removed-line",
        ),
        pytest.param("names:\n  x:\n    flag: true\n", names(x={}), "names:\n  x:\n    {}\n", id="removed-all-lines"),
        pytest.param(
            "names:\n  x: {a: 1}   # one\n\n  # of z\n  z: {a: 3}\n",
            names(x={"a": 1}, m={"a": 2}, z={"a": 3}),
            "names:\n  x: {a: 1}   # one\n  m: {a: 2}\n\n  # of z\n  z: {a: 3}\n",
            id="behind-its-predecessor",
        ),
        pytest.param(
            "names:\n  # of z\n  z: {a: 3}\n",
            names(m={"a": 2}, z={"a": 3}),
            "names:\n  # of z\n  m: {a: 2}\n  z: {a: 3}\n",
            id="at-the-beginning",
        ),
        pytest.param(
            "names: {x: {a: 1}}\n", names(x={"a": 1}, m={"a": 2}), "names: {x: {a: 1}, m: {a: 2}}\n", id="flow"
        ),
        pytest.param("names: {z: {}}\n", names(m={"a": 2}, z={}), "names: {m: {a: 2}, z: {}}\n", id="flow-first"),
        pytest.param("names: {}   # none\n", names(m={"a": 2}), "names:  # none\n  m: {a: 2}\n", id="empty-mapping"),
        pytest.param("names:   # none\n", names(m={"a": 2}), "names:  # none\n  m: {a: 2}\n", id="nothing"),
        pytest.param("", names(m={"a": 2}), "names:\n  m: {a: 2}\n", id="empty-file"),
        pytest.param("# c", names(m={"a": 2}), "# c\nnames:\n  m: {a: 2}\n", id="comment-only"),
        pytest.param(
            "names:\n  x: {a: 1}",
            names(x={"a": 1}, m={"a": 2}),
            "names:\n  x: {a: 1}\n  m: {a: 2}",
            id="no-last-newline",
        ),
        pytest.param(
            "names:\n  x:\n    doc: |\n      Two\n      lines.\n\n  # of z\n  z: {}\n",
            names(x={"a": 1}, m={}, z={}),
            "names:\n  x:\n    a: 1\n    doc: |\n      Two\n      lines.\n  m: {}\n\n  # of z\n  z: {}\n",
            id="block-scalar",
        ),
        pytest.param(
            "names:\n  x: {a: 1}\n  m: {a: 2}\n", names(x=REMOVE, m={"a": 2}), "names:\n  m: {a: 2}\n", id="gone-first"
        ),
        pytest.param("names:\n  x: {a: 1}\n", names(x=REMOVE), "names:\n  {}\n", id="gone-all"),
        pytest.param("names:\n  x: {a: 1}\n", names(x={"a": 1}, m=REMOVE), "names:\n  x: {a: 1}\n", id="gone-anyway"),
        pytest.param("names:\n  x: {a: 1.10}\n", names(x={"a": "1.10"}), "names:\n  x: {a: 1.10}\n", id="release"),
        pytest.param(
            "names:\n  x:\n    a:\n    - 1\n",
            names(x={"a": Lines([1, 2])}),
            "names:\n  x:\n    a:\n    - 1\n    - 2\n",
            id="list",
        ),
        pytest.param("names: &n {x: {a: 1}}\n", names(x={"a": 2}), "names: &n {x: {a: 2}}\n", id="anchor"),
    ],
)
def test_merged(before: str, wanted: Entries, after: str) -> None:
    assert merged(before, wanted) == after


FORMS = Shape(
    each=Shape(owners={"is": Owner.KEEP, "enum": Owner.KEEP}, union=("is", "enum"), plainest=({"is": "string"},))
)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "x:  # open\n  # of is\n  is: string  # so\nm: 1\n",
            "x:  # open\n  # of is\n  enum:\n    A: {}  # so\nm: 1\n",
        ),
        ("x: {is: string}   # open\n", "x:  # open\n  enum:\n    A: {}\n"),
        ("x: {is: int32}\n", "x: {is: int32}\n"),
        ("x: {is: string, doc: mine}\n", "x: {is: string, doc: mine}\n"),
    ],
)
def test_unedited_plain_form_is_replaced(before: str, after: str) -> None:
    assert merged(before, {"x": {"enum": Block({"A": {}})}}, FORMS) == after


def test_line_over_the_limit_becomes_a_block() -> None:
    long = "z" * 100
    before = f"names:\n  x: {{b: {long}, z: 1}}   # why\n"
    after = merged(before, names(x={"a": 12345678, "b": long}))
    assert after == f"names:\n  x:  # why\n    a: 12345678\n    b: {long}\n    z: 1\n"
    assert all(len(line) <= WIDEST for line in after.splitlines())


def test_a_flow_mapping_over_several_lines_keeps_its_lines() -> None:
    before = "names:\n  x: {a: 1,\n      z: 1}\n"
    assert merged(before, names(x={"a": 1, "b": 2})) == "names:\n  x: {a: 1, b: 2,\n      z: 1}\n"


@pytest.mark.parametrize(
    "before",
    ["names: &x {x: {a: 1}}\nmore: *x\n", "names:\n  x: &x {a: 1}\n  m: *x\n"],
)
def test_aliased_value_is_not_edited(before: str) -> None:
    with pytest.raises(UnmergeableError, match="alias"):
        merge_text(before, names(x={"a": 2}, m={"a": 3}), TREE)


def test_an_anchor_that_is_used_twice() -> None:
    with pytest.raises(UnmergeableError, match="anchor"):
        merge_text("names:\n  x: &x {a: 1}\n  m: &x {a: 1}\n", names(x={"a": 2}), TREE)


def test_list_in_place_of_a_mapping() -> None:
    with pytest.raises(UnmergeableError, match="expected a map at `names`"):
        merge_text("names: [x]\n", names(x={"a": 2}), TREE)


# --- properties


PERSON = st.dictionaries(
    st.sampled_from(["p", "q", "doc"]), st.sampled_from([1, "text", [1, 2], {"k": "v"}]), max_size=3
)
WORDS = st.fixed_dictionaries(
    {},
    optional={
        "a": st.sampled_from([1, "one", "a b", "on", ""]),
        "b": st.sampled_from([2, "two", [1], {"x": 1}]),
        "flag": st.just(True),
    },
)
WANTED = st.dictionaries(st.sampled_from(["x", "y", "z", "long name", "é"]), WORDS, max_size=5)


@st.composite
def files(draw: st.DrawFn) -> str:
    """A file as an import wrote it, in which a person has added keys, comments, empty lines and entries."""
    lines = ["# of the file", "names:"]
    for name, words in draw(WANTED).items():
        said = {**words, **draw(PERSON)}
        style = draw(st.sampled_from(["flow", "block"]))
        comment = draw(st.sampled_from(["", "  # why"]))
        if style == "flow" or not said:
            lines.append(f"  {yaml.safe_dump(name, default_style=chr(34)).strip()}: {_flow(said)}{comment}")
        else:
            lines.append(f"  {yaml.safe_dump(name, default_style=chr(34)).strip()}:{comment}")
            lines += [f"    {key}: {_flow(value)}" for key, value in said.items()]
        lines += draw(st.sampled_from([[], [""], ["  # between", ""]]))
    return "\n".join(lines) + draw(st.sampled_from(["", "\n"]))


def _flow(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(before=files(), wanted=WANTED, newline=st.sampled_from(["\n", "\r\n"]))
def test_random_documents_merge_idempotently(before: str, wanted: dict[str, Entries], newline: str) -> None:
    """The result has all wanted and all hand-written entries; merging again changes nothing."""
    before = before.replace("\n", newline)
    everything: Entries = {"names": Block(wanted)}
    text, _ = merge_text(before, everything, TREE)
    old, new = (yaml.safe_load(one).get("names") or {} for one in (before, text))
    for name, words in wanted.items():
        assert new[name].get("a") == words.get("a", old.get(name, {}).get("a") if name not in old else None)
        assert new[name].get("flag") == words.get("flag")
        kept = old.get(name, {}).get("b", words.get("b"))
        assert new[name].get("b") == kept
    for name, entry in old.items():
        assert {key: new[name].get(key) for key in ("p", "q", "doc")} == {
            key: entry.get(key) for key in ("p", "q", "doc")
        }
        if name not in wanted:
            assert new[name] == entry
    assert [line for line in text.splitlines() if "#" in line] == [line for line in text.splitlines() if "#" in line]
    for comment in ("# of the file", "# why", "# between"):
        assert text.count(comment) == before.count(comment)
    assert "\r" not in text.replace("\r\n", "") if newline == "\r\n" else "\r" not in text
    assert merge_text(text, everything, TREE)[0] == text


@settings(max_examples=100, deadline=None)
@given(wanted=WANTED)
def test_rendered_document_parses_to_the_same_value(wanted: dict[str, Entries]) -> None:
    text = render({"names": Block(wanted)})
    assert yaml.safe_load(text) == {"names": wanted}
    assert merge_text(text, {"names": Block(wanted)}, TREE)[0] == text


def test_unchanged_lines_are_preserved() -> None:
    before = "names:   # n\n\n  x:     {a:  1 ,  b: 'two'}\n  y:   \n      a: 1\n"
    for order in itertools.permutations(["x", "y"]):
        wanted = names(**{name: {"a": 1} for name in order})
        assert merge_text(before, wanted, TREE)[0] == before


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(before=files(), base=WANTED, wanted=WANTED)
@example(  # a person removed `a`, and the source the rest: the entry stays empty
    before='names:\n  "z": {"flag": true}', base={"z": {"flag": True, "a": 1}}, wanted={"z": {"a": 1}}
)
def test_edits_since_the_last_import_win(before: str, base: dict[str, Entries], wanted: dict[str, Entries]) -> None:
    """A value that equals the base follows the source; any other value, added or removed key stays as it is."""
    recorded, everything = render(names(**base)), names(**wanted)
    text, notes = merge_text(before, everything, TREE, recorded)
    old, new = (yaml.safe_load(one).get("names") or {} for one in (before, text))
    noted = {note.path[1:] for note in notes if note.kind is NoteKind.KEPT}
    for name in wanted.keys() & base.keys() & {name for name, entry in old.items() if entry}:
        for key in ("a", "b", "flag"):
            was, edited, now = (words[name].get(key) for words in (base, old, wanted))
            assert new[name].get(key) == (now if edited == was else edited), key
            assert ((name, key) in noted) == (edited not in (was, now)), key
    assert merge_text(text, everything, TREE, render(everything))[0] == text
