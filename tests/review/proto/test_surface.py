"""What is read of files, messages, fields, enums and services."""

from __future__ import annotations

from pathlib import Path

import pytest

from apigen.diagnostics import Place
from apigen.ir.model import Presence
from apigen.ir.surface import Enum, ListOf, MapOf, Named, Scalar, Scalars, TypeName, UnknownFields
from apigen.language.model import NumberRange
from tests.review.proto.reading import enum, field, read, struct

HEAD = 'syntax = "proto3";\npackage acme.v1;\n'


def thing(body: str, head: str = HEAD) -> dict[str, str]:
    return {"protos/thing.proto": f"{head}message Thing {{\n{body}\n}}\n"}


@pytest.mark.parametrize(
    ("package", "group", "version"),
    [
        ("acme.v1", "acme", "v1"),
        ("acme.things.v2beta1", "acme.things", "v2beta1"),
        ("acme.v1p1alpha1", "acme", "v1p1alpha1"),
        ("acme.things", "acme.things", ""),
        ("v1", "", "v1"),
        ("acme.v1.things", "acme.v1.things", ""),
    ],
)
def test_a_package_is_a_group_and_its_version(tmp_path: Path, package: str, group: str, version: str) -> None:
    files = {"protos/a.proto": f'syntax = "proto3";\npackage {package};\nmessage Thing {{}}\n'}
    surface = read(tmp_path, "protos", files)
    assert struct(surface, group, version, "Thing").wire_name == f"{package}.Thing"


def test_a_file_without_a_package(tmp_path: Path) -> None:
    surface = read(tmp_path, "a.proto", {"a.proto": 'syntax = "proto3";\nmessage Thing {}\n'})
    assert struct(surface, "", "", "Thing").wire_name == "Thing"


def test_a_package_over_several_files(tmp_path: Path) -> None:
    files = {
        "protos/b.proto": HEAD + 'import "a.proto";\nmessage Thing {\n  Part part = 1;\n}\n',
        "protos/a.proto": HEAD + "message Part {}\n",
    }
    surface = read(tmp_path, "protos", files)
    version = surface.groups["acme"].versions["v1"]
    assert (list(version.types), list(version.files)) == (["Part", "Thing"], ["a.proto", "b.proto"])
    assert struct(surface, "acme", "v1", "Thing").file == "b.proto"
    assert field(surface, "part").slot.type == Named(TypeName("acme", "v1", "Part"))


def test_nested_types_are_named_by_their_parents(tmp_path: Path) -> None:
    body = "  message Part {\n    enum Color {\n      NONE = 0;\n    }\n    Color color = 1;\n  }\n  Part part = 1;"
    surface = read(tmp_path, "protos", thing(body))
    version = surface.groups["acme"].versions["v1"]
    assert list(version.types) == ["Thing", "Thing.Part", "Thing.Part.Color"]
    assert field(surface, "color", of="Thing.Part").slot.type == Named(TypeName("acme", "v1", "Thing.Part.Color"))
    assert struct(surface, "acme", "v1", "Thing.Part").place == Place("protos/thing.proto", 4, 3)


def test_presence_of_proto3(tmp_path: Path) -> None:
    body = "  int32 a = 1;\n  optional int32 b = 2;\n  Thing c = 3;\n  repeated int32 d = 4;\n  oneof e {\n    int32 f = 5;\n  }"
    surface = read(tmp_path, "protos", thing(body))
    found = {name: each.presence for name, each in struct(surface, "acme", "v1", "Thing").fields.items()}
    omitted, told = Presence.OMIT_EMPTY, Presence.OPTIONAL
    assert found == {"a": omitted, "b": told, "c": told, "d": omitted, "f": told}


def test_optional_field_of_proto3_is_not_a_oneof(tmp_path: Path) -> None:
    body = "  optional int32 a = 1;\n  oneof choice {\n    int32 b = 2;\n    int32 c_c = 3;\n  }"
    found = struct(read(tmp_path, "protos", thing(body)), "acme", "v1", "Thing")
    assert [(union.name, list(union.members), union.on_wire) for union in found.unions] == [
        ("choice", ["b", "cC"], True)
    ]
    assert (found.fields["a"].oneof, found.fields["b"].oneof) == ("", "choice")


