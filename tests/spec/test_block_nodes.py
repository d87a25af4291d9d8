"""What `block_documents` reads is what `event_documents` reads, to the last column; what it leaves alone is for the latter."""

from __future__ import annotations

import pickle
import random
from pathlib import Path

import pytest

from apigen.diagnostics import Report
from apigen.spec import block_nodes
from apigen.spec.block_nodes import block_documents
from apigen.spec.event_nodes import event_documents
from apigen.spec.moved_nodes import first_of, moved
from apigen.spec.nodes import Mapping, Sequence
from apigen.spec.source import SourceFile, Sources

WRITTEN = """\
# as controller-gen writes it
apiVersion: apiextensions.k8s.io/v1
metadata:
  creationTimestamp: null
  name: widgets.example.com
spec:
  x-kubernetes-list-map-keys:
  - name
  - two words
  versions:
    - name: v1
      schema:
        description: |-
          First line.

            * a list: with a colon

          Last line.
        kept: |+
          text

        clipped: |
          text
        default: {}
        required: []
        maximum: -1.5
        minimum: 0x1F
        enabled: true
        pattern: ^[a-z]([-a-z0-9]*[a-z0-9])?$
        message: text that goes
          on, and

          on
        rule: 'self == ''a'' ||
          self == ''b'''
        escaped: "a \\"quoted\\" word \\
          joined\\n\\tand folded
          here"
        double: "0"
      empty:
    -   name: v2
types:
  Widget:  # as people write it
    fields:
      name: {type: meta/v1.Name, required: true, protobuf: 1}
      labels: {type: "[]map[string]string", hub: {to: tags, byHand: two words}, default: ["a", b c, -1, ~]}  # why
      size: { type: int32, min: -1.5, max: 1e3, doc: 'it''s', pattern: "^\\"$", empty: {}, none: [] }
    enum:
      "*": {}
      'True': {}
      "": {"quoted key": [[a, b], {c: d}]}
    lost: [a,b]  # text
    kept[].path: plain text # and a comment
    defaults:   # nothing behind the key
"""

_SCHEMA = "".join(f"    {line}\n" if line else "\n" for line in WRITTEN.splitlines())
VERSIONS = f"""\
versions:
- name: v1
  schema:
{_SCHEMA}- name: v2
  served: true
  schema:
{_SCHEMA}  storage: true
- name: v3
  schema:
{_SCHEMA}"""
"""Versions that have the same schema."""

AGAIN = {
    "the same block three times": "a:\n- b:\n    c: d\n    e: f\n- b:\n    c: d\n    e: f\n- b:\n    c: d\n    e: f\n",
    "the same block deeper": "a:\n  b:\n    c:\n      d: e\nf:\n- b:\n    c:\n      d: e\n",
    "a block that goes on": "a:\n- b:\n    c: d\n    e: f\n- b:\n    c: d\n    e: f\n    g: h\n",
    "text at its end that goes on": "a:\n- b:\n    c: d\n    e: f\n- b:\n    c: d\n    e: f\n      g\n",
    "breaks at its end": "a:\n- b:\n    c: d\n    e: |+\n      f\n- b:\n    c: d\n    e: |+\n      f\n\n\n- b: c\n",
    "a comment behind it": "a:\n- b:\n    c: d\n    e: f\n- b:\n    c: d\n    e: f\n# g\n- b: c\n",
    "half of it at the end": "a:\n- b:\n    c: d\n    e: f\n- b:\n    c: d\n",
    "less space before what follows": "a:\n  - b:\n      c: d\n      e: f\n  - b:\n      c: d\n      e: f\n    g: h\n",
    "lists in it": "a:\n- b:\n    c:\n    - d\n    - e: f\n- b:\n    c:\n    - d\n    - e: f\n",
    "another document": "---\na:\n  b: c\n  d: e\n---\na:\n  b: c\n  d: e\n",
}
KNOWN = {
    "one key": "a: b\n",
    "documents": "---\na: b\n---\nc: d\n",
    "a list at the column of its key": "a:\n- b\n- c: d\n  e: f\ng: h\n",
    "nothing behind the last key": "a:\n  b:\n",
    "comments in lines of their own": "# one\na: b\n# two\nc: d\n\n# three\n",
    "text that is not ASCII": "a: Größe\nb: '×'\n",
    "bar in a list": "a:\n- |-\n  text\n- b\n",
    "flow": "a: {b: c}\n",
    "a list in a list in flow": "a: [[b], [c, {d: e}]]\n",
    "a comment behind a value": "a: b # c\n",
    "a comment behind a key": "a:   # b\n  c: d\ne:   # f\n",
    "a mapping in quotes in a list": 'a:\n- "b": c\n  d: e\n',
    "a number in quotes as key": '"1": b\n',
    "signs within words of flow": "a: {b: c'd, e: f\"g, h: i*j&k!, l: <m>}\n",
}
LEFT_ALONE = {
    "nothing": "",
    "no line break at the end": "a: |\n  b",
    "a list": "- a\n",
    "flow of several lines": "a: {b: c,\n  d: e}\n",
    "flow that goes on below": "a: {b: c}\n  d\n",
    "flow that stays open": "a: {b: c\n",
    "something behind flow": "a: {b: c} d\n",
    "a comment that touches flow": "a: {b: c}#d\n",
    "a comma at the end of flow": "a: {b: c,}\n",
    "no comma in flow": "a: [b [c]]\n",
    "a key without a value in flow": "a: {b}\n",
    "nothing behind a key in flow": "a: {b: , c: d}\n",
    "a key twice in flow": "a: {b: c, b: d}\n",
    "a key that is no text in flow": "a: {null: c}\n",
    "a merge key in flow": "a: {<<: c}\n",
    "a pair in a list in flow": "a: [b: c]\n",
    "a colon in plain text in flow": "a: {b: c:d}\n",
    "an anchor in flow": "a: {b: &x c, d: *x}\n",
    "flow as a key": "{a: b}: c\n",
    "flow that is too deep": f"a: {'[' * 101}{']' * 101}\n",
    "a key in quotes with an escape": '"\\x41": b\n',
    "an anchor": "a: &x b\nc: *x\n",
    "a tag": "a: !!str b\n",
    "a key twice": "a: b\na: c\n",
    "a key that is no text": "true: b\n",
    "a number as key": "1: b\n",
    "a merge key": "<<: b\n",
    "folded text": "a: >-\n  b\n",
    "a comment that could be text": "a: b\n  # c\n",
    "a comment behind quotes": "a: 'b' # c\n",
    "text below a comment": "a: b # c\n  d\n",
    "a colon in plain text": "a: b: c\n",
    "a colon in the next line": "a: b\n  c: d\n",
    "a tab": "a:\tb\n",
    "a tab behind a bar": "a: |\n  \tb\n",
    "an indicator": "a: @b\n",
    "a quote that stays open": "a: 'b\n",
    "an unknown escape": 'a: "\\x41"\n',
    "a list in a list": "a:\n- - b\n",
    "less than its list": "a:\n    - b\n  - c\n",
    "an end of the document": "a: b\n...\n",
    "an empty document": "---\n---\na: b\n",
    "a number that is too long": f"a: {'1' * 101}\n",
    "too deep": "".join(f"{' ' * level}a:\n" for level in range(101)) + f"{' ' * 101}b: c\n",
}
PIECES = [
    *":#-'\"|>&*!{}[]?%@`,. \n~0a",
    "\\",
    ": ",
    " #",
    "- ",
    "''",
    '\\"',
    "|-",
    "---\n",
    "\n\n",
    "\n  ",
    "null",
    "é",
    "{}",
    "{a: ",
    "[",
    "}",
    "]",
    ", ",
    ", b: ",
    " # ",
    '"a": ',
]


