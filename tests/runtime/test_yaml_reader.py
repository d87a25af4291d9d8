"""YAML to trees, with libyaml and without."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from apigen.runtime import DecodeError, RawExtension, json_text, json_values, parse_yaml
from apigen.runtime.yaml_reader import parse_yaml_documents
from tests.effort import within
from tests.runtime.kubernetes_vectors import codec_files, documents, objects


@pytest.fixture(params=["libyaml", "python"])
def _loader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "python":
        monkeypatch.delattr(yaml, "CSafeLoader", raising=False)


both_loaders = pytest.mark.usefixtures("_loader")


@pytest.mark.parametrize("path", codec_files(), ids=lambda path: path.name)
def test_documents_of_kubernetes_are_parsed(path: Path) -> None:
    for record in list(objects(path))[::3]:
        duplicates: list[str] = []
        assert parse_yaml(record["yaml"], duplicates) == json.loads(record["json"])
        assert duplicates == []


@both_loaders
@pytest.mark.parametrize("record", documents("yaml"), ids=lambda record: record["in"][:60])
def test_unusual_documents_of_kubernetes(record: dict[str, object]) -> None:
    text, error, strict = str(record["in"]), str(record["error"]), record["strict"]
    if error.startswith(("yaml:", "unsupported map key")):
        with pytest.raises(DecodeError, match=r"^invalid YAML at line 4: "):
            parse_yaml(text)
        return
    duplicates: list[str] = []
    if "\n---\n" in text:  # Kubernetes' library drops all but the first document
        with pytest.raises(DecodeError, match=r"^the input holds several documents \(the second one starts at line "):
            parse_yaml(text.encode(), duplicates)
        return
    parse_yaml(text.encode(), duplicates)
    assert duplicates == (["data.a"] if "already set in map" in str(strict) else [])


@both_loaders
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("---\n", None),
        ("a", "a"),
        ("[yes, On, y, TRUE, no, Off, N, false]", [True] * 4 + [False] * 4),
        ("[~, null, NULL, '', nULL]", [None, None, None, "", "nULL"]),
        ("[010, 0o17, 0x1F, 0b11, -0b11, 1_000, 08, +7, 0b-1]", [8, 15, 31, 3, -3, 1000, 8, 7, -1]),
        ("[1e3, 1.5, .5, -.5e1, 1., 1e21, 1e400, 1e-7]", [1000, 1.5, 0.5, -5, 1, 1e21, "1e400", 1e-7]),
        (
            "[18446744073709551615, 18446744073709551616, -9223372036854775809]",
            [2**64 - 1, 18446744073709552000, -9223372036854776000],
        ),
        ("[2001-02-03, 2001-02-03T04:05:06Z, 12:30, 1:60]", ["2001-02-03", "2001-02-03T04:05:06Z", "12:30", "1:60"]),
        ("['1', \"yes\", ! 5, !!str 5, !!float 5, !!int '0x10', !foo 5]", ["1", "yes", "5", "5", 5, 16, "5"]),
        (
            "{1: a, yes: b, 1.5: c, 0x10: d, 1e8: e, .inf: f}",
            {"1": "a", ".inf": "f", "1.5": "c", "16": "d", "1e+08": "e", "true": "b"},
        ),
        ("{w: !!binary aGVsbG8=, x: !!binary '////'}", {"w": "hello", "x": "\ufffd\ufffd\ufffd"}),
        ("a: &x {p: 1}\nb: *x\nc: [*x, *x]", {"a": {"p": 1}, "b": {"p": 1}, "c": [{"p": 1}, {"p": 1}]}),
        ("&k key: &v [1]\n*k : *v", {"key": [1]}),
        ("<<: {a: 1, b: 2}\nb: 3", {"a": 1, "b": 3}),
        ("b: 3\n<<: {a: 1, b: 2}", {"a": 1, "b": 2}),
        ("<<: [{a: 1}, {a: 2, b: 2}]", {"a": 1, "b": 2}),
        ("'<<': 1", {"<<": 1}),
        ("x: !!set {a, b}", {"x": {"a": None, "b": None}}),
        ("a: |\n  x\n   y\n\nb: >-\n  x\n  y\n", {"a": "x\n y\n", "b": "x y"}),
        ("---\n# nothing\n---\nnull\n---\na: 1\n---\n...\n", {"a": 1}),
    ],
)
def test_values(text: str, value: object) -> None:
    tree = parse_yaml(text)
    assert tree == value
    assert json.dumps(tree) == json.dumps(value, sort_keys=True) or text.startswith("{1:")


@both_loaders
@pytest.mark.parametrize(
    "text",
    [
        "a: [",
        "a: b: c",
        "\ta: 1",
        "a: 'x",
        "*x",
        "&a [*a]",
        "null: 1",
        "{[1]: 2}",
        "? {a: 1}\n: 2",
        "18446744073709551615: 1",
        "a: .nan",
        "a: -.inf",
        "!!int x",
        "!!bool 1",
        "!!null x",
        "!!float 18446744073709551615",
        "!!binary x",
        "<<: 1",
        "<<: [1]",
        "<<: [[]]",
        "%YAML 3.0\n---\n",
        "a: \0",
        "@",
    ],
)
def test_rejected_documents(text: str) -> None:
    with pytest.raises(DecodeError, match=r"^invalid YAML"):
        parse_yaml(text)


@pytest.mark.parametrize("data", [b"a: \xff", b"\xfe\xff\xd8", "a: \ud800", 'a: "\\ud800"'])
def test_invalid_utf8_is_rejected(data: bytes | str) -> None:
    with pytest.raises(DecodeError, match=r"^invalid YAML"):
        parse_yaml(data)


def test_error_has_a_line() -> None:
    with pytest.raises(DecodeError) as caught:
        parse_yaml("a: 1\nb:\n  null: 2\n")
    assert str(caught.value) == "invalid YAML at line 3: null cannot be a key"


@both_loaders
def test_duplicates() -> None:
    duplicates: list[str] = []
    text = "a: {b: [x, {c: 1, c: 2, c: 3}]}\na: &m {k: 1}\nd: {k: 0, <<: *m}\n1: x\n'1': z\n"
    assert parse_yaml(text, duplicates) == {"1": "z", "a": {"k": 1}, "d": {"k": 1}}
    assert duplicates == ["a.b[1].c", "a", "d.k", "1"]


def test_raw_values_have_sorted_keys_as_in_kubernetes() -> None:
    tree = parse_yaml("raw: {b: 1e3, a: [yes, '<', 0x10], c: 1.50}")
    assert isinstance(tree, dict)
    assert json_values.decode_raw_extension(tree["raw"], "raw") == RawExtension(
        b'{"a":[true,"\\u003c",16],"b":1000,"c":1.5}'
    )


@both_loaders
@pytest.mark.parametrize(
    "text",
    [
        "a: &a [x,x,x,x,x,x,x,x,x]\n"
        + "".join(
            f"{b}: &{b} [{','.join([f'*{a}'] * 9)}]\n" for a, b in zip("abcdefghijkl", "bcdefghijklm", strict=True)
        ),
        "a: &a [" + "x," * 400 + "]\n" + "b: [" + "*a," * 400 + "]\n",
        "a: &a {" + ",".join(f"k{n}: 1" for n in range(400)) + "}\nb: [" + "{<<: *a}," * 400 + "]\n",
    ],
    ids=["laughs", "wide", "merged"],
)
def test_exponential_aliases_are_rejected(text: str) -> None:
    with within(1_000_000), pytest.raises(DecodeError, match="the aliases multiply too much"):
        parse_yaml(text)


def test_few_aliases_are_accepted() -> None:
    tree = parse_yaml("a: &a {x: [1, 2, 3]}\nb: [" + "*a, " * 20 + "]\n")
    assert json_text(tree).count("[1,2,3]") == 21


@pytest.mark.parametrize(
    "text", ["[" * 100_000, "{a: " * 100_000, "- " * 100_000, "\n".join(" " * n + "a:" for n in range(1_500))]
)
def test_depth_is_limited(text: str) -> None:
    with pytest.raises(DecodeError, match=r"nested more than 500 levels deep|mapping values"):
        parse_yaml(text)


def test_aliases_are_included_in_depth() -> None:
    lines = ["a0: &a0 []"] + [f"a{n}: &a{n} [*a{n - 1}]" for n in range(1, 900)]
    with pytest.raises(DecodeError, match=r"the aliases multiply|nested more than 500"):
        parse_yaml("\n".join(lines))
    assert parse_yaml("[" * 500 + "]" * 500)


def test_without_pyyaml(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "yaml", None)
    with pytest.raises(ImportError, match="reading YAML needs PyYAML"):
        parse_yaml("a: 1")


BMP = st.text(st.characters(max_codepoint=0xFFFF, exclude_categories=["Cs"]), max_size=20)  # YAML limits keys
SCALARS = st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | BMP


@given(st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(BMP, inner), max_leaves=10))
def test_json_is_parsed_identically(tree: object) -> None:
    assert parse_yaml(json.dumps(tree)) == tree


@given(st.text("ab:-[]{}&*!|>'\"%@`?#,<~\n\t 01._e", max_size=30))
def test_any_input_is_parsed_or_rejected(text: str) -> None:
    try:
        tree = parse_yaml(text)
    except DecodeError:
        return
    json_text(tree)


STREAMS: list[tuple[str, list[tuple[int, object]]]] = [
    ("", []),
    ("# nothing\n---\n---\nnull\n", []),
    ("a: 1\n", [(1, {"a": 1})]),
    ("a: 1\n---\nb: 2\n---\n- 3\n", [(1, {"a": 1}), (3, {"b": 2}), (5, [3])]),
    ("---\n# first\na: 1\n...\n---\n\n# second\n\nb: 2\n", [(3, {"a": 1}), (9, {"b": 2})]),
    ("a: &x [1]\nb: *x\n---\na: 1\n", [(1, {"a": [1], "b": [1]}), (4, {"a": 1})]),
    ("a: 1\n---\n? &k key\n: *k\n---\nc: 3\n", [(1, {"a": 1}), (3, {"key": "key"}), (6, {"c": 3})]),
    ("%YAML 1.1\n---\na: 1\n---\nb: {1: x}\n---\nc: 3\n", [(3, {"a": 1}), (5, {"b": {"1": "x"}}), (7, {"c": 3})]),
]


@both_loaders
@pytest.mark.parametrize(("text", "expected"), STREAMS)
def test_streams(text: str, expected: list[tuple[int, object]]) -> None:
    assert [(line, tree) for line, tree, _ in parse_yaml_documents(text)] == expected
    if len(expected) < 2:
        assert parse_yaml(text) == (expected[0][1] if expected else None)
        return
    with pytest.raises(DecodeError, match=rf"the second one starts at line {expected[1][0]}\); read them with"):
        parse_yaml(text)


@both_loaders
def test_repeated_keys_belong_to_their_document() -> None:
    text = "a: 1\na: 2\n---\nb: {c: 1, c: 2}\n---\nd: 1\n"
    assert [found for _, _, found in parse_yaml_documents(text, with_duplicates=True)] == [["a"], ["b.c"], []]


@both_loaders
def test_anchor_is_scoped_to_its_document() -> None:
    documents = parse_yaml_documents("a: &x 1\n---\nb: *x\n")
    assert next(documents)[1] == {"a": 1}
    with pytest.raises(DecodeError, match="line 3"):
        next(documents)
