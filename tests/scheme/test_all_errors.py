"""`decode(..., errors="all")`: the errors of all wrong values, the first of which is that of `decode` on its own."""

from __future__ import annotations

import copy
import json
import pickle
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.effort import calls_of
from tests.scheme.compiled import (
    FLOWCONTROL,
    JSON,
    MEDIA_TYPES,
    PROTOBUF,
    THINGS,
    YAML,
    Compiled,
    Document,
    flow_schema,
    ingress,
    priority_level,
)
from tests.scheme.test_bad_input import CONFIG_MAP, FROBBER
from tests.scheme.test_plain_data import SCALER

DOCUMENTS: list[Document] = [
    FROBBER,
    CONFIG_MAP,
    SCALER,
    flow_schema(),
    ingress("v1"),
    ingress("v1beta1"),
    priority_level("v1beta3", "nominalConcurrencyShares"),
    {"apiVersion": f"{THINGS}/v6", "kind": "FrobberList", "metadata": {}, "items": [FROBBER, FROBBER]},
]


def errors_of(compiled: Compiled, data: Any, media_type: str = JSON, **options: Any) -> list[str]:
    with pytest.raises(compiled.errors.DecodeErrors) as raised:
        compiled.scheme.decode(data, media_type, errors="all", **options)
    assert not any(isinstance(error, compiled.errors.DecodeErrors) for error in raised.value.exceptions)
    return [str(error) for error in raised.value.exceptions]


WRONG: Document = {
    "apiVersion": f"{THINGS}/v6",
    "kind": "Frobber",
    "metadata": {"labels": {"a": 1, "b": "x", "c": None, "d": []}, "managedFields": [{"fieldsV1": [1]}, 7]},
    "height": "3",
    "width": 2**40,
    "knobs": [{"name": 1, "position": True}, None, [], {"width": 1.5}],
    "template": {"labels": "x"},
    "status": {"frobs": 1, "lastFrobTime": "noon", "color": 1},
    "color": {"name": 5},
}
FOUND = [
    "metadata.labels[a]: expected a string, found a number (1)",
    "metadata.labels[d]: expected a string, found a list (0 elements)",
    "metadata.managedFields[1]: expected an object, found a number (7)",
    "height: expected an integer, found a string ('3')",
    f"width: expected an integer from {-(2**31)} to {2**31 - 1}, found a number ({2**40})",
    "status.lastFrobTime: ",
    "knobs[0].name: expected a string, found a number (1)",
    "knobs[0].position: expected an integer, found a boolean (true)",
    "knobs[2]: expected an object, found a list (0 elements)",
    "knobs[3].width: expected an integer, found a number (1.5)",
    "template.labels: expected an object, found a string ('x')",
]


@pytest.mark.parametrize("form", ["text", "bytes", "yaml", "mapping"])
def test_every_wrong_value_is_found(compiled: Compiled, form: str) -> None:
    text = json.dumps(WRONG)
    data: Any = {"text": text, "bytes": text.encode(), "yaml": text, "mapping": WRONG}[form]
    found = errors_of(compiled, data, YAML if form == "yaml" else JSON)
    assert len(found) == len(FOUND)
    assert all(error.startswith(words) for error, words in zip(found, FOUND, strict=True))
    with pytest.raises(compiled.errors.DecodeError) as raised:
        compiled.scheme.decode(data, YAML if form == "yaml" else JSON)
    assert str(raised.value) == found[0]
    strict = errors_of(compiled, data, YAML if form == "yaml" else JSON, unknown="error")
    assert strict == [*found, "color: unknown field", "status.color: unknown field"]


def test_unknown_and_repeated_fields_are_separate_errors(compiled: Compiled) -> None:
    text = f'{{"apiVersion":"{THINGS}/v6","kind":"Frobber","a":1,"height":1,"height":2,"status":{{"b":1}}}}'
    found = errors_of(compiled, text, unknown="error")
    assert found == ["height: duplicate field", "status.b: unknown field", "a: unknown field"]
    with pytest.raises(compiled.errors.DecodeError) as raised:
        compiled.scheme.decode(text, unknown="error")
    assert str(raised.value) == 'duplicate field "height"; unknown field "status.b"; unknown field "a"'
    for error in (raised.value, pickle.loads(pickle.dumps(raised.value))):
        assert [each.path for each in error.errors] == ["height", "status.b", "a"]
    assert compiled.scheme.decode(text, errors="all").height == 2


