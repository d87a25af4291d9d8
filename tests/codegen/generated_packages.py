"""Packages generated from specs that a test writes inline, so that it can import them."""

from __future__ import annotations

import importlib
import itertools
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent, indent
from types import ModuleType

import apigen
from apigen.codegen import copying, packages
from apigen.codegen.backend_input import BackendInput
from apigen.codegen.formatting import format_files, formatter_of
from apigen.codegen.json_codec import backend as json_codec
from apigen.codegen.output import OutputFile
from apigen.codegen.types import backend as types
from apigen.diagnostics import Report
from apigen.hub.steps import HubModel
from apigen.ir.model import TypeDef, TypeId
from apigen.ir.resolve import resolve
from apigen.language.load import load_api

Backend = Callable[[BackendInput], Iterator[OutputFile]]
BACKENDS: tuple[Backend, ...] = (types.plan, json_codec.plan, copying.plan)
_names = (f"generated_{number}" for number in itertools.count())


def formatted_text(path: Path) -> str:
    """The text of a generated module, formatted."""
    (file,) = format_files([OutputFile(path.name, path.read_bytes())], formatter_of("ruff")).files
    return file.content.decode()


@dataclass(frozen=True)
class Package:
    """A generated package that can be imported."""

    name: str
    folder: Path

    def module(self, path: str) -> ModuleType:
        """Import a module by its path, e.g. `things_example_com/v1/types`."""
        return importlib.import_module(f"{self.name}.{path.replace('/', '.')}")

    def text(self, path: str) -> str:
        """What was generated for a module, formatted."""
        return formatted_text(self.folder / f"{path}.py")


def compiled(files: Mapping[str, str], folder: Path) -> BackendInput:
    """Resolve specs by path. Fails with their errors, if they have any."""
    for path, text in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(dedent(text), encoding="utf-8")
    report = Report()
    api = resolve(load_api(folder, report, display_root=folder), report)
    assert not report.has_errors, [diagnostic.message for diagnostic in report.diagnostics]
    return BackendInput(api, HubModel(), api.types)


def one_version(types: str, kinds: str = "", group: str = "things.example.com", version: str = "v1") -> dict[str, str]:
    """The files of a group with one version: its types, and its kinds as in group.yaml."""
    header = f'group: {group}\nversions:\n  {version}: {{introduced: "1.8"}}\n'
    if kinds:
        header += "kinds:\n" + indent(dedent(kinds).strip("\n"), "  ") + "\n"
    body = "types:\n" + indent(dedent(types).strip("\n"), "  ") + "\n"
    return {f"{group}/group.yaml": header, f"{group}/{version}.yaml": body}


def with_hub(backend_input: BackendInput, *hub_types: TypeDef) -> BackendInput:
    """A compilation with hub types that the test defines itself."""
    hub = {type_.id: type_ for type_ in hub_types}
    merged: dict[TypeId, TypeDef] = {**backend_input.types, **hub}
    return BackendInput(backend_input.api, HubModel(types=hub), merged)


def generate_package(backend_input: BackendInput, folder: Path, backends: tuple[Backend, ...] = BACKENDS) -> Package:
    """Write what backends make, and the run-time library, to a new package in `folder`."""
    name = next(_names)
    shutil.copytree(Path(apigen.__file__).parent / "runtime", folder / name / "runtime")
    outputs = [output for backend in backends for output in backend(backend_input)]
    for output in (*outputs, *packages.plan(backend_input, [output.path for output in outputs])):
        file = folder / name / output.path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(output.content)
    return Package(name, folder / name)
