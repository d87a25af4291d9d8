"""Every lens on random types: a folder per lens with specs and `cases.yaml`, both directions, run as generated code.

A case is one of

    both: {v1: {…}, v1beta1: {…}}            each converts to the other
    from: {v1beta1: {…}}, to: {v1: {…}}      one way
    from: {v1beta1: {…}}, error: text        rejected, with this text, on the way to the hub or to `via`
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

from tests.generating import generate_package
from tests.yaml_files import read_yaml

CASES = Path(__file__).parent / "cases"
PATHS = Path(__file__).parent / "paths"
"""Cases about the paths of errors only; the proof has nothing to add."""
GROUP = "lens.example.com"


def folders() -> list[Path]:
    return sorted(path for path in CASES.iterdir() if path.is_dir())


@pytest.mark.parametrize("folder", [*folders(), PATHS], ids=lambda path: path.name)
def test_lens(folder: Path, tmp_path: Path) -> None:
    scheme = load_scheme(folder, tmp_path)
    cases = read_yaml((folder / "cases.yaml").read_text())
    assert len(cases) >= 4, "a lens has cases for both directions, absent and empty input"
    for number, case in enumerate(cases):
        for source, given, target, wanted in directions(case):
            where = f"{folder.name} case {number}: {source} {given}"
            try:
                found: object = convert(scheme, source, given, target)
            except scheme.errors.ConversionError as error:
                found = f"error: {error}"
            assert found == wanted, where


def directions(case: dict[str, Any]) -> Iterator[tuple[str, Any, str, Any]]:
    """What a case says: version, object, version wanted, object wanted or the text of the error."""
    if "both" in case:
        (a, first), (b, second) = case["both"].items()
        yield a, first, b, second
        yield b, second, a, first
    elif "error" in case:
        ((source, given),) = case["from"].items()
        yield source, given, case.get("via", "v1"), f"error: {case['error']}"
    else:
        ((source, given),) = case["from"].items()
        ((target, wanted),) = case["to"].items()
        yield source, given, target, wanted


def convert(scheme: ModuleType, source: str, given: Any, target: str) -> Any:
    obj = scheme.decode(document(source, given), "application/yaml", default=False, unknown="error")
    before = scheme.copy(obj)
    new = scheme.convert(obj, f"{GROUP}/{target}")
    assert obj == before, "the input of a conversion does not change"
    shared = scheme.convert(obj, f"{GROUP}/{target}", share=True)
    assert obj == before and shared == new, "sharing changes nothing but identity"
    found = read_yaml(scheme.encode(new, "application/yaml"))
    assert (found.pop("apiVersion"), found.pop("kind")) == (f"{GROUP}/{target}", "Thing")
    if found.get("metadata") == {}:
        del found["metadata"]
    return found


def document(version: str, given: Any) -> str:
    return yaml.safe_dump({"apiVersion": f"{GROUP}/{version}", "kind": "Thing", **(given or {})})


def load_scheme(folder: Path, tmp_path: Path) -> Any:
    package = generate_package(folder / "specs", tmp_path)
    sys.path.insert(0, str(tmp_path))
    try:
        scheme = importlib.import_module(f"{package}.scheme")
        scheme.errors = importlib.import_module(f"{package}.runtime.errors")
    finally:
        sys.path.remove(str(tmp_path))
    return scheme