@pytest.mark.parametrize(
    ("data", "media_type", "words"),
    [
        ("{", JSON, "invalid JSON at line 1"),
        ("", JSON, "invalid JSON at line 1"),
        ("[]", JSON, "expected an object"),
        ("{}", JSON, "`kind` is missing"),
        ('{"kind": 1, "apiVersion": 2}', JSON, "kind: expected a string"),
        ('{"kind": "Frob", "apiVersion": "a/v1"}', JSON, "there is no kind 'Frob'"),
        ("a: [", YAML, "invalid YAML at line "),
        (b"k8s\0\xff", PROTOBUF, "envelope: "),
        (b"", PROTOBUF, "not Kubernetes' protobuf"),
    ],
)
def test_unreadable_input_is_one_error(compiled: Compiled, data: Any, media_type: str, words: str) -> None:
    (found,) = errors_of(compiled, data, media_type)
    assert found.startswith(words)


def test_unexpected_kind_is_one_error(compiled: Compiled) -> None:
    assert errors_of(compiled, json.dumps(CONFIG_MAP), expect="Frobber") == ["expected Frobber, found v1 ConfigMap"]


def test_protobuf_ends_with_the_first_error(compiled: Compiled) -> None:
    wrap = compiled.module("runtime.wire").wrap
    data = wrap(f"{FLOWCONTROL}/v1", "FlowSchema", b"\x12\x05\x22\x03\x0a\x01\x08")
    with pytest.raises(compiled.errors.DecodeError) as raised:
        compiled.scheme.decode(data, PROTOBUF)
    assert errors_of(compiled, data, PROTOBUF) == [str(raised.value)]


@pytest.mark.parametrize("media_type", MEDIA_TYPES)
def test_valid_documents_are_decoded(compiled: Compiled, media_type: str) -> None:
    for document in DOCUMENTS[:-1]:  # items of a list have no kind in protobuf
        obj = compiled.read(document)
        data = compiled.scheme.encode(obj, media_type)
        assert compiled.scheme.decode(data, media_type, errors="all", unknown="error") == obj


# --- the group --------------------------------------------------------------------------------------------------------


def group_of(compiled: Compiled) -> Any:
    with pytest.raises(compiled.errors.DecodeErrors) as raised:
        compiled.read(WRONG, errors="all")
    return raised.value


def test_the_group_is_caught_as_any_error_and_as_a_group(compiled: Compiled) -> None:
    errors = compiled.errors
    group = group_of(compiled)
    for cls in (errors.ApiError, errors.DecodeError, ValueError, ExceptionGroup, Exception):
        assert isinstance(group, cls)
    seen: list[str] = []
    try:
        compiled.read(WRONG, errors="all")
    except* errors.DecodeError as caught:
        seen += [str(error) for error in caught.exceptions]
    assert len(seen) == len(FOUND)
    parts, rest = group.split(lambda error: error is not group and str(error).startswith("knobs"))
    assert (len(parts.exceptions), len(rest.exceptions)) == (4, len(FOUND) - 4)
    assert type(parts) is type(rest) is errors.DecodeErrors


def test_the_text_lists_the_errors(compiled: Compiled) -> None:
    group = group_of(compiled)
    lines = str(group).splitlines()
    assert lines[0] == f"{len(FOUND)} errors:"
    assert lines[1] == "  metadata.labels[a]: expected a string, found a number (1)"
    assert len(lines) == len(FOUND) + 1
    many = {**CONFIG_MAP, "data": {f"key-{i}": i for i in range(1_000)}}
    with pytest.raises(compiled.errors.DecodeErrors) as raised:
        compiled.read(many, errors="all")
    assert len(raised.value.exceptions) == 1_000
    assert str(raised.value).endswith("\n  and 980 more")
    one = {**CONFIG_MAP, "data": {"a": 1}}
    with pytest.raises(compiled.errors.DecodeErrors) as raised:
        compiled.read(one, errors="all")
    assert (raised.value.path, str(raised.value)) == ("data[a]", "data[a]: expected a string, found a number (1)")


def test_the_group_can_be_copied_and_pickled(compiled: Compiled) -> None:
    group = group_of(compiled)
    for other in (copy.copy(group), pickle.loads(pickle.dumps(group))):
        assert str(other) == str(group)
        assert [str(error) for error in other.exceptions] == [str(error) for error in group.exceptions]


# --- any document -----------------------------------------------------------------------------------------------------

