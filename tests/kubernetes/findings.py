"""Conversion losses of Kubernetes: `findings.yaml`, which a record prints and a test runs."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tests.kubernetes.compiling import Package
from tests.kubernetes.emulating import features_at
from tests.yaml_files import read_yaml

FINDINGS = Path(__file__).with_name("findings.yaml")
DEFAULT = "default"
JSON = "application/json"


@dataclass(frozen=True, slots=True)
class Example:
    """An object, and the value of a part of it after the steps; `after` is unused if the last step is rejected."""

    before: dict[str, Any]
    steps: tuple[str, ...]
    look: str
    after: Any
    rejected: bool

    @property
    def shown(self) -> object:
        """The part before any step; None if it does not exist yet."""
        return part(self.before, self.look)


@dataclass(frozen=True, slots=True)
class Finding:
    """A loss, the function of Kubernetes that causes it, and an example."""

    title: str
    says: str
    where: str
    example: Example | None


@cache
def findings() -> tuple[Finding, ...]:
    """All findings, in the order of the file."""
    return tuple(map(_finding, read_yaml(FINDINGS.read_text(encoding="utf-8"))))


def _finding(row: dict[str, Any]) -> Finding:
    example = None
    if "in" in row:
        rejected = row.get("refused", False)
        example = Example(row["in"], tuple(row["steps"]), row["look"], None if rejected else row["after"], rejected)
    return Finding(row["title"], row["says"], row["where"], example)


def part(document: object, path: str) -> object:
    """Return the value at a dotted path; None without one."""
    for name in path.split("."):
        document = document.get(name) if isinstance(document, dict) else None
    return document


def taken_through(package: Package, example: Example, release: str) -> object:
    """The document behind the last step. Raises the package's ConversionError where a step is rejected."""
    scheme = package.scheme
    obj = scheme.decode(json.dumps(example.before), JSON, default=False, unknown="error")
    for step in example.steps:
        if step == DEFAULT:
            scheme.default(obj, features=features_at(scheme, release))
        else:
            obj = scheme.convert(obj, step)
    return json.loads(scheme.encode(obj, JSON))
