"""Generated protobuf codecs: each rule of the encoding on a small API, byte by byte."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from apigen.codegen.protobuf_codec import backend as protobuf_codec
from apigen.codegen.types import backend as types
from tests.codegen.generated_packages import compiled, generate_package, one_version
from tests.type_checkers import mypy

GROUP = "things_example_com/v1"
SPEC = """
    Frobber:
      fields:
        spec:   {type: Spec, protobuf: 2}
        status: {type: Spec, optional: true, protobuf: 3}
    Spec:
      fields:
        name:    {type: string, protobuf: 1}
        height:  {type: int32, omitEmpty: true, protobuf: 2}
        width:   {type: int64, optional: true, protobuf: 3}
        mode:    {type: Mode, nullable: true, protobuf: 4}
        on:      {type: bool, protobuf: 5}
        ratio:   {type: float64, optional: true, protobuf: 16}
        small:   {type: float32, optional: true, protobuf: 17}
        big:     {type: uint64, optional: true, protobuf: 18}
        short:   {type: uint32, optional: true, protobuf: 19}
        inner:   {type: Inner, omitEmpty: true, protobuf: 20}
    Frobbers:
      fields:
        items: {type: "[]Frobber", protobuf: 2}
    Inner:
      fields:
        note: {type: string, optional: true, protobuf: 1}
    Mode:
      enum: {Always: {}, Never: {}}
    Bytes:
      fields:
        plain:    {type: bytes, protobuf: 1}
        omitted:  {type: bytes, omitEmpty: true, protobuf: 2}
        optional: {type: bytes, optional: true, protobuf: 3}
        time:     {type: Time, protobuf: 4}
        maybe:    {type: Time, optional: true, protobuf: 5}
    Lists:
      fields:
        texts:   {type: "[]string", protobuf: 1}
        numbers: {type: "[]int32", omitEmpty: true, protobuf: 2}
        inners:  {type: "[]Inner", nullable: true, protobuf: 3}
        doubles: {type: "[]float64", optional: true, protobuf: 4}
        floats:  {type: "[]float32", optional: true, protobuf: 5}
        flags:   {type: "[]bool", optional: true, protobuf: 6}
    Maps:
      fields:
        texts:   {type: "map[string]string", protobuf: 1}
        numbers: {type: "map[string]int64", omitEmpty: true, protobuf: 2}
        inners:  {type: "map[string]Inner", omitEmpty: true, protobuf: 3}
        blobs:   {type: "map[string]bytes", omitEmpty: true, protobuf: 4}
        named:   {type: "map[string]Names", omitEmpty: true, protobuf: 5}
        doubles: {type: "map[string]float64", omitEmpty: true, protobuf: 6}
    Names:
      is: "[]string"
      nullable: true
    Named:
      fields:
        names: {type: Names, nullable: true, protobuf: 1}
    Volume:
      fields:
        name:   {type: string, protobuf: 1}
        source: {type: Source, inline: true, protobuf: 2}
    Source:
      fields:
        path: {type: string, optional: true, protobuf: 1}
        tags: {type: "[]string", omitEmpty: true, protobuf: 2}
    Far:
      fields:
        near:    {type: string, protobuf: 15}
        far:     {type: string, protobuf: 16}
        farther: {type: "[]string", omitEmpty: true, protobuf: 2047}
        away:    {type: int32, protobuf: 2048}
        beyond:  {type: string, optional: true, protobuf: 300000}
    Tree:
      fields:
        name:   {type: string, protobuf: 1}
        left:   {type: Tree, optional: true, protobuf: 2}
        leaves: {type: "[]Tree", omitEmpty: true, protobuf: 3}
        links:  {type: "map[string]Tree", omitEmpty: true, protobuf: 4}
