"""Servers of specs in shorthand, as trials have them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from apigen.diagnostics import Report
from apigen.inputs.source import Setting
from apigen.review.counterexamples.compiled_sides import GroupSide, SideCompiler
from apigen.review.counterexamples.running import Server
from apigen.review.sources.loading import load
from tests.review.cases import GROUP, write_specs


def server_of(said: dict[str, Any], folder: Path, monkeypatch: pytest.MonkeyPatch) -> Server:
    """The server of a kind `Thing` in a version v1; `folder` is its own, and becomes a place to import from."""
    surface = load(str(write_specs(said, folder / "specs")), Setting(folder), Report())
    assert surface is not None
    package = f"served_{abs(hash(folder))}"
    SideCompiler().build(GroupSide(surface, surface.groups[GROUP]), ["Thing"], folder, package)
    monkeypatch.syspath_prepend(str(folder))
    return Server.of(package, said.get("release"))
