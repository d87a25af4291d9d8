"""The fuzzer finds what it is for, gives the same documents for the same seed, and makes more than garbage."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from tests.fuzz import json_mutations, wire_mutations, yaml_mutations
from tests.fuzz.checking import MOST_RATIO, Checker
from tests.fuzz.packages import Document
from tests.native.building import ROOT


class ApiError(Exception):
    """What may be raised."""


class Fake:
    """A scheme of JSON numbers, which doubles as the object of a kind; a test replaces one of its functions."""

    def __init__(self, **replaced: Callable[..., Any]) -> None:
        vars(self).update(replaced)

    def decode(self, data: bytes, media_type: str, **options: object) -> Any:
        try:
            return float(data)
        except ValueError:
            raise ApiError("not a number") from None

    def encode(self, obj: float, media_type: str) -> bytes:
        return repr(obj).encode()

    def copy(self, obj: float) -> float:
        return obj

    def equal(self, obj: float, other: float) -> bool:
        return obj == other

    def to_dict(self, obj: float) -> dict[str, float]:
        return {"number": obj}

    def convert(self, obj: float, to: str) -> float:
        return -obj


def found(document: bytes = b"1.5", *, python: Fake | None = None, extension: Fake | None = None) -> list[str]:
    """The kinds of findings about a document."""
    package: Any = SimpleNamespace(pure=python or Fake(), native=extension or Fake(), kinds=(), api_error=ApiError)
    checker = Checker(package)
    return [finding.kind for finding in checker.check(Document("json", document)).findings]


def fail(*_: object, **__: object) -> Any:
    raise ValueError("odd")


def reject(*_: object, **__: object) -> Any:
    raise ApiError("another text")


def test_correct_implementation_has_no_findings() -> None:
    assert found() == []
    assert found(b"x") == []


@pytest.mark.parametrize("verb", ["decode", "encode", "copy", "convert"])
def test_different_errors_and_results_are_found(verb: str) -> None:
    assert "raises" in found(python=Fake(**{verb: fail}), extension=Fake(**{verb: fail}))
    assert {"raises", "differs"} <= set(found(extension=Fake(**{verb: fail})))
    assert "differs" in found(extension=Fake(**{verb: reject}))
    assert "differs" in found(extension=Fake(**{verb: lambda *_, **__: 7.0}))


def test_different_error_message_is_found() -> None:
    assert found(b"x", extension=Fake(decode=reject)) == ["differs"]


def test_failed_round_trip_is_found() -> None:
    written = Fake(encode=lambda *_: b"x")
    assert "round trip" in found(python=written, extension=written)
    grows = Fake(encode=lambda obj, _: repr(obj + 1).encode())
    assert "round trip" in found(python=grows, extension=grows)


def test_equal_objects_can_have_different_encodings() -> None:
    grows = Fake(encode=lambda obj, _: repr(obj + 1).encode(), equal=lambda *_: True)
    assert found(python=grows, extension=grows) == []


def test_document_is_reported_only_if_slow_every_time() -> None:
    slow_times = [0]

    def decode(data: bytes, media_type: str, **options: object) -> float:
        slow_times[0] -= 1
        end = time.thread_time() + (0.02 if data == b"2.5" and slow_times[0] >= 0 else 0.0002)
        while time.thread_time() < end:
            pass
        return float(data)

    scheme = Fake(decode=decode)
    package: Any = SimpleNamespace(pure=scheme, native=scheme, kinds=(), api_error=ApiError)
    checker = Checker(package)
    checker.calibrate([Document("json", b"1.5")] * 9)
    slow_times[0] = 1000
    result = checker.check(Document("json", b"2.5"))
    assert [finding.kind for finding in result.findings] == ["slow"] and result.ratio > MOST_RATIO
    slow_times[0] = 1
    assert checker.check(Document("json", b"2.5")).findings == []


def run(folder: Path, *arguments: str) -> str:
    """What a short run prints, without what differs from run to run."""
    command = [
        sys.executable,
        "-m",
        "tests.fuzz",
        "--package",
        "generated",
        "--processes",
        "1",
        "--findings",
        str(folder),
        *arguments,
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


@pytest.mark.slow(one_in=16)
def test_same_seed_generates_the_same_documents(tmp_path: Path) -> None:
    outputs = [run(tmp_path / str(number), "--documents", "400", "--seed", "5") for number in range(2)]
    tables = [re.findall(r"^(json|pb|yaml) +([\d,]+) +([\d,]+) +([\d,]+)", text, re.MULTILINE) for text in outputs]
    assert tables[0] == tables[1] and len(tables[0]) == 3
    kept = [re.findall(r"guided by .*", text) for text in outputs]
    assert kept[0] == kept[1]
    for _, documents, clean, rejected in tables[0]:
        assert min(int(clean), int(rejected)) > int(documents) / 8, outputs[0]
    for text in outputs:
        assert "differs 0, raises 0" in text and "crash 0" in text, text


MANIFEST = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "a"},
    "spec": {"containers": [{"name": "b", "image": "c:1"}]},
}


def test_mutations_are_many_and_deterministic() -> None:
    message = wire_mutations.MAGIC + wire_mutations.write(
        wire_mutations.parse(b"\x0a\x09\x0a\x02v1\x12\x03Pod\x12\x05\x0a\x03\x0a\x01a\x1a\x00\x22\x00")
    )
    documents = {
        json_mutations.mutate: json.dumps(MANIFEST).encode(),
        yaml_mutations.mutate: b"apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  labels: {b: c}\n",
        wire_mutations.mutate: message,
    }
    for mutate, data in documents.items():
        mutated = [mutate(data, Random(seed)) for seed in range(1000)]
        assert mutated == [mutate(data, Random(seed)) for seed in range(1000)]
        assert len(set(mutated)) > 300


def test_invalid_tag_does_not_fail_the_fuzzer() -> None:
    for seed in range(200):
        yaml_mutations.mutate(b"a: !!bool yes - no\n", Random(seed))


@pytest.mark.slow
def test_a_finding_is_replayed(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_bytes(b'{"apiVersion":"things.example.com/v6","kind":"Frobber","metadata":7}')
    printed = run(tmp_path, "--replay", str(tmp_path / "x.json"))
    assert "rejected: json DecodeError" in printed
