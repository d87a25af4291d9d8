"""Each case of `cases/`: specs, and what is in the manifest of a kind, or what is reported before there is one."""

from __future__ import annotations

from pathlib import Path

import pytest

from apigen.codegen.crd.backend import manifest, resources
from apigen.codegen.crd.checks import check
from apigen.codegen.crd.schemas import StructuralSchemas
from apigen.codegen.json_schema.backend import Schema
from apigen.codegen.pipeline import Sources
from apigen.codegen.pipeline import check as check_specs
from apigen.diagnostics import Report, Severity
from apigen.language.configuration import CrdSettings
from apigen.language.json_values import JsonValue
from apigen.language.releases import parse_release
from tests.yaml_files import read_yaml

CASES = sorted((Path(__file__).parent / "cases").glob("*.yaml"))


class WrongSpecError(Exception):
    """The specs of a case have errors; `codes` are those, and `diagnostics` all that is reported."""

    def __init__(self, report: Report) -> None:
        super().__init__([f"{each.code} {each.place}: {each.message}" for each in report.diagnostics])
        self.diagnostics = report.diagnostics
        self.codes = {each.code for each in report.diagnostics if each.severity is Severity.ERROR}


def made(case: dict[str, object], folder: Path) -> tuple[list[Schema], Report]:
    """The manifests of a case, and what is reported of them. Raises WrongSpecError."""
    files = case["specs"]
    assert isinstance(files, dict)
    for path, text in files.items():
        file = folder / "api-specs" / str(path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(str(text), encoding="utf-8")
    settings = case.get("settings", {})
    assert isinstance(settings, dict)
    release = parse_release(str(case["release"])) if "release" in case else None
    report = Report()
    sources = Sources(
        folder / "api-specs", display_root=folder / "api-specs", release=release, crd=CrdSettings(**settings)
    )
    backend_input = check_specs(sources, report).backend_input
    if backend_input is None:
        raise WrongSpecError(report)
    problems = Report()
    check(backend_input, problems)
    schemas = StructuralSchemas(backend_input)
    return [manifest(resource, schemas, backend_input) for resource in resources(backend_input)], problems


def missing(expected: JsonValue, found: JsonValue, path: str = "") -> list[str]:
    """Yield the parts of an expected tree that are missing: a mapping may have more members, and `absent` forbids one."""
    if isinstance(expected, dict) and isinstance(found, dict):
        wrong = []
        for name, each in expected.items():
            if each == "absent":
                wrong += [f"{path}.{name} is there"] if name in found else []
            elif name not in found:
                wrong.append(f"{path}.{name} is missing")
            else:
                wrong += missing(each, found[name], f"{path}.{name}")
        return wrong
    if isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        pairs = enumerate(zip(expected, found, strict=True))
        return [wrong for index, (one, other) in pairs for wrong in missing(one, other, f"{path}[{index}]")]
    return [] if expected == found else [f"{path} is {found!r}, not {expected!r}"]


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case(path: Path, tmp_path: Path) -> None:
    case = read_yaml(path.read_text(encoding="utf-8"))
    manifests, problems = made(case, tmp_path)
    expected = case.get("manifests", [])
    assert len(expected) in (0, len(manifests))
    for one, other in zip(expected, manifests, strict=False):
        assert missing(one, other) == []
    found = [f"{each.code} {each.place}: {each.message}" for each in problems.diagnostics]
    assert found == case.get("problems", [])


def test_cases_exist() -> None:
    assert len(CASES) > 10