"""
KINDS = "Frobber: {scope: Namespaced, plural: frobbers, list: false}"


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[ModuleType, ModuleType, ModuleType]]:
    """The generated types and codecs, and the errors of their run-time library."""
    folder = tmp_path_factory.mktemp("codec")
    backend_input = compiled(one_version(SPEC, KINDS), folder / "specs")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        made = generate_package(backend_input, folder, (types.plan, protobuf_codec.plan))
        yield made.module(f"{GROUP}/types"), made.module(f"{GROUP}/protobuf_codec"), made.module("runtime/errors")


@pytest.fixture
def v1(package: tuple[ModuleType, ...]) -> ModuleType:
    return package[0]


@pytest.fixture
def codec(package: tuple[ModuleType, ...]) -> ModuleType:
    return package[1]


@pytest.fixture
def errors(package: tuple[ModuleType, ...]) -> ModuleType:
    return package[2]


def test_zero_values_are_encoded_and_none_is_not(v1: ModuleType, codec: ModuleType) -> None:
    assert codec.encode_spec(v1.Spec()) == b"\x0a\x00\x10\x00\x28\x00\xa2\x01\x00"
    assert codec.encode_frobber(v1.Frobber()) == b"\x12\x09" + codec.encode_spec(v1.Spec())


def test_set_fields_are_encoded_by_ascending_number(v1: ModuleType, codec: ModuleType) -> None:
    spec = v1.Spec(
        name="é",
        height=-1,
        width=0,
        mode="",
        on=True,
        ratio=1.5,
        small=0.5,
        big=2**64 - 1,
        short=300,
        inner=v1.Inner(note=""),
    )
    data = codec.encode_spec(spec)
    assert data == (
        b"\x0a\x02\xc3\xa9"
        b"\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"
        b"\x18\x00"
        b"\x22\x00"
        b"\x28\x01"
        b"\x81\x01\x00\x00\x00\x00\x00\x00\xf8\x3f"
        b"\x8d\x01\x00\x00\x00\x3f"
        b"\x90\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"
        b"\x98\x01\xac\x02"
        b"\xa2\x01\x02\x0a\x00"
    )
    assert codec.decode_spec(data) == spec


def test_bytes_and_times(v1: ModuleType, codec: ModuleType) -> None:
    assert codec.encode_bytes(v1.Bytes()) == b"\x0a\x00\x22\x00"
    assert codec.encode_bytes(v1.Bytes(plain=b"p", omitted=b"", optional=b"")) == b"\x0a\x01p\x12\x00\x1a\x00\x22\x00"
    assert codec.decode_bytes(b"\x22\x04\x08\x05\x10\x07").time.seconds == 5
    assert codec.decode_bytes(b"\x22\x00\x2a\x00") == v1.Bytes()


def test_lists_are_written_element_by_element(v1: ModuleType, codec: ModuleType) -> None:
    lists = v1.Lists(texts=["a", ""], numbers=[1, -1], inners=[v1.Inner(), v1.Inner(note="n")], flags=[True, False])
    data = codec.encode_lists(lists)
    assert data == (
        b"\x0a\x01a\x0a\x00"
        b"\x10\x01\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"
        b"\x1a\x00\x1a\x03\x0a\x01n"
        b"\x30\x01\x30\x00"
    )
    assert codec.decode_lists(data) == lists


def test_empty_lists_and_maps_are_not_encoded(v1: ModuleType, codec: ModuleType) -> None:
    assert codec.encode_lists(v1.Lists(texts=[], numbers=[], inners=[], doubles=None)) == b""
    assert codec.decode_lists(b"") == v1.Lists(texts=[], numbers=None, inners=None, doubles=None)
    assert codec.encode_maps(v1.Maps(texts={}, numbers={}, inners=None)) == b""
    assert codec.decode_maps(b"") == v1.Maps(texts={}, numbers=None, inners=None)


def test_packed_lists_are_read(v1: ModuleType, codec: ModuleType) -> None:
    packed = (
        b"\x12\x0b\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"
        b"\x22\x10" + bytes(8) + b"\x00\x00\x00\x00\x00\x00\xf8\x3f"
        b"\x2a\x08\x00\x00\x00\x3f" + bytes(4) + b"\x32\x02\x01\x00"
    )
    lists = v1.Lists(numbers=[1, -1, 7], doubles=[0.0, 1.5], floats=[0.5, 0.0], flags=[True, False])
    assert codec.decode_lists(packed + b"\x10\x07") == lists


def test_map_entries_are_sorted_and_complete(v1: ModuleType, codec: ModuleType) -> None:
    maps = v1.Maps(
        texts={"b": "", "": "x", "é": "z", "z": "y"},
        numbers={"n": 0},
        inners={"i": v1.Inner()},
        blobs={"b": b"\0"},
        named={"n": ["x"]},
        doubles={"d": 0.5},
    )
    data = codec.encode_maps(maps)
    assert data == (
        b"\x0a\x05\x0a\x00\x12\x01x\x0a\x05\x0a\x01b\x12\x00\x0a\x06\x0a\x01z\x12\x01y\x0a\x07\x0a\x02\xc3\xa9\x12\x01z"
        b"\x12\x05\x0a\x01n\x10\x00"
        b"\x1a\x05\x0a\x01i\x12\x00"
        b"\x22\x06\x0a\x01b\x12\x01\x00"
        b"\x2a\x08\x0a\x01n\x12\x03\x0a\x01x"
        b"\x32\x0c\x0a\x01d\x11\x00\x00\x00\x00\x00\x00\xe0\x3f"
    )
    assert codec.decode_maps(data) == maps


def test_null_in_maps_and_lists(v1: ModuleType, codec: ModuleType) -> None:
    maps = v1.Maps(blobs={"b": None}, named={"n": None})
    assert codec.encode_maps(maps) == b"\x22\x03\x0a\x01b\x2a\x05\x0a\x01n\x12\x00"
    assert codec.decode_maps(codec.encode_maps(maps)) == v1.Maps(blobs={"b": b""}, named={"n": []})


def test_incomplete_map_entries(v1: ModuleType, codec: ModuleType) -> None:
    empty = v1.Maps(
        texts={"": ""},
        numbers={"": 0},
        inners={"": v1.Inner()},
        blobs={"": b""},
        named={"": []},
        doubles={"": 0.0},
    )
    assert codec.decode_maps(b"\x0a\x00\x12\x00\x1a\x00\x22\x00\x2a\x00\x32\x00") == empty
    assert codec.decode_maps(b"\x12\x04\x10\x05\x10\x06").numbers == {"": 6}, "the last value counts"
    assert codec.decode_maps(b"\x0a\x03\x0a\x01k\x0a\x06\x0a\x01k\x12\x01v").texts == {
        "k": "v"
    }, "the last entry counts"
    assert codec.decode_maps(b"\x0a\x08\x1a\x01x\x12\x01v\x20\x01").texts == {"": "v"}, "the rest is skipped"


def test_optional_named_list_is_a_message(v1: ModuleType, codec: ModuleType) -> None:
    for names, data in [(None, b""), ([], b"\x0a\x00"), (["a", "b"], b"\x0a\x06\x0a\x01a\x0a\x01b")]:
        assert codec.encode_named(v1.Named(names=names)) == data
        assert codec.decode_named(data) == v1.Named(names=names)


def test_inline_structs_are_messages(v1: ModuleType, codec: ModuleType) -> None:
    assert codec.encode_volume(v1.Volume()) == b"\x0a\x00\x12\x00"
    volume = v1.Volume(name="v", path="p", tags=["t"])
    data = b"\x0a\x01v\x12\x06\x0a\x01p\x12\x01t"
    assert codec.encode_volume(volume) == data
    assert codec.decode_volume(data) == volume
    assert codec.decode_volume(b"\x12\x03\x12\x01a" + data + b"\x12\x03\x12\x01z").tags == ["a", "t", "z"]


def test_repeated_messages_are_merged(v1: ModuleType, codec: ModuleType) -> None:
    first = v1.Frobber(spec=v1.Spec(name="a", width=1), status=v1.Spec(name="b", mode="Never"))
    second = b"\x12\x04\x0a\x02zz\x1a\x02\x18\x09"
    merged = codec.decode_frobber(codec.encode_frobber(first) + second)
    assert (merged.spec.name, merged.spec.width) == ("zz", 1)
    assert (merged.status.name, merged.status.mode, merged.status.width) == ("b", "Never", 9)


def test_unknown_fields_are_skipped_and_not_kept(v1: ModuleType, codec: ModuleType) -> None:
    unknown = {
        "varint": b"\xf8\x06\x96\x01",
        "64 bits": b"\xf9\x06" + bytes(8),
        "bytes": b"\xfa\x06\x02hi",
        "32 bits": b"\xfd\x06" + bytes(4),
        "group": b"\xfb\x06\x08\x01\x13\x1a\x01x\x14\xfc\x06",
        "highest number": b"\xf8\xff\xff\xff\x0f\x00",
    }
    whole = codec.encode_spec(v1.Spec(name="n"))
    for name, data in unknown.items():
        assert codec.encode_spec(codec.decode_spec(data + whole + data)) == whole, name


LONG_TAGS = {
    "one byte more": b"\x8a\x00\x01n",
    "four bytes more": b"\x8a\x80\x80\x80\x00\x01n",
    "with another field before": b"\x10\x05\x8a\x00\x01n",
    "with others behind": b"\x8a\x00\x01n\x90\x00\x05\xf8\x06\x96\x01\x10\x05",
    "all of them": b"\x8a\x00\x01m\x90\x00\x05\x8a\x00\x01n",
}


@pytest.mark.parametrize("data", LONG_TAGS.values(), ids=LONG_TAGS)
def test_overlong_tags_are_accepted(codec: ModuleType, data: bytes) -> None:
    """As Kubernetes' code reads them."""
    spec = codec.decode_spec(data)
    assert (spec.name, spec.height) == ("n", 5 if b"\x05" in data else 0)


