"""Results of a compiled package for a record, compared with those of Kubernetes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tests.kubernetes.compiling import Package
from tests.kubernetes.emulating import features_at
from tests.kubernetes.records import Conversion, Defaulting, Preparation, canonical

JSON = "application/json"
RELEASE = "1.36"
NOW = "2222-02-02T02:02:02Z"
"""What the records have where Kubernetes wrote the current time."""


class Checker:
    """Runs records through a package. Each method returns what is wrong, or "" where all is as in Kubernetes."""

    def __init__(self, package: Package) -> None:
        self._scheme: Any = package.scheme
        self._runtime: Any = package.module("runtime")
        self._error: type[Exception] = self._runtime.ConversionError
        self._versions = {kind: self._scheme.versions(kind) for kind in self._scheme.kinds()}

    def has(self, kind: str, *versions: str) -> bool:
        """Whether the package has the kind in these versions."""
        there = {v for name, found in self._versions.items() if name.partition(".")[0] == kind for v in found}
        return there.issuperset(versions)

    def conversion(self, record: Conversion) -> str:
        """Also that the input is not changed, and that nothing that can change is shared."""
        obj = self._decode(record.before)
        before = self._scheme.copy(obj)
        try:
            converted = self._scheme.convert(obj, record.target)
        except self._error as error:
            return "" if record.after is None else f"refused: {error}"
        if obj != before:
            return "the input was changed"
        if not set(_changeable(obj)).isdisjoint(_changeable(converted)):
            return "input and output share what can change"
        if record.after is None:
            return "accepted, although Kubernetes rejects it"
        return self._compared(converted, record.after)

    def defaulting(self, record: Defaulting) -> str:
        """Also that defaulting once more changes nothing, and that `decode` does it too."""
        with self._runtime.clock_stopped(self._runtime.Time.parse(NOW)):
            return self._defaulting(record)

    def _defaulting(self, record: Defaulting) -> str:
        obj = self._decode(record.before)
        features = features_at(self._scheme, record.release)
        features.set_map(record.gates)
        self._scheme.default(obj, features=features)
        once = self._scheme.copy(obj)
        self._scheme.default(obj, features=features)
        if obj != once:
            return "a second time changes something"
        if obj != self._scheme.decode(json.dumps(record.before).encode(), JSON, features=features):
            return "decode does something else"
        return self._compared(obj, record.after)

    def preparation(self, record: Preparation) -> str:
        """Also that the old object is not changed."""
        ours = self.prepared(record)
        if ours is None:
            return "the old object was changed"
        return "" if canonical(ours) == canonical(record.after) else "; ".join(_differences(ours, record.after, ""))

    def prepared(self, record: Preparation) -> Any:
        """What the strategy makes of the new object, in the record's version; None where the old object was changed."""
        strategy = self._scheme.strategy(self._strategy_name(record), record.subresource)
        features = features_at(self._scheme, RELEASE)
        features.set_map(record.gates)
        obj = self._hub(record.before)
        if record.old is None:
            strategy.prepare_for_create(obj, features=features)
        else:
            old = self._hub(record.old)
            before = self._scheme.copy(old)
            strategy.prepare_for_update(obj, old, features=features)
            if old != before:
                return None
        return json.loads(self._scheme.encode(self._scheme.convert(obj, record.version), JSON))

    def _compared(self, obj: object, expected: object) -> str:
        ours = json.loads(self._scheme.encode(obj, JSON))
        return "" if canonical(ours) == canonical(expected) else "; ".join(_differences(ours, expected, ""))

    def _decode(self, document: object) -> Any:
        """Read strictly, which generated code does, and not so: bytes, which the extension reads where it is installed."""
        text = json.dumps(document)
        obj = self._scheme.decode(text, JSON, default=False, unknown="error")
        if obj != self._scheme.decode(text.encode(), JSON, default=False):
            raise AssertionError("strictly, another object is read")
        return obj

    def _hub(self, document: object) -> Any:
        return self._scheme.convert(self._decode(document), "hub")

    def _strategy_name(self, record: Preparation) -> str:
        """Kinds whose name two groups share are written with their group."""
        return record.kind if record.kind in self._versions else f"{record.kind}.{record.group}"


def _differences(ours: Any, expected: Any, path: str) -> Iterator[str]:
    if isinstance(ours, dict) and isinstance(expected, dict):
        for key in sorted(ours.keys() | expected.keys()):
            yield from _differences(ours.get(key, "(absent)"), expected.get(key, "(absent)"), f"{path}.{key}")
    elif canonical(ours) != canonical(expected):
        yield f"{path.removeprefix('.')}: expected {canonical(expected)}, found {canonical(ours)}"


def _changeable(value: Any) -> Iterator[int]:
    """The identities of all that can change in an object: itself, lists, maps and dataclasses that are not frozen."""
    waiting = [value]
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            yield id(value)
            waiting += value
        elif isinstance(value, dict):
            yield id(value)
            waiting += value.values()
        elif names := getattr(value, "__dataclass_fields__", None):
            if not value.__dataclass_params__.frozen:
                yield id(value)
            waiting += (getattr(value, name) for name in names)
