"""Records in the form of those of Kubernetes, written by hand: traps that its own records do not reach.

A file of `tests/kubernetes/own` is called like the folder of a group and has two lists, both of which may be omitted:

    conversions:
      - why: what is tried, and which function of Kubernetes says what comes out
        in: {apiVersion: apps/v1beta1, kind: Deployment, …}
        out: {apiVersion: apps/v1, kind: Deployment, …}          # or `refused: apps/v1`
    defaults:
      - {why: …, in: {…}, out: {…}}
      - {why: …, in: {…}, out: {…}, gates: {SomeGate: true}, release: "1.28"}

`same: true` means that `out` equals `in`. It is YAML 1.1: `on`, `no` and dates need quotes.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from tests.kubernetes.records import Conversion, Defaulting
from tests.yaml_files import read_yaml

OWN = Path(__file__).resolve().parents[1] / "own"
_KEYS = {
    "conversions": {"why", "in", "out", "refused"},
    "defaults": {"why", "in", "out", "same", "gates", "release"},
}


def groups() -> list[str]:
    """The folders of the groups that have such a file."""
    return sorted(path.stem for path in OWN.glob("*.yaml"))


def own_conversions(group: str) -> Iterator[Conversion]:
    """What `conversions:` of a group's file says."""
    for record in _records(group, "conversions"):
        before, after = record["in"], record.get("out")
        target = record["refused"] if after is None else after["apiVersion"]
        yield Conversion(before["kind"], before["apiVersion"], target, "own", record["why"], before, after, group)


def own_defaultings(group: str) -> Iterator[Defaulting]:
    """What `defaults:` of a group's file says."""
    for record in _records(group, "defaults"):
        before = record["in"]
        after = before if record.get("same") else record["out"]
        gates = record.get("gates", {})
        release = record.get("release", "1.36")
        yield Defaulting(before["kind"], before["apiVersion"], record["why"], before, after, group, gates, release)


def _records(group: str, what: str) -> Iterator[dict[str, Any]]:
    for record in _file(group).get(what, []):
        unknown = record.keys() - _KEYS[what]
        assert not unknown, f"{group}: a record has {sorted(unknown)}: {record}"
        yield record


@cache
def _file(group: str) -> dict[str, Any]:
    found: dict[str, Any] = read_yaml((OWN / f"{group}.yaml").read_text(encoding="utf-8"))
    assert found.keys() <= _KEYS.keys(), f"{group}: {sorted(found)}"
    return found