@pytest.mark.slow
def test_overlong_tags_are_decoded_in_linear_time(codec: ModuleType) -> None:
    """The data is not copied for each of them: that would be a hundred gigabytes."""
    assert codec.decode_spec(b"\x8a\x00\x01n" * 250_000 + b"\x90\x00\x05").height == 5


def test_kinds_omit_type_meta_inside_the_envelope(v1: ModuleType, codec: ModuleType) -> None:
    frobber = codec.decode_frobber(codec.encode_frobber(v1.Frobber()))
    assert (frobber.api_version, frobber.kind) == ("", "")
    items = codec.decode_frobbers(codec.encode_frobbers(v1.Frobbers(items=[v1.Frobber()]))).items
    assert (items[0].api_version, items[0].kind) == ("", "")


def test_integers_are_truncated_as_in_go(codec: ModuleType) -> None:
    assert codec.decode_spec(b"\x10\xff\xff\xff\xff\x1f").height == -1
    assert codec.decode_spec(b"\x10\x80\x80\x80\x80\x10").height == 0
    assert codec.decode_spec(b"\x98\x01\xff\xff\xff\xff\x1f").short == 2**32 - 1
    assert codec.decode_spec(b"\x28\x80\x80\x01").on is True


def test_high_numbers_and_long_strings(v1: ModuleType, codec: ModuleType) -> None:
    far = v1.Far(near="n" * 127, far="é" * 64, farther=["a" * 16_383, "b" * 16_384], away=-1, beyond="c" * 3_000_000)
    data = codec.encode_far(far)
    assert data.startswith(b"\x7a\x7f" + b"n" * 127 + b"\x82\x01\x80\x01" + "é".encode() * 64 + b"\xfa\x7f\xff\x7faa")
    assert codec.decode_far(data) == far
    assert codec.encode_far(v1.Far()) == b"\x7a\x00\x82\x01\x00\x80\x80\x01\x00"


