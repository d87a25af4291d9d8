"""The example of the docs, compiled alone: Frobbers as documents of a version and as objects of the hub."""

from __future__ import annotations

import importlib
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apigen.codegen.pipeline import Sources, check
from apigen.diagnostics import Report
from tests.generating import generate_package

SPECS = Path(__file__).resolve().parents[2] / "api-specs"
GROUP = "things.example.com"

V6 = f"{GROUP}/v6"
V7 = f"{GROUP}/v7alpha1"

Document = dict[str, Any]


@dataclass(frozen=True)
class Frobbers:
    """The generated package."""

    name: str

    def module(self, path: str) -> Any:
        return importlib.import_module(f"{self.name}.{path}")

    @property
    def scheme(self) -> Any:
        return self.module("scheme")

    def hub(self, document: Document, version: str = V6) -> Any:
        """The hub object of a document, defaulted."""
        return self.scheme.convert(self.read(document, version), "hub")

    def read(self, document: Document, version: str = V6) -> Any:
        text = str_json({"apiVersion": version, "kind": "Frobber", **document})
        return self.scheme.decode(text, unknown="error")

    def shown(self, obj: Any, version: str = V6) -> Document:
        """A hub object, or one of any version, as a document of a version, without its header."""
        document = json_of(self.scheme.encode(self.scheme.convert(obj, version)))
        assert (document.pop("apiVersion"), document.pop("kind")) == (version, "Frobber")
        return document

    def features(self, release: str, settings: str = "") -> Any:
        features = self.scheme.features(release=release)
        features.set_text(settings)
        return features


def str_json(value: object) -> str:
    import json

    return json.dumps(value)


def json_of(data: bytes) -> Document:
    import json

    document: Document = json.loads(data)
    return document


def compiled(folder: Path) -> Frobbers:
    """Compile the example into a package below `folder`, which must be on the path."""
    return Frobbers(generate_package(specs_in(folder / "specs"), folder))


def specs_in(folder: Path) -> Path:
    """A copy of the example's specs, to be changed."""
    shutil.copytree(SPECS / GROUP, folder / GROUP)
    shutil.copy(SPECS / "features.yaml", folder)
    for lock in folder.rglob("*.lock.yaml"):
        lock.unlink()
    return folder


def diagnostics(specs: Path) -> list[str]:
    """The errors of a folder of specs, each as `code file:line: message`."""
    report = Report()
    check(Sources(specs, None, specs), report)
    return [
        f"{d.code} {d.place.file}:{d.place.line}: {d.message}" for d in report.diagnostics if d.severity.name == "ERROR"
    ]
