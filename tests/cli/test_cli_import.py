"""`apigen import`."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.running import apigen

CASES = Path(__file__).resolve().parents[1] / "inputs" / "go_specs" / "cases"


@pytest.fixture
def case(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    folder = tmp_path / "case"
    shutil.copytree(CASES / request.param, folder)
    return folder


def files(folder: Path) -> dict[str, bytes]:
    """The files below a folder, without the records of imports, which cases do not spell out."""
    found = (path for path in folder.rglob("*") if path.is_file() and ".imported" not in path.parts)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


@pytest.mark.slow
@pytest.mark.parametrize("case", ["presence"], indirect=True)
def test_import_writes_and_lists_specs(case: Path) -> None:
    ran = apigen(case, "import", "go", "go", "--specs", "specs", "--list", "left-out.json")
    assert ran.code == 0
    assert ran.out.endswith(
        "wrote specs/things.example.com/group.yaml\nwrote specs/things.example.com/v1.yaml\n2 of 2 files changed\n"
    )
    assert files(case / "specs") == files(case / "expected")
    left_out = json.loads((case / "left-out.json").read_text(encoding="utf-8"))
    assert {
        "what": "field",
        "where": "things.example.com/v1.FrobberSpec.Hidden",
        "name": "",
        "reason": "JSON omits it",
    } in [{key: entry[key] for key in ("what", "where", "name", "reason")} for entry in left_out]
    again = apigen(case, "import", "go", "go", "--specs", "specs")
    assert again.out.endswith("0 of 2 files changed\n")


@pytest.mark.slow
@pytest.mark.parametrize("case", ["merging"], indirect=True)
def test_dry_run_prints_diff_and_writes_nothing(case: Path) -> None:
    before = files(case)
    ran = apigen(case, "import", "go", "go", "--specs", "specs", "--dry-run")
    assert ran.code == 0
    assert "--- a/specs/things.example.com/v1.yaml\n+++ b/specs/things.example.com/v1.yaml\n" in ran.out
    assert "+      new: {type: string, optional: true, protobuf: 9}\n" in ran.out
    assert "warning AG1230" in ran.err
    assert files(case) == before


@pytest.mark.parametrize("case", ["not-imported-new-and-unused"], indirect=True)
def test_new_omitted_elements_fail_the_import(case: Path) -> None:
    before = files(case)
    ran = apigen(case, "import", "go", "go", "--specs", "specs", "--format", "json")
    assert ran.code == 1
    assert {"AG1220", "AG1226", "AG1236"} == {found["code"] for found in json.loads(ran.out)["diagnostics"]}
    assert files(case) == before


@pytest.mark.slow
@pytest.mark.parametrize("case", ["types-of-another-module"], indirect=True)
def test_referenced_module(case: Path) -> None:
    ran = apigen(case, "import", "go", "go", "--specs", "specs", "--module", "example.org/other=reference")
    assert ran.code == 0
    assert files(case / "specs") == files(case / "expected")


@pytest.mark.parametrize("case", ["features"], indirect=True)
def test_features(case: Path) -> None:
    ran = apigen(case, "import", "go", "go", "--specs", "specs", "--features", "features", "--features", "other")
    assert ran.code == 0
    assert files(case / "specs") == files(case / "expected")


@pytest.mark.parametrize("case", ["merging-broken-yaml"], indirect=True)
def test_broken_yaml_prevents_import(case: Path) -> None:
    before = files(case)
    ran = apigen(case, "import", "go", "go", "--specs", "specs")
    assert ran.code == 1
    assert files(case) == before


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--module", "there"], "write it like k8s.io/api=../k8s-api"),
        (["--release", "newest"], "a release is written like v0.36.6 or 1.36"),
    ],
)
def test_wrong_usage(tmp_path: Path, words: list[str], message: str) -> None:
    ran = apigen(tmp_path, "import", "go", ".", *words)
    assert ran.code == 2
    assert message in ran.err


def test_missing_folder_is_rejected(tmp_path: Path) -> None:
    ran = apigen(tmp_path, "import", "go", "nowhere", "--specs", "specs")
    assert ran.code == 3
    assert "nowhere: error AG0101" in ran.out
    assert not (tmp_path / "specs").exists()


@pytest.mark.slow
@pytest.mark.parametrize("case", ["presence"], indirect=True)
@pytest.mark.parametrize(
    ("specs", "message"),
    [
        ("go/v1/types.go", "go/v1/types.go: error AG1237: cannot write "),
        ("loop", "loop: error AG1237: cannot write "),
        ("dangling", "dangling: error AG1237: cannot write "),
        ("with-a-link", "with-a-link/not-imported.yaml: error AG0106: a loop of symbolic links"),
    ],
)
def test_invalid_spec_folder_is_rejected(case: Path, specs: str, message: str) -> None:
    (case / "loop").symlink_to("loop")
    (case / "dangling").symlink_to("nowhere")
    (case / "with-a-link").mkdir()
    (case / "with-a-link" / "not-imported.yaml").symlink_to("not-imported.yaml")
    before = files(case)
    ran = apigen(case, "import", "go", "go", "--specs", specs)
    assert ran.code in (1, 3)
    assert message in ran.out
    assert files(case) == before


@pytest.mark.slow
@pytest.mark.parametrize("case", ["presence"], indirect=True)
def test_a_spec_folder_behind_a_link(case: Path) -> None:
    (case / "real").mkdir()
    (case / "link").symlink_to("real")
    assert apigen(case, "import", "go", "go", "--specs", "link/specs").code == 0
    assert (case / "link").is_symlink()
    assert files(case / "real" / "specs") == files(case / "expected")