def test_proto2(tmp_path: Path) -> None:
    head = 'syntax = "proto2";\npackage acme.v1;\n'
    body = '  required int32 a = 1;\n  optional string b = 2 [default = "x"];\n  repeated int32 c = 3;\n'
    body += "  optional group Part = 4 {\n    optional int32 d = 5;\n  }\n  extensions 100 to 199, 500 to max;"
    surface = read(tmp_path, "protos", thing(body, head))
    found = struct(surface, "acme", "v1", "Thing")
    assert (found.fields["a"].required, found.fields["a"].presence) == (True, Presence.OPTIONAL)
    assert found.fields["b"].slot.default is not None and found.fields["b"].slot.default.text == '"x"'
    assert dict(found.fields["c"].options)["packed"] == "false"
    assert dict(found.fields["part"].options)["message_encoding"] == "DELIMITED"
    assert dict(found.options) == {"extensions": "100 to 199, 500 to max", "json_format": "LEGACY_BEST_EFFORT"}


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        ("int32 a = 1 [default = 0]", None),
        ("int32 a = 1 [default = -5]", "-5"),
        ("double a = 1 [default = 5]", "5"),
        ("double a = 1 [default = 0.1]", "0.1"),
        ("double a = 1 [default = nan]", '"NaN"'),
        ("float a = 1 [default = -inf]", '"-Infinity"'),
        ("bool a = 1 [default = true]", "true"),
        ("bool a = 1 [default = false]", None),
        ('string a = 1 [default = "\\"ü\\n"]', '"\\"ü\\n"'),
        ('string a = 1 [default = ""]', None),
        ('bytes a = 1 [default = "a\\377\\x00"]', '"Yf8A"'),
        ("Color a = 1 [default = RED]", None),
        ("Color a = 1 [default = BLUE]", '"BLUE"'),
    ],
)
def test_defaults_are_json_unless_equal_to_the_zero_value(tmp_path: Path, declared: str, expected: str | None) -> None:
    head = 'syntax = "proto2";\npackage acme.v1;\nenum Color {\n  RED = 3;\n  BLUE = 4;\n}\n'
    default = field(read(tmp_path, "protos", thing(f"  optional {declared};", head)), "a").slot.default
    assert (default and default.text) == expected
    assert default is None or (default.place.line, default.is_read_time) == (8, False)


def test_features_of_editions_are_resolved_from_outside_in(tmp_path: Path) -> None:
    head = (
        'edition = "2023";\npackage acme.v1;\noption features.field_presence = IMPLICIT;\noption features.enum_type = CLOSED;\n'
        "enum Color {\n  option features.enum_type = OPEN;\n  NONE = 0;\n}\nenum Kind {\n  A = 1;\n}\n"
    )
    body = (
        "  option features.json_format = LEGACY_BEST_EFFORT;\n  int32 a = 1;\n  int32 b = 2 [features.field_presence = EXPLICIT];\n"
        "  int32 c = 3 [features.field_presence = LEGACY_REQUIRED];\n  repeated int32 d = 4;\n"
        "  repeated int32 e = 5 [features.repeated_field_encoding = EXPANDED];\n"
    )
    surface = read(tmp_path, "protos", thing(body, head))
    found = struct(surface, "acme", "v1", "Thing")
    assert [each.presence for each in found.fields.values()][:2] == [Presence.OMIT_EMPTY, Presence.OPTIONAL]
    assert found.fields["c"].required
    assert [dict(found.fields[name].options)["packed"] for name in "de"] == ["true", "false"]
    assert dict(found.options)["json_format"] == "LEGACY_BEST_EFFORT"
    assert found.places["json_format"] == Place("protos/thing.proto", 13, 3)
    assert dict(enum(surface, "acme", "v1", "Color").options)["enum_type"] == "OPEN"
    assert dict(enum(surface, "acme", "v1", "Kind").options)["enum_type"] == "CLOSED"
    assert surface.groups["acme"].versions["v1"].files["thing.proto"].syntax == "edition 2023"


def test_types(tmp_path: Path) -> None:
    body = "  sfixed64 a = 1;\n  repeated bytes b = 2;\n  map<int32, Thing> c = 3;\n  google.protobuf.Timestamp d = 4;"
    surface = read(tmp_path, "protos", thing(body, HEAD + 'import "google/protobuf/timestamp.proto";\n'))
    types = {name: each.slot.type for name, each in struct(surface, "acme", "v1", "Thing").fields.items()}
    assert types["a"] == Scalar(Scalars.SFIXED64)
    assert isinstance(types["b"], ListOf) and types["b"].item.type == Scalar(Scalars.BYTES)
    assert isinstance(types["c"], MapOf) and str(types["c"]) == "map[int32]Thing"
    assert types["d"] == Named(TypeName("google.protobuf", "", "Timestamp"))
    assert list(surface.groups) == ["acme"]


