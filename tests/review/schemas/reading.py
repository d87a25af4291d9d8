"""Reads a text as a source would read a file of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent, indent
from typing import Any

import yaml

from apigen.diagnostics import Diagnostic, Report
from apigen.inputs.crd.source import CrdSource
from apigen.inputs.json_schema.source import JsonSchemaSource
from apigen.inputs.source import Setting
from apigen.ir.surface import Field, Slot, Struct, Surface, TypeDef
from apigen.review.changes.comparing import compare
from apigen.review.changes.words import change_words
from tests.yaml_files import read_yaml

HEAD = """
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Thing, plural: things}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
"""


@dataclass(frozen=True)
class Read:
    """What came of reading."""

    surface: Surface | None
    diagnostics: tuple[Diagnostic, ...]

    @property
    def codes(self) -> list[str]:
        return [each.code for each in self.diagnostics]

    @property
    def types(self) -> dict[str, TypeDef]:
        assert self.surface is not None, self.diagnostics
        return {
            name: type_
            for group in self.surface.groups.values()
            for version in group.versions.values()
            for name, type_ in version.types.items()
        }

    def struct(self, name: str) -> Struct:
        found = self.types[name]
        assert isinstance(found, Struct)
        return found

    def field(self, type_: str, name: str) -> Field:
        return self.struct(type_).fields[name]

    def slot(self, type_: str, name: str) -> Slot:
        return self.field(type_, name).slot

    @property
    def unread(self) -> list[str]:
        assert self.surface is not None
        return [each.message for each in self.surface.unread]


def crd(folder: Path, text: str, name: str = "crd.yaml") -> Read:
    """A file of definitions."""
    (folder / name).write_text(dedent(text), encoding="utf-8")
    report = Report()
    return Read(CrdSource().load(name, Setting(folder), report), report.diagnostics)


def spec(folder: Path, schema: str, name: str = "crd.yaml") -> Read:
    """A definition of Thing, whose `spec` has this schema."""
    return crd(folder, HEAD + indent(dedent(schema), " " * 12), name)


def whole_definition(schema: dict[str, Any]) -> str:
    """The text of a definition of Thing, whose `spec` has this schema."""
    definition = read_yaml(HEAD)
    root = definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    root["properties"]["spec"] = schema
    return yaml.safe_dump(definition, sort_keys=False)


def schema(folder: Path, text: str, name: str = "schema.yaml") -> Read:
    """A document of JSON Schema."""
    (folder / name).write_text(dedent(text), encoding="utf-8")
    report = Report()
    return Read(JsonSchemaSource().load(name, Setting(folder), report), report.diagnostics)


def changes(old: Read, new: Read) -> list[str]:
    """What differs, in words."""
    assert old.surface is not None and new.surface is not None, (old.diagnostics, new.diagnostics)
    return [change_words(each) for each in compare(old.surface, new.surface)]