def test_fields_are_decoded_in_any_order(v1: ModuleType, codec: ModuleType) -> None:
    fields = (b"\x80\x80\x01\x07", b"\xfa\x7f\x01x", b"\x82\x01\x01f", b"\xfa\x7f\x01y", b"\x7a\x01n", b"\xf2\x7f\x00")
    assert codec.decode_far(b"".join(fields)) == v1.Far(near="n", far="f", farther=["x", "y"], away=7)
    assert codec.decode_far(b"".join(fields[::-1])) == v1.Far(near="n", far="f", farther=["y", "x"], away=7)


def test_other_buffers_are_read(codec: ModuleType) -> None:
    for buffer in (memoryview(b"\x0a\x01n"), bytearray(b"\x0a\x01n")):
        assert codec.decode_spec(buffer).name == "n"


@pytest.mark.parametrize(
    ("type_", "data", "message"),
    [
        ("spec", b"\x0a", "x.name: the message ends too early"),
        ("spec", b"\x0a\x02a", "x.name: the message ends too early"),
        ("spec", b"\x0a\x80", "x.name: the message ends too early"),
        ("spec", b"\x10\xff", "x.height: the message ends too early"),
        ("spec", b"\x81\x01\x00", "x.ratio: the message ends too early"),
        ("spec", b"\x80", "x: the message ends too early"),
        ("spec", b"\x0a\x01\xff", "x.name: text that is not UTF-8 (invalid start byte at byte 0)"),
        ("spec", b"\x08\x01", "x.name: cannot be a varint on the wire"),
        ("spec", b"\x12\x00", "x.height: cannot be bytes on the wire"),
        ("spec", b"\x88\x00\x01", "x.name: cannot be a varint on the wire"),
        ("spec", b"\x8a\x00\x01n\x8a\x00\x02a", "x.name: the message ends too early"),
        ("spec", b"\x0d" + bytes(4), "x.name: cannot be 32 bits on the wire"),
        ("spec", b"\x0b\x0c", "x.name: cannot be a group on the wire"),
        ("spec", b"\x10" + b"\xff" * 10, "x.height: a varint is longer than ten bytes"),
        ("spec", b"\xff" * 10, "x: a varint is longer than ten bytes"),
        ("spec", b"\xf8\xff\xff\xff\x1f\x00", "x: has a field number that is out of range"),
        ("spec", b"\x02\x00", "x: field number 0"),
        ("spec", b"\xfe\x06", "x: wire type 6 is not supported"),
        ("spec", b"\xfc\x06", "x: wire type 4 is not supported"),
        ("spec", b"\xfb\x06\x0c", "x: a group ends that did not start"),
        ("spec", b"\xfb\x06\x0a\x05x", "x: the message ends too early"),
        ("frobber", b"\x1a\x05\xa2\x01\x02\x08\x00", "x.status.inner.note: cannot be a varint on the wire"),
        ("frobbers", b"\x12\x00\x12\x05\x12\x03\x0a\x01\xff", "x.items[1].spec.name: text that is not UTF-8"),
        ("lists", b"\x0a\x01a\x0a\x01\xff", "x.texts[1]: text that is not UTF-8"),
        ("lists", b"\x8a\x00\x01a\x8a\x00\x01\xff", "x.texts[1]: text that is not UTF-8"),
        ("lists", b"\x1a\x00\x1a\x02\x08\x00", "x.inners[1].note: cannot be a varint on the wire"),
        ("lists", b"\x12\x01\x80", "x.numbers: the message ends too early"),
        ("lists", b"\x22\x07" + bytes(7), "x.doubles: the message ends too early"),
        ("maps", b"\x0a\x03\x0a\x01\xff", "x.texts: text that is not UTF-8"),
        ("maps", b"\x0a\x06\x0a\x01k\x12\x01\xff", "x.texts[k]: text that is not UTF-8"),
        ("maps", b"\x0a\x02\x08\x00", "x.texts: cannot be a varint on the wire (the key of an entry)"),
        ("maps", b"\x12\x02\x12\x00", "x.numbers: cannot be bytes on the wire (the value of an entry)"),
        ("maps", b"\x1a\x07\x0a\x01k\x12\x02\x08\x00", "x.inners[k].note: cannot be a varint on the wire"),
        ("maps", b"\x1a\x01\x0a", "x.inners: the message ends too early (the key of an entry)"),
        ("maps", b"\x2a\x08\x0a\x01k\x12\x03\x0a\x01\xff", "x.named[k][0]: text that is not UTF-8"),
        ("named", b"\x0a\x03\x0a\x01\xff", "x.names[0]: text that is not UTF-8"),
        ("volume", b"\x12\x03\x0a\x01\xff", "x.path: text that is not UTF-8"),
        ("volume", b"\x12\x01\x0a", "x.path: the message ends too early"),
        ("bytes", b"\x22\x01\x08", "x.time: the message ends too early"),
        ("far", b"\x82\x01", "x.far: the message ends too early"),
        ("far", b"\x82", "x: the message ends too early"),
        ("far", b"\xfa\x7f\x01a\xfa\x7f\x01\xff", "x.farther[1]: text that is not UTF-8"),
        ("far", b"\x80\x80\x01\x07\x85\x80\x01" + bytes(4), "x.away: cannot be 32 bits on the wire"),
        ("frobber", b"\x12\x09\x0a\x02\xff", "x.spec: the message ends too early"),
    ],
)
def test_errors_have_a_path(codec: ModuleType, errors: ModuleType, type_: str, data: bytes, message: str) -> None:
    with pytest.raises(errors.DecodeError) as caught:
        getattr(codec, f"decode_{type_}")(data, "x")
    assert str(caught.value).startswith(message)


