"""The cases of validation: a file for each tag and rule of Kubernetes' declarative validation, in `cases/`.

kubernetes: +k8s:minimum=N        the tag, or the rule, and how stable it is
stability: stable
does: …                           what Kubernetes' generated code does
ours: "`minimum: N`"              how it is written here
result: same                      same, different, or omitted
why: …                            what is different and why, or why it is omitted
fields: …                         fields of a Frobber, and `types`, `unions`: the spec
cases: [{says, new, old, gates, errors, kubernetes}]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.yaml_files import read_yaml

CASES = Path(__file__).parent / "cases"
RESULTS = ("same", "different", "omitted")


@dataclass(frozen=True, slots=True)
class Case:
    """An object that is created, or an update of `old`, and the errors. `kubernetes`: its errors, where they differ."""

    says: str
    new: Mapping[str, Any]
    old: Mapping[str, Any] | None
    gates: str
    errors: Sequence[str]
    kubernetes: Sequence[str]


@dataclass(frozen=True, slots=True)
class CaseFile:
    """A tag or rule of Kubernetes, its declaration in the spec language, and its cases."""

    name: str
    kubernetes: str
    stability: str
    does: str
    ours: str
    result: str
    why: str
    fields: str
    types: str
    unions: str
    tested: str
    cases: tuple[Case, ...]


def case_files() -> list[CaseFile]:
    """All of them, in order of name."""
    return [_read(path) for path in sorted(CASES.glob("*.yaml"))]


def _read(path: Path) -> CaseFile:
    read = read_yaml(path.read_text(encoding="utf-8"))
    cases = tuple(_case(case) for case in read.pop("cases", ()))
    optional = {"stability", "why", "fields", "types", "unions", "tested"}
    return CaseFile(name=path.stem, cases=cases, **{**dict.fromkeys(optional, ""), **read})


def _case(read: dict[str, Any]) -> Case:
    errors = read.get("errors", [])
    return Case(
        says=read["says"],
        new=read["new"],
        old=read.get("old"),
        gates=read.get("gates", ""),
        errors=errors,
        kubernetes=read.get("kubernetes", errors),
    )
