"""Each pattern of strategies as a case: specs, what the generated strategies make of objects, and the generated code.

A folder of `cases/` has `specs/`, `runs.yaml` and `strategies.py`, which is what is generated from the specs (with
APIGEN_UPDATE set, it is written). A run names its operation, with the new object; `old`, for updates; `gates` that are
set; the object that it `becomes`; and what is `dropped`, from paths to the gates that the warnings name.
"""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.codegen.generated_packages import formatted_text
from tests.generating import generate_package
from tests.yaml_files import read_yaml

CASES = Path(__file__).with_name("cases")
NAMES = sorted(folder.name for folder in CASES.iterdir())
VERSION = {"Frobber": "things.example.com/v1", "Part": "parts.example.com/v1"}
RELEASE = "1.12"
_NO_OPERATION = frozenset({"kind", "old", "gates", "becomes", "dropped"})


@dataclass(frozen=True)
class Made:
    """What a case was compiled to."""

    package: str
    folder: Path

    @property
    def scheme(self) -> Any:
        return importlib.import_module(f"{self.package}.scheme")

    def hub(self, kind: str, document: Any) -> Any:
        whole = {"apiVersion": VERSION[kind], "kind": kind, **document}
        return self.scheme.convert(self.scheme.decode(json.dumps(whole), "application/json", default=False), "hub")

    def document(self, kind: str, obj: Any) -> dict[str, Any]:
        """The JSON of a hub object in its version, without what is always there."""
        written = json.loads(self.scheme.encode(self.scheme.convert(obj, VERSION[kind]), "application/json"))
        assert (written.pop("apiVersion"), written.pop("kind")) == (VERSION[kind], kind)
        return _without_blanks(written)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Made]:
    """Cases that were compiled already."""
    return {}


def compiled(name: str, made: dict[str, Made], tmp: Path, monkeypatch: pytest.MonkeyPatch) -> Made:
    if name not in made:
        made[name] = Made(generate_package(CASES / name / "specs", tmp), tmp)
    monkeypatch.syspath_prepend(made[name].folder)
    return made[name]


def runs() -> Iterator[Any]:
    for name in NAMES:
        for number, run in enumerate(read_yaml((CASES / name / "runs.yaml").read_text(encoding="utf-8"))):
            yield pytest.param(name, run, id=f"{name}-{number}")


@pytest.mark.parametrize(("name", "run"), list(runs()))
def test_run(
    name: str,
    run: dict[str, Any],
    made: dict[str, Made],
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Runs twice: a prepared object is not changed the second time, except for counters."""
    case = compiled(name, made, tmp_path_factory.getbasetemp() / name, monkeypatch)
    kind = run.get("kind", "Frobber")
    (operation,) = run.keys() - _NO_OPERATION
    features = case.scheme.features(release=RELEASE)
    features.set_map(run.get("gates", {}))
    strategy = case.scheme.strategy(kind, "" if operation in ("create", "update") else operation)
    obj = case.hub(kind, run[operation])
    if operation == "create":
        dropped = strategy.prepare_for_create(obj, features=features)
        again = strategy.prepare_for_create(case.scheme.copy(obj), features=features)
    else:
        old = case.hub(kind, run["old"])
        before = case.scheme.copy(old)
        dropped = strategy.prepare_for_update(obj, old, features=features)
        again = strategy.prepare_for_update(case.scheme.copy(obj), old, features=features)
        assert old == before
    assert case.document(kind, obj) == _without_blanks(run["becomes"])
    assert [(each.path, each.gate) for each in dropped] == list(run.get("dropped", {}).items())
    assert all(str(each).startswith(f"{each.path}: dropped because ") for each in dropped)
    assert again == []


@pytest.mark.parametrize("name", NAMES)
def test_generated_code(
    name: str, made: dict[str, Made], tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = compiled(name, made, tmp_path_factory.getbasetemp() / name, monkeypatch)
    text = formatted_text(case.folder / case.package / "things_example_com/hub/strategies.py")
    expected = CASES / name / "strategies.py"
    if os.environ.get("APIGEN_UPDATE"):
        expected.write_text(text, encoding="utf-8")
    assert text == expected.read_text(encoding="utf-8")


def test_runs_cover_every_operation() -> None:
    found = {word for name in NAMES for run in read_yaml((CASES / name / "runs.yaml").read_text()) for word in run}
    assert found - _NO_OPERATION == {"create", "update", "status", "resize"}


def _without_blanks(document: Any) -> Any:
    """A document less the structs that are always written, where they are empty."""
    if isinstance(document, dict):
        found = {key: _without_blanks(value) for key, value in document.items()}
        return {key: value for key, value in found.items() if key not in ("metadata", "spec", "status") or value}
    return document