def test_names_in_json(tmp_path: Path) -> None:
    found = struct(
        read(tmp_path, "protos", thing('  int32 max_width = 1;\n  int32 b = 2 [json_name = "B"];')),
        "acme",
        "v1",
        "Thing",
    )
    assert {name: (each.wire_name, each.number) for name, each in found.fields.items()} == {
        "B": ("b", 2),
        "maxWidth": ("max_width", 1),
    }


def test_reserved_names_and_numbers(tmp_path: Path) -> None:
    body = '  reserved 2, 5 to 9, 1000 to max;\n  reserved "max_width", "b";'
    found = struct(read(tmp_path, "protos", thing(body)), "acme", "v1", "Thing")
    numbers = [each.numbers for each in found.tombstones if each.numbers is not None]
    assert numbers == [NumberRange(2, 2), NumberRange(5, 9), NumberRange(1000, 2**29 - 1)]
    assert [each.name for each in found.tombstones if each.name] == ["maxWidth", "b"]


def test_enums(tmp_path: Path) -> None:
    text = 'enum Color {\n  option allow_alias = true;\n  // No color.\n  NONE = 0;\n  RED = 1 [deprecated = true];\n  ROUGE = 1;\n  reserved 5 to 9;\n  reserved "BLUE";\n}\n'
    found = enum(read(tmp_path, "protos", {"protos/a.proto": HEAD + text}), "acme", "v1", "Color")
    assert {name: value.number for name, value in found.values.items()} == {"NONE": 0, "RED": 1, "ROUGE": 1}
    assert (found.values["NONE"].doc, found.values["RED"].lifecycle.is_deprecated) == ("No color.", True)
    assert [(each.name, each.numbers) for each in found.tombstones] == [("", NumberRange(5, 9)), ("BLUE", None)]
    assert dict(found.options) == {
        "allow_alias": "true",
        "enum_type": "OPEN",
        "json_format": "ALLOW",
        "value of absence": "0",
    }


def test_services(tmp_path: Path) -> None:
    text = "message Ask {}\nservice Things {\n  rpc Get(stream Ask) returns (Ask) {\n    option idempotency_level = IDEMPOTENT;\n  }\n}\n"
    service = read(tmp_path, "protos", {"protos/a.proto": HEAD + text}).groups["acme"].versions["v1"].services["Things"]
    method = service.methods["Get"]
    assert (method.request, method.response, method.client_streams, method.server_streams) == (
        "acme.v1.Ask",
        "acme.v1.Ask",
        True,
        False,
    )
    assert method.options == (("idempotency_level", "IDEMPOTENT"),)
    assert (service.place, method.places["request"]) == (Place("protos/a.proto", 4, 1), Place("protos/a.proto", 5, 18))


def test_extensions_are_fields_by_their_name_in_json(tmp_path: Path) -> None:
    head = 'syntax = "proto2";\npackage acme.v1;\n'
    text = (
        "  extensions 100 to 200;\n  message Part {\n    extend Thing {\n      optional int32 size = 101;\n    }\n  }"
    )
    files = thing(text, head)
    files["protos/thing.proto"] += "extend Thing {\n  optional string title = 100;\n}\n"
    found = struct(read(tmp_path, "protos", files), "acme", "v1", "Thing")
    assert {name: each.number for name, each in found.fields.items()} == {
        "[acme.v1.Thing.Part.size]": 101,
        "[acme.v1.title]": 100,
    }


def test_custom_options_have_their_names_and_values(tmp_path: Path) -> None:
    head = (
        'syntax = "proto3";\npackage acme.v1;\nimport "google/protobuf/descriptor.proto";\n'
        "message Limit {\n  int32 most = 1;\n}\n"
        "extend google.protobuf.FieldOptions {\n  string unit = 50001;\n  Limit limit = 50002;\n}\n"
    )
    surface = read(
        tmp_path, "protos", thing('  int32 a = 1 [(unit) = "mm", (limit).most = 5, deprecated = true];', head)
    )
    found = field(surface, "a")
    assert found.options == (("(acme.v1.limit)", "{most: 5}"), ("(acme.v1.unit)", '"mm"'))
    assert found.lifecycle.is_deprecated
    assert list(struct(surface, "acme", "v1", "extend google.protobuf.FieldOptions").fields) == [
        "[acme.v1.limit]",
        "[acme.v1.unit]",
    ]


