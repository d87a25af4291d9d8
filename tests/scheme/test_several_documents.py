"""Inputs with several documents: `decode` rejects them, `decode_all` reads and `encode_all` writes them."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
import yaml

from tests.effort import calls_of
from tests.scheme.compiled import JSON, MEDIA_TYPES, PROTOBUF, THINGS, YAML, Compiled, Document, flow_schema

CONFIG_MAP: Document = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"a": "b"}}
FROBBER: Document = {"apiVersion": f"{THINGS}/v6", "kind": "Frobber", "height": 3}
WRONG: Document = {**FROBBER, "height": "3"}
FIELDS: Document = {
    **CONFIG_MAP,
    "metadata": {"managedFields": [{"fieldsV1": {"f:b": {"items": [1.50, {}]}, "f:a": {}}}]},
}
OBJECTS = [CONFIG_MAP, FROBBER, flow_schema(), FIELDS]


def json_lines(*documents: object) -> str:
    return "\n".join(map(json.dumps, documents))


def stream(*documents: object) -> str:
    return yaml.safe_dump_all(documents, sort_keys=False)


def listed(*items: object) -> Document:
    return {"apiVersion": "v1", "kind": "List", "metadata": {"resourceVersion": ""}, "items": [*items]}


SEVERAL: dict[str, tuple[str, str]] = {
    "JSON lines": (json_lines(*OBJECTS), JSON),
    "JSON after JSON": ("".join(map(json.dumps, OBJECTS)), JSON),
    "JSON with indents": ("\n\n".join(json.dumps(each, indent=2) for each in OBJECTS) + "\n ", JSON),
    "JSON with nulls": (json_lines(None, *OBJECTS, None), JSON),
    "YAML": (stream(*OBJECTS), YAML),
    "YAML with empty documents": ("# nothing\n---\n" + stream(None, *OBJECTS, None) + "---\n# nothing\n", YAML),
    "list in JSON": (json.dumps(listed(*OBJECTS)), JSON),
    "list in YAML": (stream(listed(*OBJECTS)), YAML),
    "lists in JSON": (json_lines(listed(*OBJECTS[:2]), listed(), listed(listed(OBJECTS[2]), OBJECTS[3])), JSON),
    "lists in YAML": (stream(listed(*OBJECTS[:2]), listed(), listed(listed(OBJECTS[2]), OBJECTS[3])), YAML),
}


@pytest.mark.parametrize("form", SEVERAL)
@pytest.mark.parametrize("unknown", ["ignore", "warn", "error"])
def test_all_objects_are_read_in_order(compiled: Compiled, form: str, unknown: str) -> None:
    text, media_type = SEVERAL[form]
    expected = [compiled.read(each) for each in OBJECTS]
    for data in (text, text.encode(), bytearray(text.encode())):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = list(compiled.scheme.decode_all(data, media_type, unknown=unknown))
        assert found == expected


@pytest.mark.parametrize("form", SEVERAL)
def test_decode_rejects_several_documents(compiled: Compiled, form: str) -> None:
    text, media_type = SEVERAL[form]
    if form == "JSON with nulls":
        return  # `null` is no object at all
    with pytest.raises(compiled.errors.DecodeError, match="read them with `decode_all`") as raised:
        compiled.scheme.decode(text, media_type)
    assert type(raised.value) is compiled.errors.DecodeError
    with pytest.raises(compiled.errors.DecodeErrors, match="read them with `decode_all`"):
        compiled.scheme.decode(text, media_type, errors="all")


def test_decode_reports_where_the_second_document_starts(compiled: Compiled) -> None:
    with pytest.raises(compiled.errors.DecodeError) as raised:
        compiled.scheme.decode(f"{stream(CONFIG_MAP)}---\n# more\n\n{stream(FROBBER)}", YAML)
    assert str(raised.value) == (
        "the input holds several documents (the second one starts at line 10); read them with `decode_all`"
    )


@pytest.mark.parametrize("rest", ["x", "5", '"a"', "]", "}", ","])
def test_other_text_after_json_is_not_a_document(compiled: Compiled, rest: str) -> None:
    with pytest.raises(compiled.errors.DecodeError, match="line 2, column 1: expected the end of the text"):
        compiled.scheme.decode(f"{json.dumps(FROBBER)}\n{rest}")


@pytest.mark.parametrize(
    "text", ["# nothing\n---\n{}", "{}", "---\n---\n{}\n---\n", "---\nnull\n---\n{}\n...\n---\n# nothing\n"]
)
def test_decode_skips_empty_documents(compiled: Compiled, text: str) -> None:
    assert compiled.scheme.decode(text.format(json.dumps(FROBBER)), YAML) == compiled.read(FROBBER)


@pytest.mark.parametrize(
    ("text", "media_type"), [("", JSON), (" \n", JSON), ("null", JSON), ("", YAML), ("---\n", YAML)]
)
def test_an_input_without_documents(compiled: Compiled, text: str, media_type: str) -> None:
    assert list(compiled.scheme.decode_all(text, media_type)) == []
    with pytest.raises(compiled.errors.DecodeError):
        compiled.scheme.decode(text, media_type)


def test_raw_json_keeps_its_text(compiled: Compiled) -> None:
    fields = '{"f:b" : {"items":[1.50,{}]}, "f:a":{}}'
    text = f'{{"kind":"ConfigMap","apiVersion":"v1","metadata":{{"managedFields":[{{"fieldsV1":{fields}}}]}}}}'
    for data in (text, text * 2, f'{{"kind":"List","apiVersion":"v1","items":[{text}]}}'):
        for obj in compiled.scheme.decode_all(data):
            assert obj.metadata.managed_fields[0].fields_v1.raw == fields.encode()


def test_a_list_of_one_kind_is_one_object(compiled: Compiled) -> None:
    frobbers = {"apiVersion": f"{THINGS}/v6", "kind": "FrobberList", "metadata": {}, "items": [FROBBER, FROBBER]}
    for found in (
        compiled.scheme.decode_all(json.dumps(frobbers)),
        compiled.scheme.decode_all(stream(frobbers), YAML),
        compiled.scheme.decode_all(json.dumps(listed(frobbers))),
        compiled.scheme.decode_all(frobbers),
    ):
        assert [(type(each).__name__, len(each.items)) for each in found] == [("FrobberList", 2)]


def test_a_list_as_a_mapping(compiled: Compiled) -> None:
    assert list(compiled.scheme.decode_all(listed(*OBJECTS))) == [compiled.read(each) for each in OBJECTS]
    with pytest.raises(compiled.errors.DecodeError, match="a List holds several objects; read them with `decode_all`"):
        compiled.scheme.from_dict(listed(FROBBER))


def test_protobuf_holds_one_object(compiled: Compiled) -> None:
    obj = compiled.read(FROBBER)
    data = compiled.scheme.encode(obj, PROTOBUF)
    assert list(compiled.scheme.decode_all(data, PROTOBUF)) == [obj]
    assert compiled.scheme.encode_all([obj], PROTOBUF) == data
    with pytest.raises(compiled.errors.EncodeError, match="protobuf holds one object, found several"):
        compiled.scheme.encode_all([obj, obj], PROTOBUF)
    with pytest.raises(compiled.errors.EncodeError, match="protobuf holds one object, found none"):
        compiled.scheme.encode_all([], PROTOBUF)


# --- errors -----------------------------------------------------------------------------------------------------------

HEIGHT = "height: expected an integer, found a string ('3')"
ERRORS: dict[str, tuple[str, str, int, int, int, str]] = {
    # what: (text, media type, objects before it, document, line, path and problem)
    "alone in JSON": (json_lines(WRONG), JSON, 0, 0, 0, HEIGHT),
    "alone in YAML": (stream(None, WRONG, None), YAML, 0, 0, 0, HEIGHT),
    "first": (json_lines(WRONG, FROBBER), JSON, 0, 1, 1, HEIGHT),
    "first in YAML": (stream(WRONG, FROBBER), YAML, 0, 1, 1, HEIGHT),
    "last": (f"{json_lines(FROBBER, FROBBER)}\n\n{json_lines(WRONG)}", JSON, 2, 3, 4, HEIGHT),
    "last in YAML": (stream(FROBBER, None, FROBBER, WRONG), YAML, 2, 3, 10, HEIGHT),
    "in a list": (json_lines(listed(FROBBER, WRONG)), JSON, 1, 0, 0, f"items[1].{HEIGHT}"),
    "in a list in YAML": (stream(FROBBER, listed(WRONG)), YAML, 1, 2, 5, f"items[0].{HEIGHT}"),
    "in a list in a list": (json_lines(listed(FROBBER, listed(WRONG))), JSON, 1, 0, 0, f"items[1].items[0].{HEIGHT}"),
    "null in a list": (json_lines(listed(None)), JSON, 0, 0, 0, "items[0]: expected an object, found null"),
    "a number in a list": (json_lines(listed(5)), JSON, 0, 0, 0, "items[0]: expected an object"),
    "true in a list": (json_lines(listed(True)), JSON, 0, 0, 0, "items[0]: expected an object"),
    "no list of items": (json_lines({**listed(), "items": {}}), JSON, 0, 0, 0, "items: expected a list, found an object (0 members)"),
    "a number": (json_lines(FROBBER, 5), JSON, 1, 2, 2, "expected an object"),
    "a JSON list": (json_lines([FROBBER]), JSON, 0, 0, 0, "expected an object"),
    "no kind": (stream(FROBBER, {"a": 1}), YAML, 1, 2, 5, "`kind` is missing"),
    "syntax": (f"{json_lines(FROBBER)}\n{{", JSON, 1, 2, 0, "invalid JSON at line 2, column 2: expected the name of a member, in quotes, found the end"),
    "syntax of YAML": (f"{stream(FROBBER)}---\na: [", YAML, 1, 2, 0, "invalid YAML at line 6: did not find expected node content"),
}  # fmt: skip


@pytest.mark.parametrize("what", ERRORS)
@pytest.mark.parametrize("errors", ["first", "all"])
def test_an_error_names_its_document(compiled: Compiled, what: str, errors: str) -> None:
    text, media_type, before, document, line, problem = ERRORS[what]
    found = compiled.scheme.decode_all(text, media_type, errors=errors)
    for _ in range(before):
        next(found)
    with pytest.raises(compiled.errors.DecodeError) as raised:
        next(found)
    error = raised.value
    assert (error.document, error.line) == (document, line)
    prefix = f"document {document}: "
    if line:
        prefix = f"document {document} (line {line}): "
    assert str(error) == (prefix if document else "") + problem
    assert next(found, None) is None
    if errors == "all" and hasattr(error, "exceptions"):
        assert [str(each) for each in error.exceptions] == [str(error)]


@pytest.mark.parametrize(("form", "media_type"), [(json_lines, JSON), (stream, YAML)])
def test_unknown_fields_of_a_list_are_not_ignored(compiled: Compiled, form: Any, media_type: str) -> None:
    text = form({"apiVersion": "v1", "kind": "List", "itemz": [FROBBER], "items": [{**FROBBER, "color": "red"}]})
    assert len(list(compiled.scheme.decode_all(text, media_type))) == 1
    with pytest.raises(compiled.errors.DecodeError, match=r'^unknown field "itemz"$'):
        list(compiled.scheme.decode_all(text, media_type, unknown="error"))
    with pytest.warns(compiled.module("runtime.scheme").UnknownFieldWarning) as found:
        list(compiled.scheme.decode_all(text, media_type, unknown="warn"))
    assert [str(each.message) for each in found] == ['unknown field "itemz"', 'unknown field "color"']
    assert all(each.filename == __file__ for each in found), "a warning points at the caller"


@pytest.mark.parametrize(("media_type", "wrong"), [
    (JSON, '{"kind":"List","apiVersion":"v1","items":[],"items":[]}'),
    (YAML, "kind: List\napiVersion: v1\nitems: []\nitems: []\n"),
])  # fmt: skip
def test_repeated_fields_of_a_list(compiled: Compiled, media_type: str, wrong: str) -> None:
    with pytest.raises(compiled.errors.DecodeError, match='duplicate field "items"'):
        list(compiled.scheme.decode_all(wrong, media_type, unknown="error"))


@pytest.mark.parametrize(("media_type", "wrong"), [
    (JSON, '{"kind":"List","apiVersion":"v1","items":[{"kind":"ConfigMap","apiVersion":"v1","data":{"a":"","a":""}}]}'),
    (YAML, "kind: List\napiVersion: v1\nitems:\n- {kind: ConfigMap, apiVersion: v1, data: {a: '', a: ''}}\n"),
])  # fmt: skip
def test_repeated_fields_of_an_item(compiled: Compiled, media_type: str, wrong: str) -> None:
    with pytest.raises(compiled.errors.DecodeError, match=r'^items\[0\]: duplicate field "data.a"$'):
        list(compiled.scheme.decode_all(wrong, media_type, unknown="error"))
    with pytest.raises(compiled.errors.DecodeErrors, match=r"^items\[0\].data.a: duplicate field$"):
        list(compiled.scheme.decode_all(wrong, media_type, unknown="error", errors="all"))


def test_wrong_options_are_reported_before_decoding(compiled: Compiled) -> None:
    for options in ({"media_type": "text/plain"}, {"unknown": "no"}, {"errors": "some"}, {"expect": "Frob"}):
        with pytest.raises(compiled.SchemeError):
            compiled.scheme.decode_all("", **options)
    with pytest.raises(compiled.errors.DecodeError, match="expected bytes, text or a mapping, found null"):
        compiled.scheme.decode_all(None)


def test_options_apply_to_each_object(compiled: Compiled) -> None:
    text = json_lines(FROBBER, CONFIG_MAP)
    assert next(compiled.scheme.decode_all(text, default=False)).restart_policy == ""
    found = compiled.scheme.decode_all(text, expect="Frobber")
    assert next(found).restart_policy == "Always"
    with pytest.raises(
        compiled.errors.DecodeError, match=r"^document 2 \(line 2\): expected Frobber, found v1 ConfigMap$"
    ):
        next(found)


def test_documents_are_decoded_lazily(compiled: Compiled) -> None:
    found = compiled.scheme.decode_all(stream(*[FROBBER] * 3, WRONG), YAML)
    assert isinstance(found, Iterator)
    assert next(found) == compiled.read(FROBBER)


# --- writing ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("media_type", MEDIA_TYPES[:2])
@pytest.mark.parametrize("count", [0, 1, 2, 4])
@pytest.mark.parametrize("indent", [None, 2])
def test_encode_all_round_trips(compiled: Compiled, media_type: str, count: int, indent: int | None) -> None:
    objects = [compiled.read(each) for each in OBJECTS[:count]]
    data = compiled.scheme.encode_all(iter(objects), media_type, indent=indent if media_type == JSON else None)
    assert list(compiled.scheme.decode_all(data, media_type, default=False)) == objects


def test_json_has_a_line_for_each_object(compiled: Compiled) -> None:
    objects = [compiled.read(each) for each in OBJECTS]
    lines = compiled.scheme.encode_all(objects).splitlines()
    assert lines == [compiled.scheme.encode(each) for each in objects]


def test_yaml_is_a_stream(compiled: Compiled) -> None:
    objects = [compiled.read(each) for each in (FROBBER, CONFIG_MAP)]
    first, second = (compiled.scheme.encode(each, YAML) for each in objects)
    assert compiled.scheme.encode_all(objects, YAML) == first + b"---\n" + second


def test_an_object_that_cannot_be_written_is_numbered(compiled: Compiled) -> None:
    with pytest.raises(compiled.SchemeError, match=r"^document 2: expected an object of a kind, found a number"):
        compiled.scheme.encode_all([compiled.read(FROBBER), 5])


# --- time -------------------------------------------------------------------------------------------------------------

MAP = json.dumps(CONFIG_MAP)
LIST = '{"apiVersion":"v1","kind":"List","items":['
GROWING: dict[str, Callable[[int], tuple[str, str]]] = {
    "many documents": lambda n: (f"{MAP}\n" * n, JSON),
    "many nulls": lambda n: ("null\n" * n, JSON),
    "a long list": lambda n: (f"{LIST}{','.join([MAP] * n)}]}}", JSON),
    "lists in lists": lambda n: (LIST * n + "]}" * n, JSON),
    "objects in lists in lists": lambda n: (f"{LIST}{MAP}," * n + MAP + "]}" * n, JSON),
    "many documents of YAML": lambda n: (f"{MAP}\n---\n" * n, YAML),
    "many anchors": lambda n: ("{apiVersion: v1, kind: &a ConfigMap}\n---\n" * n, YAML),
    "a long list of YAML": lambda n: (f"{LIST}{','.join([MAP] * n)}]}}", YAML),
}


@pytest.mark.parametrize("what", GROWING)
def test_work_grows_with_the_input(compiled: Compiled, what: str) -> None:
    def read(size: int) -> None:
        for _ in compiled.scheme.decode_all(*GROWING[what](size)):
            pass

    read(10)
    once, twice, four_times = (calls_of(partial(read, size)) for size in (100, 200, 400))
    assert twice < 2.2 * once
    assert four_times < 2.2 * twice
