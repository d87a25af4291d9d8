"""A review of one large CRD, gateway-api's HTTPRoute of two releases, next to crdify on the same two files."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measuring import plain_environment
from benchmarks.peers.places import GO_MODULES, ROOT, find_tool
from benchmarks.reviewing import Contender
from tests.inputs.go.modules import FoundModule, find_module

MODULE = "sigs.k8s.io/gateway-api"
RELEASES = ("v1.2.0", "v1.7.0")
FILE = "config/crd/standard/gateway.networking.k8s.io_httproutes.yaml"
APIGEN, CRDIFY = "apigen, one CRD", "crdify"


def crd_contenders(cache: Path) -> Iterator[Contender]:
    """apigen without anything kept, and crdify where it is; none where the two files cannot be had."""
    sides = [_file(release) for release in RELEASES]
    old, new = sides
    if old is None or new is None:
        return
    environment = plain_environment(XDG_CACHE_HOME=str(cache))
    command = (sys.executable, "-m", "apigen", "diff", str(old), str(new), "--no-counterexamples", "--no-cache")
    yield Contender(APIGEN, command, ROOT, environment)
    crdify = find_tool("crdify")
    if crdify is not None:
        yield Contender(CRDIFY, (crdify, f"file://{old}", f"file://{new}"), ROOT, environment)


def _file(release: str) -> Path | None:
    found = find_module(MODULE, release, cache=GO_MODULES)
    file = found.folder / FILE if isinstance(found, FoundModule) else None
    return file if file is not None and file.is_file() else None