def test_files(tmp_path: Path) -> None:
    files = {"protos/acme/v1/a.proto": HEAD + 'option java_package = "com.acme";\noption deprecated = true;\n'}
    found = read(tmp_path, "protos", files).groups["acme"].versions["v1"].files["acme/v1/a.proto"]
    assert (found.package, found.syntax, found.options) == ("acme.v1", "proto3", (("java_package", "com.acme"),))
    assert found.places["syntax"] == Place("protos/acme/v1/a.proto", 1, 1)
    assert found.places["java_package"].line == 3


def test_columns_count_characters(tmp_path: Path) -> None:
    body = "\t/* ü */\tint32 a = 1;\n  int32 b = 2; int32 c = 3;"
    surface = read(tmp_path, "protos", thing(body))
    places = [field(surface, name).place for name in "abc"]
    assert [(place.line, place.column) for place in places] == [(4, 10), (5, 3), (5, 16)]


def test_comments(tmp_path: Path) -> None:
    surface = read(tmp_path, "protos", thing("  // How wide\n  // it is.\n  int32 a = 1;\n  int32 b = 2;  // Behind."))
    assert (field(surface, "a").slot.doc, field(surface, "b").slot.doc) == ("How wide\nit is.", "Behind.")


def test_duplicate_json_names_are_reported(tmp_path: Path) -> None:
    head = 'syntax = "proto2";\npackage acme.v1;\n'
    surface = read(tmp_path, "protos", thing("  optional int32 a_b = 1;\n  optional int32 aB = 2;", head))
    assert [each.message for each in surface.unread] == [
        "`aB` has the JSON name `aB` of another field, so it is not compared"
    ]


def test_unknown_members_are_dropped(tmp_path: Path) -> None:
    assert struct(read(tmp_path, "protos", thing("")), "acme", "v1", "Thing").unknown is UnknownFields.DROPPED


def test_options_of_values(tmp_path: Path) -> None:
    head = HEAD + 'import "google/protobuf/descriptor.proto";\n'
    text = (
        "extend google.protobuf.EnumValueOptions {\n  string unit = 50001;\n}\n"
        'enum Color {\n  NONE = 0 [deprecated = true];\n  RED = 1 [(unit) = "x"];\n}\n'
        "enum Kind {\n  ANY = 0 [deprecated = true];\n}\n"
    )
    surface = read(tmp_path, "protos", {"protos/a.proto": head + text})
    color = surface.groups["acme"].versions["v1"].types["Color"]
    assert isinstance(color, Enum) and surface.unread == ()
    assert color.values["RED"].options == (("(acme.v1.unit)", '"x"'),) and color.values["NONE"].options == ()


def test_options_of_oneofs(tmp_path: Path) -> None:
    head = HEAD + 'import "google/protobuf/descriptor.proto";\n'
    text = (
        "extend google.protobuf.OneofOptions {\n  bool required = 50001;\n}\n"
        "message Thing {\n  oneof one {\n    option (required) = true;\n    int32 a = 1;\n  }\n}\n"
    )
    (union,) = struct(read(tmp_path, "protos", {"protos/a.proto": head + text}), "acme", "v1", "Thing").unions
    assert union.options == (("(acme.v1.required)", "1"),)


def test_deprecated_elements(tmp_path: Path) -> None:
    text = (
        "option deprecated = true;\nmessage Thing {}\nenum Kind {\n  option deprecated = true;\n  ANY = 0;\n}\n"
        "service Things {\n  option deprecated = true;\n"
        "  rpc Get(Thing) returns (Thing) {\n    option deprecated = true;\n  }\n}\n"
    )
    version = read(tmp_path, "protos", {"protos/a.proto": HEAD + text}).groups["acme"].versions["v1"]
    service, kind = version.services["Things"], version.types["Kind"]
    assert service.is_deprecated and service.methods["Get"].is_deprecated
    assert isinstance(kind, Enum) and kind.is_deprecated
    assert all(file.is_deprecated for file in version.files.values())


def test_options_of_services(tmp_path: Path) -> None:
    head = HEAD + 'import "google/protobuf/descriptor.proto";\n'
    text = 'extend google.protobuf.ServiceOptions {\n  string host = 50001;\n}\nservice Things {\n  option (host) = "a";\n}\n'
    service = read(tmp_path, "protos", {"protos/a.proto": head + text}).groups["acme"].versions["v1"].services["Things"]
    assert service.options == (("(acme.v1.host)", '"a"'),)