VALUES: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, 0, 5, -1, 2**31, 2**63, 2**64, 1.5, 3.0, 1e300, "", "x", "5", "noon", "1s", "AA==", "é", [], [None], [5],
     ["x"], [[]], [{}], {}, {"a": None}, {"a": 5}, {"a": "x"}, {"name": 1}, {"a": {"b": []}}]
)  # fmt: skip


def places(tree: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    found: list[tuple[str | int, ...]] = []
    items = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in items:
        if path or key not in ("apiVersion", "kind"):
            found += [(*path, key), *places(value, (*path, key))]
    return found


@st.composite
def mutated(draw: st.DrawFn) -> Document:
    document: Any = copy.deepcopy(draw(st.sampled_from(DOCUMENTS)))
    for _ in range(draw(st.integers(1, 4))):
        *path, last = draw(st.sampled_from(places(document)))
        parent = document
        for step in path:
            parent = parent[step]
        if isinstance(parent, dict) and draw(st.integers(0, 5)) == 0:
            last = draw(st.sampled_from(["color", "name", "items", "duration", "a.b", "a[0]"]))
        parent[last] = copy.deepcopy(draw(VALUES))
    return document  # type: ignore[no-any-return]


@pytest.mark.parametrize("media_type", [JSON, YAML, "mapping"])
@pytest.mark.parametrize("unknown", ["ignore", "error"])
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(document=mutated())
def test_all_errors_begin_with_the_first(compiled: Compiled, media_type: str, unknown: str, document: Document) -> None:
    data: Any = document if media_type == "mapping" else json.dumps(document)
    options = {"media_type": JSON if media_type == "mapping" else media_type, "unknown": unknown}
    errors = compiled.errors
    try:
        obj, first = compiled.scheme.decode(data, **options), None
    except errors.DecodeError as error:
        obj, first = None, error
    try:
        assert compiled.scheme.decode(data, errors="all", **options) == obj
        found = []
    except errors.DecodeErrors as group:
        found = [(error.path, error.problem) for error in group.exceptions]
    assert bool(found) == (first is not None)
    if first is None:
        return
    assert len(set(found)) == len(found), "each value is reported once"
    if "unknown field" in first.problem:
        assert "; ".join(f'{problem} "{path}"' for path, problem in found) == first.problem
    else:
        assert found[0] == (first.path, first.problem)


@pytest.mark.parametrize("media_type", [JSON, YAML])
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(document=mutated())
def test_the_walk_finds_the_first_error_itself(compiled: Compiled, media_type: str, document: Document) -> None:
    """Not only because it is put in front."""
    try:
        compiled.scheme.decode(json.dumps(document), media_type)
    except compiled.errors.DecodeError as error:
        first = error
    else:
        return
    tree = compiled.module("runtime.documents").parse_tree(json.dumps(document), media_type, frozenset(), None)
    kinds = compiled.module("scheme")._SCHEME._kinds
    entry = kinds.found(document["apiVersion"], document["kind"])
    cls = getattr(kinds.module(entry, "types"), entry.kind)
    found, _ = compiled.module("runtime.checking").wrong_values(cls, tree)
    assert (found[0].path, found[0].problem) == (first.path, first.problem)


def test_fixing_each_reported_error_ends_in_success(compiled: Compiled) -> None:
    """Each reported error is also the error of plain decoding after the earlier errors are fixed."""
    document = copy.deepcopy(WRONG)
    found = [error.path for error in group_of(compiled).exceptions]
    for path in found:
        with pytest.raises(compiled.errors.DecodeError) as raised:
            compiled.read(document)
        assert raised.value.path == path
        steps = [int(s) if s.isdecimal() else s for s in path.replace("]", "").replace("[", ".").split(".")]
        parent: Any = document
        for step in steps[:-1]:
            parent = parent[step]
        parent[steps[-1]] = None
    compiled.read(document)


def test_work_grows_with_the_document(compiled: Compiled) -> None:
    def read(size: int) -> None:
        data = {**CONFIG_MAP, "data": {f"k{i}": i for i in range(size)}, **{f"u{i}": 1 for i in range(size)}}
        with pytest.raises(compiled.errors.DecodeErrors):
            compiled.read(data, errors="all", unknown="error")

    read(10)
    once, twice, four_times = (calls_of(partial(read, size)) for size in (500, 1_000, 2_000))
    assert twice < 2.2 * once
    assert four_times < 2.2 * twice
