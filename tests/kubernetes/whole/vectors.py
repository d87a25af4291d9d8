"""Every conversion, default and codec vector of Kubernetes, checked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from tests.kubernetes.checking import Checker
from tests.kubernetes.compiling import Package
from tests.kubernetes.records import Conversion, Defaulting, Encoded, canonical, conversions, defaultings, encoded
from tests.kubernetes.whole.outcomes import Outcome

CORE = "core"  # how files are called that belong to the group without a name
JSON, YAML, PROTOBUF = "application/json", "application/yaml", "application/vnd.kubernetes.protobuf"

R = TypeVar("R", Conversion, Defaulting, Encoded)


class Vectors:
    """The records below `root`, checked on a package; each method takes the group whose file it reads."""

    def __init__(self, package: Package, root: Path) -> None:
        self._scheme: Any = package.scheme
        self._checker = Checker(package)
        self._root = root

    def conversions(self, group: str) -> Iterator[Outcome]:
        """One object from a version to another by way of the hub."""
        for record in conversions(self._root, group):
            nothing = record.after is not None and canonical(record.after_nothing) == canonical(record.after)
            problem = _tried(self._checker.conversion, record)
            yield Outcome("conversions", record.group or CORE, str(record), problem, nothing)

    def defaults(self, group: str) -> Iterator[Outcome]:
        """Defaulting of a version's object, gates at their defaults."""
        for record in defaultings(self._root, group):
            nothing = canonical(record.before) == canonical(record.after)
            problem = _tried(self._checker.defaulting, record)
            yield Outcome("defaults", record.group or CORE, str(record), problem, nothing)

    def codec(self, group: str) -> Iterator[Outcome]:
        """One object in three forms: each read and written as Kubernetes reads and writes it."""
        for record in encoded(self._root, group):
            problem = _tried(self._codec_problem, record)
            yield Outcome("codec", record.group or CORE, str(record), problem)

    def _codec_problem(self, record: Encoded) -> str:
        scheme = self._scheme
        obj = scheme.decode(record.json, JSON, default=False, unknown="error")
        wrong = []
        if scheme.decode(record.json.encode(), JSON, default=False) != obj:
            wrong.append(f"{JSON} is read in another way where it is not read strictly")
        for media_type, expected in (
            (JSON, record.after_json.encode()),
            (YAML, record.yaml.encode()),
            (PROTOBUF, record.protobuf),
        ):
            if scheme.encode(obj, media_type) != expected:
                wrong.append(f"{media_type} is not written")
        for data, media_type, after in (
            (record.yaml, YAML, record.after_yaml),
            (record.protobuf, PROTOBUF, record.after_protobuf),
        ):
            if scheme.encode(scheme.decode(data, media_type, default=False), JSON) != after.encode():
                wrong.append(f"{media_type} is not read")
        return "; ".join(wrong)


def _tried(checker: Callable[[R], str], record: R) -> str:
    try:
        return checker(record)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
