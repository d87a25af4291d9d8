"""Each folder of `cases/` holds `go/`, the specs that are there before (`specs/`), those expected after (`expected/`),
and the exact text of what is reported (`expected.txt`); `options.json` has the arguments.

`APIGEN_UPDATE=1` writes what comes out now.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

from apigen.diagnostics import Report, Severity
from apigen.diagnostics.codes import code_infos
from apigen.ir.resolve import resolve
from apigen.language.load import BuiltinApis, builtin_apis_folder, load_api, with_builtin_apis
from tests.inputs.go_specs.running import SPECS, copied, files_of, run_import

CASES = Path(__file__).parent / "cases"
NAMES = sorted(folder.name for folder in CASES.iterdir() if folder.is_dir())
EXPECTED, TEXT = "expected", "expected.txt"
MADE_OTHERWISE = {"AG1237"}
"""Codes of which no case can lie in a repository: they have tests of their own."""
NEED_MORE = {"features", "features-merged", "types-of-another-module"}
"""Cases with warnings that say what else must be imported: stages of gates, another group."""


@pytest.mark.parametrize("name", NAMES)
def test_case(name: str, tmp_path: Path) -> None:
    case = CASES / name
    folder = copied(case, tmp_path)
    ran = run_import(folder)
    if os.environ.get("APIGEN_UPDATE"):
        (case / TEXT).write_text(ran.text, encoding="utf-8")
        shutil.rmtree(case / EXPECTED, ignore_errors=True)
        for path, data in ran.files.items():
            (case / EXPECTED / path).parent.mkdir(parents=True, exist_ok=True)
            (case / EXPECTED / path).write_bytes(data)
    assert ran.text == (case / TEXT).read_text(encoding="utf-8")
    assert ran.files == files_of(case / EXPECTED)
    if ran.report.has_errors:
        assert ran.files == files_of(case / SPECS), "with an error, nothing is written"


@pytest.mark.parametrize("name", NAMES)
def test_a_second_import_changes_nothing(name: str, tmp_path: Path) -> None:
    folder = copied(CASES / name, tmp_path)
    first = run_import(folder)
    second = run_import(folder)
    assert second.files == first.files


def test_removing_an_edited_entry_restores_the_import(tmp_path: Path) -> None:
    folder = copied(CASES / "edits-since-the-last-import", tmp_path)
    run_import(folder)
    path = folder / SPECS / "things.example.com" / "v1.yaml"
    edited = path.read_text(encoding="utf-8")
    path.write_text(re.sub(r".*depth: .*\n", "", edited), encoding="utf-8")
    ran = run_import(folder)
    assert "depth" not in ran.text
    assert path.read_text(encoding="utf-8") == edited.replace("depth: {type: string,", "depth: {type: int64,")


@pytest.mark.parametrize("name", NAMES)
def test_imported_specs_can_be_loaded(name: str) -> None:
    expected = CASES / name / EXPECTED
    errors = "error AG" in (CASES / name / TEXT).read_text(encoding="utf-8")
    if errors or not expected.is_dir():
        return
    report = Report()
    load_api(expected, report)
    assert report.diagnostics == ()


@pytest.mark.parametrize("name", NAMES)
def test_generate_accepts_imported_specs(name: str) -> None:
    expected = CASES / name / EXPECTED
    errors = "error AG" in (CASES / name / TEXT).read_text(encoding="utf-8")
    if errors or not expected.is_dir() or name in NEED_MORE:
        return
    report = Report()
    resolve(with_builtin_apis(load_api(expected, report), BuiltinApis(report, builtin_apis_folder())), report)
    assert [one for one in report.diagnostics if one.severity is Severity.ERROR] == []


def test_every_code_of_importing_specs_has_a_case() -> None:
    texts = "".join(path.read_text(encoding="utf-8") for path in CASES.glob(f"*/{TEXT}"))
    reported = set(re.findall(r"(?:error|warning) (AG12[23]\d):", texts))
    assert reported == {code for code in code_infos() if code[:5] in ("AG122", "AG123")} - MADE_OTHERWISE
