"""The records of Kubernetes' own code, typed, with what names each of them.

Those of `tests/data/kubernetes/vectors` are of the kinds that `generated/` has; `root` is another folder of such files,
`group` the file to read (`core` for the group without a name), all of them if omitted.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

DATA = Path(__file__).resolve().parents[1] / "data" / "kubernetes"
VECTORS = DATA / "vectors"
ALL = "*"

Json = Any


@dataclass(frozen=True, slots=True)
class Conversion:
    """An object in one version and the same in another; `after` is None where Kubernetes rejects it."""

    kind: str
    source: str
    target: str
    how: str
    seed: str
    before: Json
    after: Json
    group: str = ""

    def __str__(self) -> str:
        return f"{self.kind} {self.source} -> {self.target} {self.how} {self.seed}"

    @property
    def after_nothing(self) -> Json:
        """What swapping the version alone makes of it."""
        return {**self.before, "apiVersion": self.target}


@dataclass(frozen=True, slots=True)
class Defaulting:
    """An object before and after it was defaulted; gates that `gates` does not name are at the defaults of `release`."""

    kind: str
    version: str
    seed: str
    before: Json
    after: Json
    group: str = ""
    gates: dict[str, bool] = field(default_factory=dict)
    release: str = "1.36"

    def __str__(self) -> str:
        return f"{self.kind} {self.version} {self.seed}"

    @property
    def after_nothing(self) -> Json:
        return self.before


@dataclass(frozen=True, slots=True)
class Preparation:
    """What a strategy makes of a new object; `old` is None on a creation. `subresource` is empty on create and update.

    `field` is the JSON path of the marked field that the record is about, if it is about one.
    """

    kind: str
    group: str
    version: str
    operation: str
    case: str
    gates: dict[str, bool]
    seed: str
    old: Json
    before: Json
    after: Json
    resource: str = ""
    field: str = ""

    def __str__(self) -> str:
        gates = ",".join(f"{gate}={'on' if on else 'off'}" for gate, on in self.gates.items())
        return " ".join(filter(None, (self.kind, self.version, self.operation, self.case, gates, self.seed)))

    @property
    def subresource(self) -> str:
        return "" if self.operation in ("create", "update") else self.operation.removesuffix("-update")

    @property
    def after_nothing(self) -> Json:
        return self.before


@dataclass(frozen=True, slots=True)
class Encoded:
    """One object in all three forms, and the JSON after reading each."""

    kind: str
    version: str
    seed: str
    json: str
    yaml: str
    protobuf: bytes
    after_json: str
    after_yaml: str
    after_protobuf: str
    group: str = ""

    def __str__(self) -> str:
        return f"{self.kind} {self.version} {self.seed}"


@dataclass(frozen=True, slots=True)
class Document:
    """An odd document, and what Kubernetes makes of it: the JSON, or an error; and what strict decoding objects to."""

    form: str
    text: str
    after: str | None
    strict: tuple[str, ...]
    error: str | None


@cache
def conversions(root: Path = VECTORS, group: str = ALL) -> tuple[Conversion, ...]:
    return tuple(
        Conversion(r["kind"], r["from"], r["to"], r["how"], str(r["seed"]), r["in"], r["out"], r["group"])
        for r in _records("conversions", root, group)
    )


@cache
def defaultings(root: Path = VECTORS, group: str = ALL) -> tuple[Defaulting, ...]:
    return tuple(
        Defaulting(r["kind"], r["in"]["apiVersion"], str(r["seed"]), r["in"], r["out"], r["group"])
        for r in _records("defaults", root, group)
    )


@cache
def preparations(root: Path = VECTORS, group: str = ALL) -> tuple[Preparation, ...]:
    return tuple(
        Preparation(
            kind=r["kind"],
            group=r["group"],
            version=r["in"]["apiVersion"],
            operation=r["op"],
            case=r["case"],
            gates=r["gates"],
            seed=str(r["seed"]),
            old=r["old"],
            before=r["in"],
            after=r["out"],
            resource=r["resource"],
            field=r["field"],
        )
        for r in _records("strategies", root, group)
    )


def encoded(root: Path = VECTORS, group: str = ALL) -> Iterator[Encoded]:
    """Of all kinds that the files have; the specs may have fewer."""
    for line in _lines("codec", root, group):
        record, texts = json.loads(line), _member_texts(line)
        if "kind" not in record:
            continue  # single values and odd documents have files of their own
        after = {
            form: texts[form] if record[form] else texts["json"] for form in ("jsonAfter", "yamlAfter", "protoAfter")
        }
        yield Encoded(
            kind=record["kind"],
            version=record["json"]["apiVersion"],
            seed=str(record["seed"]),
            json=texts["json"],
            yaml=record["yaml"],
            protobuf=base64.b64decode(record["proto"]),
            after_json=after["jsonAfter"],
            after_yaml=after["yamlAfter"],
            after_protobuf=after["protoAfter"],
            group=record["group"],
        )


def documents(root: Path = VECTORS) -> Iterator[Document]:
    with gzip.open(root / "codec" / "decoding.jsonl.gz", "rt", encoding="utf-8", newline="\n") as lines:
        for r in map(json.loads, lines):
            yield Document(r["format"], r["in"], r["out"], tuple(r["strict"]), r["error"])


def canonical(value: Json) -> str:
    """A text that is the same for the same JSON; unlike `==` it tells `1` from `true` and from `1.0`."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def _records(what: str, root: Path, group: str) -> Iterator[Json]:
    return map(json.loads, _lines(what, root, group))


def _lines(what: str, root: Path, group: str) -> Iterator[str]:
    for path in sorted((root / what).glob(f"{group}.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8", newline="\n") as lines:
            yield from lines


def _member_texts(line: str) -> dict[str, str]:
    """The members of an object as they are written, for members whose text matters."""
    decoder, texts, at = json.JSONDecoder(), {}, 1
    while line[at - 1] != "}":
        name, at = decoder.raw_decode(line, at)
        start = at + 1  # after the colon
        _, at = decoder.raw_decode(line, start)
        texts[name] = line[start:at]
        at += 1  # after the comma, or the brace
    return texts
