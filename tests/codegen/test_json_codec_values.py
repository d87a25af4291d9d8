"""Every type in every presence, read, copied and written."""

from __future__ import annotations

import json
import typing
from collections.abc import Iterator

import pytest

from tests.codegen.generated_packages import Package, compiled, generate_package, one_version

Json = typing.Any

VALUES: dict[str, tuple[Json, Json]] = {
    "string": ("text", ""),
    "bool": (True, False),
    "int32": (-(2**31), 0),
    "int64": (2**63 - 1, 0),
    "uint32": (2**32 - 1, 0),
    "uint64": (2**64 - 1, 0),
    "float32": (0.5, 0),
    "float64": (-0.25, 0),
    "bytes": ("AAH/", ""),
    "Time": ("2001-02-03T04:05:06Z", None),
    "MicroTime": ("2001-02-03T04:05:06.000007Z", None),
    "Duration": ("1h0m0.5s", "0s"),
    "Quantity": ("500m", "0"),
    "IntOrString": ("http", 0),
    "RawExtension": ({"b": [1, {}], "a": None}, None),
    "FieldsV1": ({"f:spec": {}}, None),
    "Choice": ("Other", ""),
    "Text": ("text", ""),
    "Part": ({"n": 1}, {"n": 0}),
    "Renamed": ({"n": 1}, {"n": 0}),
    "Values": (["x", "y"], []),
    "ByName": ({"a": {"n": 1}, "b": {"n": 0}}, {}),
    "[]string": (["b", "a"], []),
    "[]Choice": (["A", "Other"], []),
    "[]Part": ([{"n": 0}, {"n": 2}], []),
    "[]int64": ([1, 2], []),
    "[]RawExtension": ([{"a": 1}, "x", 5], []),
    "map[string]string": ({"a": "1", "b": ""}, {}),
    "map[Choice]bool": ({"A": True, "B": False}, {}),
    "map[string]bytes": ({"a": "AQ==", "b": "", "c": None}, {}),
    "map[string]Time": ({"a": "2001-02-03T04:05:06Z", "b": None}, {}),
    "map[string]Quantity": ({"cpu": "1", "memory": "1Gi"}, {}),
    "map[string]Values": ({"a": ["x"], "b": [], "c": None}, {}),
    "map[string]Part": ({"a": {"n": 3}}, {}),
}
"""For each type some value and the zero value, as JSON."""

HELPERS = """
    Part: {fields: {n: {type: int32}}}
    Renamed: {is: Part}
    Text: {is: string}
    Choice: {enum: {A: {}, B: {}}}
    Values: {is: "[]string", nullable: true}
    ByName: {is: "map[string]Part"}
"""
PRESENCES = ("plain", "nullable", "optional", "omitEmpty")


def every_shape() -> str:
    lines = [HELPERS.strip("\n")]
    for presence in PRESENCES:
        lines += [f"    {presence.capitalize()}:", "      fields:"]
        flag = "" if presence == "plain" else f", {presence}: true"
        lines += [f'        f{i}: {{type: "{type_}"{flag}}}' for i, type_ in enumerate(VALUES)]
    return "\n".join(lines)


