"""The generated code of all fields, compiled once."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module

import pytest

from apigen.diagnostics import Report
from apigen.inputs.source import Setting
from apigen.ir.surface import Struct, TypeDef
from apigen.review.effects.member import Member, member_of
from apigen.review.sources.loading import load
from tests.generating import generate_package
from tests.review.effects.fields import GROUP, VERSION, fields, write_specs
from tests.review.effects.running import Kinds


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Kinds, dict[str, Member]]]:
    """The generated code of all fields, and each field as the review sees it, by the name of its kind."""
    folder = tmp_path_factory.mktemp("fields")
    specs = write_specs(folder / "specs")
    name = generate_package(specs, folder)
    report = Report()
    surface = load(str(specs), Setting(folder), report)
    assert surface is not None
    types: dict[str, TypeDef] = dict(surface.groups[GROUP].versions[VERSION].types)
    structs = {kind: types[kind] for kind, _, _ in fields()}
    members = {kind: member_of(surface, s.fields["value"]) for kind, s in structs.items() if isinstance(s, Struct)}
    sys.path.insert(0, str(folder))
    yield Kinds(import_module(f"{name}.scheme"), import_module(f"{name}.runtime")), members
    sys.path.remove(str(folder))
