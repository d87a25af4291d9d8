"""A wrong value is parsed once, whatever ways of decoding a document goes through before it is reported."""

from __future__ import annotations

import json
import sys
from collections import Counter
from itertools import count
from types import FrameType

import pytest

from generated.runtime.errors import DecodeError
from generated.runtime.scheme import Scheme
from tests.native.both import compiled, pure

PARSERS = {
    ("quantity.py", "_parse"),
    ("times.py", "_time"),
    ("times.py", "_micro_time"),
    ("times.py", "_parsed_duration"),
    ("json_reader.py", "parse"),
}
JSON, YAML = "application/json", "application/yaml"
_numbers = count()


def document(value: str, place: str) -> bytes:
    target = {"type": "AverageValue", "averageValue": value if place == "quantity" else "1"}
    metadata = {"name": "a", "creationTimestamp": value if place == "time" else None}
    metric = {"type": "Resource", "resource": {"name": "cpu", "target": target}}
    spec = {"scaleTargetRef": {"kind": "a", "name": "b"}, "metrics": [metric]}
    head = {"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler"}
    return json.dumps({**head, "metadata": metadata, "spec": spec}).encode()


def parsed(scheme: Scheme, data: bytes, media: str) -> Counter[str]:
    """How often each parser is called while the document, which is wrong, is decoded."""
    called: Counter[str] = Counter()

    def note(frame: FrameType, event: str, argument: object) -> None:
        code = frame.f_code
        if event == "call" and (code.co_filename.rpartition("/")[2], code.co_name) in PARSERS:
            called[code.co_name] += 1

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        with pytest.raises(DecodeError):
            scheme.decode(data, media)
    finally:
        sys.setprofile(before)
    return called


@pytest.mark.parametrize("media", [JSON, YAML])
@pytest.mark.parametrize("way", [pure, compiled])
@pytest.mark.parametrize(("place", "parser"), [("quantity", "_parse"), ("time", "_time")])
@pytest.mark.parametrize("length", [1, 1000])
def test_wrong_values_are_parsed_once(way: object, place: str, parser: str, length: int, media: str) -> None:
    scheme = way()  # type: ignore[operator]
    good = document("1" if place == "quantity" else "2001-02-03T04:05:06Z", place)
    scheme.decode(good, media)
    wrong = document(f"{'x' * length}{next(_numbers)}", place)
    assert parsed(scheme, wrong, media)[parser] == 1


def test_quantities_with_spaces_are_parsed_once() -> None:
    assert parsed(pure(), document(f" x{next(_numbers)} ", "quantity"), JSON)["_parse"] == 1


def test_error_equals_that_of_exact_decoding() -> None:
    data = document("x", "quantity")
    with pytest.raises(DecodeError) as quick:
        pure().decode(data)
    with pytest.raises(DecodeError) as exact:
        pure().decode(data, unknown="error")
    assert (str(quick.value), type(quick.value)) == (str(exact.value), type(exact.value))


OWNERS = '"metadata":{"ownerReferences":[{"apiVersion":"a","kind":"b"}],"managedFields":[{"fieldsV1":{}}]}'
DEEP = '"data":{"a":' + "[" * 3000 + "]" * 3000 + "}"


@pytest.mark.parametrize("way", [pure, compiled])
@pytest.mark.parametrize(
    "members",
    [
        ['"apiVersion":"v1"', '"kind":"ConfigMap"', OWNERS, DEEP],
        ['"kind":"ConfigMap"', '"kind":"ConfigMap"', '"apiVersion":"v1"', OWNERS, DEEP],
        [OWNERS, '"kind":"ConfigMap"', '"apiVersion":"v1"', DEEP],
        [DEEP, OWNERS, '"kind":"ConfigMap"', '"apiVersion":"v1"'],
    ],
    ids=["kind first", "kind twice", "kind after metadata", "kind last"],
)
def test_deep_documents_are_parsed_once(way: object, members: list[str]) -> None:
    """The parser in C of Python 3.12 and newer follows them, so that the exact parser need not."""
    data = "{" + ",".join(members) + "}"
    expected = 1 if sys.version_info < (3, 12) else 0
    assert parsed(way(), data.encode(), JSON)["parse"] == expected  # type: ignore[operator]