def source(text: str) -> SourceFile:
    return SourceFile(Path("crd.yaml"), "crd.yaml", text)


def by_events(text: str) -> str:
    """What PyYAML makes of a text, as text: with its types, and every place."""
    report = Report()
    documents = event_documents(source(text), report)
    return f"{documents!r} {report.diagnostics}"


@pytest.mark.parametrize("text", [WRITTEN, *KNOWN.values()], ids=["written", *KNOWN])
def test_what_is_known_comes_out_the_same(text: str) -> None:
    assert f"{block_documents(source(text))!r} ()" == by_events(text)


@pytest.mark.parametrize("text", [VERSIONS, *AGAIN.values()], ids=["versions", *AGAIN])
def test_text_that_stands_there_again_comes_out_the_same(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(block_nodes, "_LARGE", 2)
    assert f"{block_documents(source(text))!r} ()" == by_events(text)


def test_text_that_stands_there_again_is_not_read_again() -> None:
    (root,) = block_documents(source(VERSIONS)) or ()
    assert isinstance(root, Mapping)
    (versions,) = (entry.value for entry in root.entries)
    assert isinstance(versions, Sequence)
    schemas = [
        entry.value for version in versions.items for entry in mapping(version).entries if entry.key.text == "schema"
    ]
    first, second, third = map(mapping, schemas)
    assert first_of(second) is first_of(third) is first.entries
    assert first_of(mapping(second.entries[2].value)) is mapping(first.entries[2].value).entries
    assert second.entries == moved(first, second.line - first.line).entries != first.entries
    assert [pickle.loads(pickle.dumps(each)) for each in schemas] == schemas
    assert hash(second.entries[1]) == hash(pickle.loads(pickle.dumps(second.entries[1])))


def mapping(node: object) -> Mapping:
    assert isinstance(node, Mapping)
    return node


@pytest.mark.parametrize("text", LEFT_ALONE.values(), ids=LEFT_ALONE)
def test_the_rest_is_left_alone(text: str) -> None:
    assert block_documents(source(text)) is None


@pytest.mark.parametrize(("written", "large", "times"), [(WRITTEN, 50, 3_000), (VERSIONS, 3, 1_000)])
def test_bent_text_comes_out_the_same_or_is_left_alone(
    written: str, large: int, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(block_nodes, "_LARGE", large)
    chance = random.Random(7)
    read = 0
    for _ in range(times):
        text = bent(written, chance)
        file = source(text)
        if not Sources(Report(), {"/crd.yaml": text.encode()}).read(Path("/crd.yaml"), "crd.yaml"):
            continue
        documents = block_documents(file)
        if documents is not None:
            read += 1
            assert f"{documents!r} ()" == by_events(text), text
    assert read > times // 15


def bent(text: str, chance: random.Random) -> str:
    """A text after one to three small changes."""
    for _ in range(chance.randrange(1, 4)):
        at, lines = chance.randrange(len(text)), text.split("\n")
        line = chance.randrange(len(lines))
        kind = chance.randrange(6)
        if kind == 0:
            lines[line] = " " * chance.randrange(1, 4) + lines[line]
        elif kind == 1:
            lines[line] = lines[line][chance.randrange(1, 4) :]
        elif kind == 2:
            lines.insert(chance.randrange(len(lines)), lines[line])
        text = "\n".join(lines)
        if kind > 3:
            text = text[:at] + chance.choice(PIECES) + text[at:]
        elif kind == 3:
            text = text[:at] + text[at + chance.randrange(1, 4) :]
    return text
