"""The generated JSON functions: how they look, places of what is wrong, nesting, and names of all kinds."""

from __future__ import annotations

import json
import typing
from collections.abc import Callable, Mapping

import pytest

from apigen.codegen.backend_input import BackendInput
from apigen.runtime import UnknownMembers
from tests.codegen.generated_packages import Package, one_version

Generate = Callable[[Mapping[str, str] | BackendInput], Package]
Json = typing.Any

FLOW_SCHEMA = """
    Schema:
      fields:
        priority: {type: int32}
        subjects: {type: "[]Subject", omitEmpty: true}
        labels: {type: "map[string]string", optional: true}
    Subject:
      fields:
        kind: {type: Kind}
        group: {type: string, optional: true}
    Kind: {enum: {User: {}, Group: {}}}
"""

SCHEMA_FUNCTIONS = '''\
_SCHEMA_MEMBERS: dict[str, str] = {
    "kind": "kind",
    "apiVersion": "api_version",
    "priority": "priority",
    "subjects": "subjects",
    "labels": "labels",
}


def decode_schema(
    value: object, path: str = "", unknown: UnknownMembers | None = None
) -> Schema:
    """Read Schema from parsed JSON."""
    data: dict[str, object] = (
        value if type(value) is dict else decode_object(value, path)
    )
    obj = new(Schema)
    try:
        obj.kind = (
            (member if type(member := data["kind"]) is str else decode_string(member))
            if "kind" in data
            else ""
        )
        obj.api_version = (
            (
                member
                if type(member := data["apiVersion"]) is str
                else decode_string(member)
            )
            if "apiVersion" in data
            else ""
        )
        obj.priority = decode_int32(data["priority"]) if "priority" in data else 0
        obj.subjects = (
            decode_items(member, decode_subject, unknown)
            if "subjects" in data and (member := data["subjects"]) is not None
            else None
        )
        obj.labels = (
            decode_string_map(member)
            if "labels" in data and (member := data["labels"]) is not None
            else None
        )
    except DecodeError as error:
        raise located(error, path, obj, _SCHEMA_MEMBERS) from None
    if unknown is not None:
        unknown.note(data, _SCHEMA_MEMBERS)
    return obj


def encode_schema(obj: Schema) -> dict[str, object]:
    """Write Schema as parsed JSON."""
    if type(obj) is not Schema:
        raise unfit_object(Schema, obj)
    data: dict[str, object] = {}
    if obj.kind != "":
        data["kind"] = obj.kind + ""
    if obj.api_version != "":
        data["apiVersion"] = obj.api_version + ""
    items: list[object]
    data["priority"] = (
        obj.priority
        if type(obj.priority) is int and -1000000000 < obj.priority < 1000000000
        else encode_int32(obj.priority)
    )
    if obj.subjects is not None and obj.subjects > []:
        data["subjects"] = items = []
        for subject in obj.subjects:
            items.append(encode_subject(subject))
    if obj.labels is not None:
        data["labels"] = encode_string_map(obj.labels)
    return data
'''


def codec(generate: Generate, types: str, kinds: str = "") -> typing.Any:
    return generate(one_version(types, kinds)).module("things_example_com/v1/json_codec")


def test_generated_code(generate: Generate) -> None:
    package = generate(one_version(FLOW_SCHEMA, kinds="Schema: {list: false}"))
    assert SCHEMA_FUNCTIONS in package.text("things_example_com/v1/json_codec")


