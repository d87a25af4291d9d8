"""What changed from one release to the next, as the Go sources say it: the tables of the shared folder."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

SHARED = Path(__file__).resolve().parents[4] / "shared"
CASES = SHARED / "compat-cases" / "kubernetes-history"
FACTS = SHARED / "kubernetes" / "facts"


@dataclass(frozen=True)
class Truth:
    """One change: its kind, where, and what the table says besides."""

    kind: str
    group: str
    version: str
    type: str = ""
    member: str = ""
    said: dict[str, Any] = field(default_factory=dict, compare=False, hash=False)

    @property
    def words(self) -> str:
        """The change for people."""
        scope = "/".join(part for part in (self.group, self.version) if part)
        name = ".".join(part for part in (self.type, self.member) if part)
        return f"{self.kind} {scope}.{name}".rstrip(".") + (f" ({self.constant})" if self.constant else "")

    @property
    def constant(self) -> str:
        """The name of a constant, for changes of one."""
        return str(self.said.get("constant", ""))


@cache
def truths(old: str, new: str) -> tuple[Truth, ...]:
    """All changes of a step."""
    table = json.loads((CASES / f"{old}..{new}.json").read_text(encoding="utf-8"))
    return tuple(_truth(said, old, new) for said in table["changes"])


def _truth(said: dict[str, Any], old: str, new: str) -> Truth:
    group, version = _names(said["package"], (new, old))
    return Truth(said["change"], group, version, said.get("type", ""), said.get("field", ""), said)


def _names(package: str, releases: tuple[str, ...]) -> tuple[str, str]:
    """The group on the wire and the version of a Go package."""
    return next(_packages(release)[package] for release in releases if package in _packages(release))


@cache
def _packages(release: str) -> dict[str, tuple[str, str]]:
    """Group and version of each package of a release."""
    found: dict[str, tuple[str, str]] = {}
    for path in sorted((FACTS / release).glob("*.json")):
        facts = json.loads(path.read_text(encoding="utf-8"))
        if "package" in facts:
            found[facts["package"]] = (facts.get("group", ""), facts.get("version", ""))
    return found
