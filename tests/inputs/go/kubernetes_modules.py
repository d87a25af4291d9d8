"""Where the facts about Kubernetes and the Go modules lie that they were taken from."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from apigen.inputs.go.roots import GoRoot
from tests.inputs.go.modules import FoundModule, MissingModule, find_module

PROJECT = Path(__file__).resolve().parents[3]
SHARED = Path(os.environ.get("APIGEN_SHARED", PROJECT.parent / "shared")) / "kubernetes" / "facts"
DOWNLOADS = PROJECT / "build" / "go-modules"
DOWNLOAD = "APIGEN_GO_MODULES"
"""Set to `download`, this lets tests download the Go modules that are not in Go's module cache."""

RELEASES = ("v0.33.0", "v0.34.0", "v0.35.0", "v0.36.6", "v0.37.2")
API, MACHINERY = "k8s.io/api", "k8s.io/apimachinery"


def read_facts(release: str) -> dict[str, Any]:
    """The packages of a release by file name, and `summary.json`; empty if the facts are not there."""
    files = sorted((SHARED / release).glob("*.json"))
    return {file.name: json.loads(file.read_text(encoding="utf-8")) for file in files}


def module(name: str, release: str) -> FoundModule | MissingModule:
    """A Go module, where it is already, or downloaded if that is allowed."""
    return find_module(name, release, cache=DOWNLOADS, download=os.environ.get(DOWNLOAD) == "download")


def roots_of_facts(api: FoundModule, machinery: FoundModule, packages: list[str]) -> list[GoRoot]:
    """The roots that have the packages of the facts and no others: what those name beyond them was not followed."""
    own: list[GoRoot] = []
    for package in packages:
        if package.startswith(f"{MACHINERY}/"):
            below = package.removeprefix(f"{MACHINERY}/")
            own.append(GoRoot(machinery.folder / below, package, f"{MACHINERY}/{below}"))
    return [api.root(), *own]
