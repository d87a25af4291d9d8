"""Packages with strategies and validation, generated from specs that a test writes inline."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent, indent
from types import ModuleType
from typing import Any

import pytest

from tests.codegen.generated_packages import formatted_text
from tests.generating import generate_package

GROUP = "things.example.com"


@dataclass(frozen=True)
class Gated:
    """A generated package, seen through the hub of one group."""

    name: str
    folder: Path
    group: str = GROUP

    def module(self, path: str) -> ModuleType:
        return importlib.import_module(f"{self.name}.{path}")

    def hub(self, module: str) -> Any:
        """A module of the group's hub: `types`, `strategies` or `validation`."""
        return self.module(f"{self.group.replace('.', '_')}.hub.{module}")

    @property
    def types(self) -> Any:
        return self.hub("types")

    def features(self, release: str = "1.13", text: str = "") -> Any:
        """The gates of a release, with some of them set."""
        features = self.module("scheme").features(release=release)
        features.set_text(text)
        return features

    def strategy(self, kind: str, subresource: str = "") -> Any:
        return self.module("scheme").strategy(kind, subresource)

    def text(self, path: str) -> str:
        return formatted_text(self.folder / self.name / f"{path}.py")


def build(files: Mapping[str, str], folder: Path, monkeypatch: pytest.MonkeyPatch, group: str = GROUP) -> Gated:
    """Compile specs by path into a package that can be imported."""
    for path, text in files.items():
        file = folder / "specs" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(dedent(text), encoding="utf-8")
    hand_written = folder / "hand"
    monkeypatch.syspath_prepend(folder)
    name = generate_package(folder / "specs", folder, hand_written if hand_written.is_dir() else None)
    return Gated(name, folder, group)


def specs(types: str, gates: str = "", kinds: str = "", hub: str = "", strategy: str = "") -> dict[str, str]:
    """A group with one kind, `Frobber` with a status (or `kinds` instead), in one version that its hub follows."""
    kind = f"Frobber: {{scope: Namespaced, plural: frobbers, subresources: {{status: {{}}}}, strategy: {strategy or '{}'}}}"
    header = f'group: {GROUP}\nversions:\n  v1: {{introduced: "1.8", storage: true}}\nhub: v1\nkinds:\n'
    files = {
        f"{GROUP}/group.yaml": header + indent(dedent(kinds).strip("\n") or kind, "  ") + "\n",
        f"{GROUP}/v1.yaml": "types:\n" + indent(dedent(types).strip("\n"), "  ") + "\n",
        "features.yaml": dedent(gates) or GATES,
    }
    if hub:
        files[f"{GROUP}/hub.yaml"] = "types:\n" + indent(dedent(hub).strip("\n"), "  ") + "\n"
    return files


GATES = dedent("""\
    GateA: {owner: sig-frob, stages: [{release: "1.11", stage: alpha}, {release: "1.13", stage: beta, default: true}]}
    GateB: {owner: sig-frob, stages: [{release: "1.11", stage: alpha}, {release: "1.13", stage: beta, default: true}]}
    GateC: {owner: sig-frob, stages: [{release: "1.12", stage: alpha}]}
    """)
"""Gates on and off at 1.13."""