@pytest.fixture(scope="module")
def shapes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Package]:
    folder = tmp_path_factory.mktemp("shapes")
    package = generate_package(compiled(one_version(every_shape()), folder / "specs"), folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        yield package


ABSENT = object()


def there_and_back(package: Package, presence: str, type_: str, value: Json) -> Json:
    """What comes out when a member of a type and presence is read and written; `ABSENT` if it is not there."""
    module = package.module("things_example_com/v1/json_codec")
    name = f"f{list(VALUES).index(type_)}"
    read = getattr(module, f"decode_{presence.lower()}")({} if value is ABSENT else {name: value})
    written = getattr(module, f"encode_{presence.lower()}")(read)
    assert there_and_back_twice(package, presence, written) == written
    return json.loads(json_text(package, written)).get(name, ABSENT)


def there_and_back_twice(package: Package, presence: str, written: Json) -> Json:
    module = package.module("things_example_com/v1/json_codec")
    copying = package.module("things_example_com/v1/copying")
    again = getattr(module, f"decode_{presence.lower()}")(json.loads(json_text(package, written)))
    return getattr(module, f"encode_{presence.lower()}")(getattr(copying, f"copy_{presence.lower()}")(again))


def json_text(package: Package, value: Json) -> str:
    return str(package.module("runtime/json_writer").json_text(value))


@pytest.mark.parametrize("type_", VALUES)
@pytest.mark.parametrize("presence", PRESENCES)
def test_presence(shapes: Package, presence: str, type_: str) -> None:
    value, zero = VALUES[type_]
    absent = {"plain": zero, "nullable": None, "optional": ABSENT, "omitEmpty": ABSENT}[presence]
    written_zero = {"plain": zero, "nullable": zero, "optional": absent if zero is None else zero, "omitEmpty": ABSENT}
    assert there_and_back(shapes, presence, type_, value) == value
    assert there_and_back(shapes, presence, type_, ABSENT) == absent
    assert there_and_back(shapes, presence, type_, zero) == written_zero[presence]
    if type_ != "Duration" or presence in ("nullable", "optional"):
        assert there_and_back(shapes, presence, type_, None) == absent


@pytest.mark.parametrize("presence", ["plain", "omitEmpty"])
def test_null_duration_is_rejected(shapes: Package, presence: str) -> None:
    with pytest.raises(ValueError, match="expected a duration in a string, found null"):
        there_and_back(shapes, presence, "Duration", None)


@pytest.mark.parametrize(
    ("type_", "value", "result"),
    [
        ("[]string", [None], [""]),
        ("[]Part", [None], [{"n": 0}]),
        ("[]int64", [None], [0]),
        ("[]RawExtension", [None], [None]),
        ("map[string]Part", {"a": None}, {"a": {"n": 0}}),
        ("map[string]Quantity", {"a": None}, {"a": "0"}),
        ("map[string]string", {"a": None}, {"a": ""}),
        ("ByName", {"a": None}, {"a": {"n": 0}}),
        ("Part", {"n": None}, {"n": 0}),
        ("bytes", [0, 255], "AP8="),
        ("Quantity", 0.5, "500m"),
    ],
)
def test_null_elements_and_alternative_spellings(shapes: Package, type_: str, value: Json, result: Json) -> None:
    assert there_and_back(shapes, "plain", type_, value) == result


def test_members_keep_the_order_of_the_spec_and_keys_are_sorted(shapes: Package) -> None:
    module = shapes.module("things_example_com/v1/json_codec")
    keys = ["\U0001f600", "\ufb01", "z", "a", ""]
    written = module.encode_plain(module.decode_plain({"f27": dict.fromkeys(keys, "x")}))
    assert list(written) == [f"f{i}" for i in range(len(VALUES))]
    assert list(written["f27"]) == sorted(keys, key=str.encode)


def test_encoded_value_shares_nothing_with_the_object(shapes: Package) -> None:
    module = shapes.module("things_example_com/v1/json_codec")
    obj = module.decode_plain({"f22": ["x"], "f27": {"a": "b"}})
    written = module.encode_plain(obj)
    written["f22"].append("y")
    written["f27"]["c"] = "d"
    assert (obj.f22, obj.f27) == (["x"], {"a": "b"})


def test_enum_members_are_encoded_as_strings(shapes: Package) -> None:
    choice = shapes.module("things_example_com/v1/types").Choice
    codec = shapes.module("things_example_com/v1/json_codec")
    written = codec.encode_optional(
        shapes.module("things_example_com/v1/types").Optional(f16=choice.A, f28={choice.B: True})
    )
    assert json_text(shapes, written) == '{"f16":"A","f28":{"B":true}}'
    assert shapes.module("runtime/yaml_writer").yaml_text(written) == "f16: A\nf28:\n  B: true\n"