RULES = """
    Binding:
      fields:
        spec: {type: Spec}
    Spec:
      fields:
        rules: {type: "[]Rule"}
        named: {type: "map[string]Rule", optional: true}
        extra: {type: "map[string]Values", optional: true}
        source: {type: Source, inline: true, protobuf: 9}
    Rule:
      fields:
        subjects: {type: "[]Subject"}
        verbs: {type: "[]string"}
    Subject:
      fields:
        kind: {type: string}
        port: {type: int32}
    Source:
      fields:
        secret: {type: Subject, optional: true}
    Values: {is: "[]string", nullable: true}
"""
BINDING = "Binding: {list: false}"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (
            {"spec": {"rules": [{}, {}, {"subjects": [{"kind": 5}]}]}},
            "spec.rules[2].subjects[0].kind: expected a string",
        ),
        ({"spec": {"rules": [{"subjects": [{"port": 2**31}]}]}}, "spec.rules[0].subjects[0].port: expected an integer"),
        ({"spec": {"rules": [{"verbs": ["a", True]}]}}, "spec.rules[0].verbs[1]: expected a string, found a boolean"),
        ({"spec": {"rules": {"a": 1}}}, "spec.rules: expected a list, found an object (1 member)"),
        ({"spec": {"rules": ["x"]}}, "spec.rules[0]: expected an object, found a string ('x')"),
        ({"spec": {"named": {"a/b": {"verbs": [1]}}}}, "spec.named[a/b].verbs[0]: expected a string"),
        ({"spec": {"extra": {"a": [0]}}}, "spec.extra[a][0]: expected a string, found a number (0)"),
        ({"spec": {"secret": []}}, "spec.secret: expected an object, found a list (0 elements)"),
        ({"spec": 1}, "spec: expected an object, found a number (1)"),
        ({"kind": False}, "kind: expected a string"),
        ("x", "expected an object, found a string ('x')"),
    ],
)
def test_errors_have_a_path(generate: Generate, value: Json, text: str) -> None:
    module = codec(generate, RULES, BINDING)
    with pytest.raises(ValueError) as caught:
        module.decode_binding(value)
    assert type(caught.value).__name__ == "DecodeError"
    assert str(caught.value).startswith(text)


def test_paths_extend_the_given_path(generate: Generate) -> None:
    module = codec(generate, RULES, BINDING)
    with pytest.raises(ValueError, match=r"^items\[3\]\.spec: expected an object"):
        module.decode_binding({"spec": ""}, "items[3]")
    with pytest.raises(ValueError, match=r"^items\[3\]: expected an object"):
        module.decode_binding([], "items[3]")


def test_unknown_members_are_collected_with_their_paths(generate: Generate) -> None:
    module = codec(generate, RULES, BINDING)
    unknown = UnknownMembers()
    value = {"Spec": 1, "spec": {"rules": [{"b": 1, "a": 2}], "named": {"k": {"x": {}}}, "source": {}}, "metadata": {}}
    module.decode_binding(value, "", unknown)
    assert unknown.paths(value) == [
        "spec.rules[0].b",
        "spec.rules[0].a",
        "spec.named[k].x",
        "spec.source",
        "Spec",
        "metadata",
    ]


def test_kinds_preserve_api_version_and_kind(generate: Generate) -> None:
    package = generate(one_version(RULES, BINDING))
    module = package.module("things_example_com/v1/json_codec")
    assert module.encode_binding(module.decode_binding({})) == {"spec": {"rules": []}}
    other = {"apiVersion": "other/v2", "kind": "Other", "spec": {"rules": []}}
    assert list(module.encode_binding(module.decode_binding(other)).items())[:2] == [
        ("kind", "Other"),
        ("apiVersion", "other/v2"),
    ]
    made = module.encode_binding(package.module("things_example_com/v1/types").Binding())
    assert made == {"kind": "Binding", "apiVersion": "things.example.com/v1", "spec": {"rules": []}}


def test_inline_fields_are_encoded_in_their_parent(generate: Generate) -> None:
    module = codec(generate, RULES)
    spec = module.decode_spec({"secret": {"kind": "x"}})
    assert spec.secret.kind == "x"
    assert module.encode_spec(spec) == {"rules": [], "secret": {"kind": "x", "port": 0}}


SCHEMA = """
    Schema:
      fields:
        type: {type: string, omitEmpty: true}
        not: {type: Schema, optional: true}
        allOf: {type: "[]Schema", omitEmpty: true}
        properties: {type: "map[string]Schema", omitEmpty: true}
        items: {type: OneOrMany, optional: true}
        named: {type: Schemas, omitEmpty: true}
    OneOrMany: {fields: {one: {type: Schema, optional: true}}}
    Schemas: {is: "map[string]Schema"}
"""


def nested(step: Callable[[Json], Json], depth: int) -> Json:
    value: Json = {"type": "x"}
    for _ in range(depth):
        value = step(value)
    return value


