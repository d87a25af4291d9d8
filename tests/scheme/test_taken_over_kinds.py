"""Kinds that are (`is:`) a struct of another version, and kinds whose objects never say what they are."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from types import ModuleType

import pytest

from tests.generating import generate_package

JSON, YAML, PROTOBUF = "application/json", "application/yaml", "application/vnd.kubernetes.protobuf"

SPECS = {
    "plain/group.yaml": "group: plain.example.com\nversions: {v1: {}}\n",
    "plain/v1.yaml": """
types:
  Options:
    fields:
      limit: {type: int64, omitEmpty: true, default: 7, protobuf: 4}
      mode: {type: Mode, optional: true}                 # no number: 5, be it used here or elsewhere
      parts: {type: "[]Part", omitEmpty: true, protobuf: 2, listType: atomic}
    tombstones: {old: {protobuf: 1}}
  Again: {is: Options}
  Part: {fields: {name: {type: string, protobuf: 1}}}
  Mode: {enum: {Fast: {}, Slow: {}}}
  Happening:
    fields:
      kind: {type: string, protobuf: 1}
      object: {type: RawExtension, protobuf: 2}
""",
    "things/group.yaml": """
group: things.example.com
versions: {v1beta1: {}, v1: {storage: true}}
hub: v1
kinds:
  Frobber: {list: false}
  Options: {list: false}
  OwnName: {list: false}
  Happening: {list: false, typeMeta: false}
  Gadget: {list: false}
""",
    "things/v1.yaml": """
types:
  Frobber: {fields: {options: {type: plain/v1.Options, omitEmpty: true, protobuf: 1}, size: {type: int32, protobuf: 2}}}
  Options: {is: plain/v1.Options}
  OwnName: {is: plain/v1.Again, doc: Under a name of its own.}
  Happening: {is: plain/v1.Happening}
  Gadget: {is: others/v1.Gadget}
""",
    "things/v1beta1.yaml": """
types:
  Frobber:
    fields: {options: {type: plain/v1.Options, omitEmpty: true, protobuf: 1}}
    hubOnly: {size: {constant: 1}}
  Options: {is: plain/v1.Options}
""",
    "others/group.yaml": "group: others.example.com\nversions: {v1: {storage: true}}\nhub: v1\nkinds: {Gadget: {list: false}}\n",
    "others/v1.yaml": "types: {Gadget: {fields: {part: {type: Part, protobuf: 1}}}, Part: {fields: {a: {type: string, protobuf: 1}}}}\n",
}


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("taken_over")
    for path, text in SPECS.items():
        file = folder / "specs" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.syspath_prepend(folder)
        yield generate_package(folder / "specs", folder)


@pytest.fixture
def scheme(package: str) -> ModuleType:
    return importlib.import_module(f"{package}.scheme")


@pytest.fixture
def types(package: str) -> ModuleType:
    return importlib.import_module(f"{package}.things.v1.types")


@pytest.mark.parametrize("kind", ["Options", "OwnName"])
def test_separate_kind_with_the_fields_of_another(scheme: ModuleType, types: ModuleType, kind: str) -> None:
    text = f'{{"kind":"{kind}","apiVersion":"things.example.com/v1","mode":"Fast","parts":[{{"name":"a"}}]}}'
    obj = scheme.decode(text, default=False, unknown="error")
    assert type(obj) is getattr(types, kind)
    assert (obj.kind, obj.api_version, obj.mode, obj.parts[0].name) == (kind, "things.example.com/v1", "Fast", "a")
    assert scheme.encode(obj) == text.encode()
    written = scheme.encode(obj, PROTOBUF)
    assert scheme.decode(written, PROTOBUF, default=False) == obj
    assert b"\x12\x03\x0a\x01a" in written, "the number of `parts` is that of the struct"
    assert b"\x2a\x04Fast" in written, "and so is one that the struct was given: 5"
    assert scheme.decode(text).limit == 7, "its defaults come along"


def test_class_has_kind_and_api_version(types: ModuleType) -> None:
    assert (types.Options().kind, types.Options().api_version) == ("Options", "things.example.com/v1")
    assert types.OwnName.__doc__ == "Under a name of its own."


def test_reused_kind_is_its_own_hub(scheme: ModuleType, types: ModuleType) -> None:
    obj = types.Options(limit=3)
    hub = scheme.convert(obj, "hub")
    assert hub == obj and hub is not obj
    assert scheme.convert(obj, "things.example.com/v1") == obj


def test_reused_struct_itself_is_not_a_kind(scheme: ModuleType, types: ModuleType) -> None:
    obj = scheme.decode('{"kind":"Frobber","apiVersion":"things.example.com/v1","options":{"kind":"?","limit":1}}')
    assert not hasattr(obj.options, "kind")
    assert scheme.convert(obj, "things.example.com/v1beta1").options.limit == 1


def test_kind_reused_from_a_group_with_hub_has_a_hub(scheme: ModuleType, types: ModuleType, package: str) -> None:
    theirs = importlib.import_module(f"{package}.others.v1.types")
    hub = scheme.convert(types.Gadget(part=theirs.Part(a="x")), "hub")
    assert type(hub).__module__.endswith(".things.hub.types")
    assert hub.part.a == "x"
    assert scheme.convert(hub, "things.example.com/v1").part == theirs.Part(a="x")


@pytest.mark.parametrize("media", [JSON, YAML, PROTOBUF])
def test_kind_without_type_meta(scheme: ModuleType, types: ModuleType, media: str) -> None:
    raw = importlib.import_module(f"{scheme.__name__.removesuffix('.scheme')}.runtime").RawExtension
    obj = types.Happening(kind="Added", object=raw(b'{"a":1}'))
    assert not hasattr(obj, "api_version")
    written = scheme.encode(obj, media)
    assert b"things.example.com" not in written
    assert scheme.decode(written, media, expect=types.Happening, unknown="error") == obj
    with pytest.raises(scheme_error(scheme)):
        scheme.decode(written, media)


def scheme_error(scheme: ModuleType) -> type[Exception]:
    found: type[Exception] = importlib.import_module(f"{scheme.__name__.removesuffix('.scheme')}.runtime").DecodeError
    return found


def test_encoding_without_type_meta_has_only_own_fields(scheme: ModuleType, types: ModuleType) -> None:
    obj = types.Happening(kind="Added")
    assert scheme.encode(obj) == b'{"kind":"Added","object":null}'
    assert scheme.encode(obj, PROTOBUF) == b"k8s\0\x0a\x04\x0a\x00\x12\x00\x12\x09\x0a\x05Added\x12\x00\x1a\x00\x22\x00"
    assert "Happening" in scheme.kinds()
    assert scheme.convert(obj, "hub") == obj