def test_recursive_type_can_be_nested_a_hundred_times(codec: ModuleType, errors: ModuleType) -> None:
    for tag, step in [(0x12, "left"), (0x1A, "leaves[0]")]:
        good = nested(tag, 100)
        assert codec.encode_tree(codec.decode_tree(good))
        with pytest.raises(errors.DecodeError) as caught:
            codec.decode_tree(nested(tag, 101))
        assert caught.value.path == ".".join([step] * 101)
        assert caught.value.problem == "nested more than 100 times"
        with pytest.raises(errors.DecodeError):
            codec.decode_tree(nested(tag, 3_000))


def test_type_nested_too_deep_to_decode_is_not_encoded(codec: ModuleType, errors: ModuleType) -> None:
    for tag, attribute in [(0x12, "left"), (0x1A, "leaves")]:
        deep = codec.decode_tree(nested(tag, 100))
        above = codec.decode_tree(b"")
        setattr(above, attribute, deep if tag == 0x12 else [deep])
        with pytest.raises(errors.EncodeError, match="nested more than 100 times"):
            codec.encode_tree(above)


def nested(tag: int, times: int) -> bytes:
    """A message with itself in the field with `tag`, so many times."""
    data = b""
    for _ in range(times):
        size = len(data)
        data = bytes([tag]) + (bytes([size]) if size < 128 else bytes([size & 127 | 128, size >> 7])) + data
    return data


def test_values_out_of_range_are_not_encoded(v1: ModuleType, codec: ModuleType, errors: ModuleType) -> None:
    for spec in [
        v1.Spec(height=2**31),
        v1.Spec(width=-(2**63) - 1),
        v1.Spec(big=-1),
        v1.Spec(short=2**32),
        v1.Spec(small=1e300),
        v1.Spec(name="\ud800"),
    ]:
        with pytest.raises(errors.EncodeError):
            codec.encode_spec(spec)


def test_the_path_is_empty_at_the_root(codec: ModuleType, errors: ModuleType) -> None:
    with pytest.raises(errors.DecodeError) as caught:
        codec.decode_frobber(b"\x12\x02\x0a\x05")
    assert caught.value.path == "spec.name"


@pytest.mark.slow
def test_the_output_is_typed(codec: ModuleType) -> None:
    assert codec.__file__ is not None
    path = Path(codec.__file__)
    assert mypy(path.parents[3], "--follow-imports=silent", path.relative_to(path.parents[3])) == ""