STEPS: dict[str, Callable[[Json], Json]] = {
    "not": lambda inner: {"not": inner},
    "allOf": lambda inner: {"allOf": [inner]},
    "properties": lambda inner: {"properties": {"p": inner}},
    "items": lambda inner: {"items": {"one": inner}},
    "named": lambda inner: {"named": {"p": inner}},
}


@pytest.mark.parametrize("step", STEPS)
def test_recursive_types_are_limited_in_depth(generate: Generate, step: str) -> None:
    package = generate(one_version(SCHEMA))
    module = package.module("things_example_com/v1/json_codec")
    copy_schema = package.module("things_example_com/v1/copying").copy_schema
    good = nested(STEPS[step], 50)
    assert module.encode_schema(copy_schema(module.decode_schema(good))) == good
    with pytest.raises(ValueError, match="nested more than 100 times") as caught:
        module.decode_schema(nested(STEPS[step], 10_000))
    assert type(caught.value).__name__ == "DecodeError"


def test_type_nested_too_deep_to_decode_is_not_encoded(generate: Generate) -> None:
    package = generate(one_version(SCHEMA))
    module = package.module("things_example_com/v1/json_codec")
    types = package.module("things_example_com/v1/types")
    deepest = 0
    schema = types.Schema()
    with pytest.raises(ValueError, match="nested more than 100 times"):
        for deepest in range(200):  # noqa: B007
            written = module.encode_schema(schema)
            module.decode_schema(written)
            schema = types.Schema(not_=schema)
    with pytest.raises(ValueError, match="nested more than 100 times") as caught:
        module.encode_schema(schema)
    assert type(caught.value).__name__ == "EncodeError"
    assert deepest > 90


CLASHING = """
    String: {fields: {list: {type: List}, text: {type: string}, bytes: {type: bytes}}}
    List: {fields: {object: {type: Object}, items: {type: "[]string"}}}
    Object: {fields: {labels: {type: "map[string]Bool"}}}
    Bool: {fields: {flag: {type: bool}}}
    Bytes: {fields: {data: {type: bytes}, time: {type: Time}}}
"""


def test_types_named_like_library_functions(generate: Generate) -> None:
    module = codec(generate, CLASHING)
    value = {"list": {"object": {"labels": {"a": {"flag": True}}}, "items": ["x"]}, "text": "y", "bytes": "AQ=="}
    assert module.encode_string(module.decode_string(value)) == value
    with pytest.raises(ValueError, match=r"^list\.items\[0\]: expected a string"):
        module.decode_string({"list": {"items": [1]}})


HOSTILE_NAMES = ['a"b', "a'b", "a\\b", "{x}", "}{", "a\nb", "\\N{DIGIT ONE}", "{path!r}", "$ref", "x-y", "\u202e"]


def test_names_of_members_are_escaped(generate: Generate) -> None:
    fields = "\n".join(
        f"        {json.dumps(name)}: {{type: int32, pyName: f{i}}}" for i, name in enumerate(HOSTILE_NAMES)
    )
    module = codec(generate, f"\n    Thing:\n      fields:\n{fields}\n")
    value = {name: i + 1 for i, name in enumerate(HOSTILE_NAMES)}
    assert module.encode_thing(module.decode_thing(value)) == value
    for name in HOSTILE_NAMES:
        with pytest.raises(ValueError) as caught:
            module.decode_thing({name: "x"}, "at")
        assert caught.value.path == f"at.{name}"  # type: ignore[attr-defined]


RAW = """
    Carrier:
      fields:
        part: {type: "[]Part"}
        self: {type: Carrier, optional: true}
        plain: {type: string}
    Part:
      fields:
        objects: {type: "map[string]Raws"}
        owned: {type: FieldsV1, optional: true}
    Raws: {is: "[]RawExtension", nullable: true}
    Other: {fields: {}}
"""


def test_names_of_raw_members(generate: Generate) -> None:
    package = generate(one_version(RAW, kinds="Carrier: {list: false}\nOther: {list: false}"))
    found = package.module("things_example_com/v1/json_codec").RAW_NAMES
    assert found == {"Carrier": {"objects", "owned"}, "Other": set()}
