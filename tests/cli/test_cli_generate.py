"""`init`, `generate` and `verify`, from nothing to a package that runs."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import apigen, environment, new_project, tree


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    project = new_project(tmp_path_factory.mktemp("generate"))
    ran = apigen(project, "generate")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.endswith(" created\n")
    return project


@pytest.fixture
def project(generated: Path, tmp_path: Path) -> Path:
    subprocess.run(["cp", "-r", str(generated), str(tmp_path / "project")], check=True)
    return tmp_path / "project"


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_new_project_works(project: Path) -> None:
    assert apigen(project, "lint").out.startswith("no findings in ")
    done = subprocess.run(
        [sys.executable, "try.py"], cwd=project, env=environment(), capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (
        "# example.com/v1beta1 Widget is deprecated in v1.1+, unavailable in v1.4+; use example.com/v1 Widget\n"
        "apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: first\n"
        "spec:\n  color: Blue\n  paused: true\n  replicas: 3\nstatus: {}\n"
    )


@pytest.mark.slow
def test_makefile_of_new_project_works(project: Path) -> None:
    run = f"APIGEN={sys.executable} -m apigen"
    for target in ("generate", "verify", "lint", "test"):
        done = subprocess.run(
            ["make", target, run, f"PYTHON={sys.executable}"],
            cwd=project,
            env=environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("group", "kind", "plural"), [("a-b.c1.example", "Policy", "policies"), ("x.y", "Box", "boxes")]
)
def test_init_with_other_names(tmp_path: Path, group: str, kind: str, plural: str) -> None:
    assert apigen(tmp_path, "init", "--group", group, "--kind", kind).code == 0
    assert f"plural: {plural}\n" in (tmp_path / "api-specs" / group / "group.yaml").read_text()
    assert apigen(tmp_path, "generate").code == 0
    done = subprocess.run([sys.executable, "try.py"], cwd=tmp_path, env=environment(), check=False, capture_output=True)
    assert done.returncode == 0, done.stderr


def test_init_rejects_a_folder_that_is_not_empty(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    ran = apigen(tmp_path, "init")
    assert ran.code == 2
    assert ran.err.startswith(".: error AG0930: the folder is not empty: it contains `notes.txt`\n")
    assert tree(tmp_path) == {"notes.txt": b"mine"}
    assert apigen(tmp_path, "init", "notes.txt").err.startswith("notes.txt: error AG0930: a file, not a folder\n")


def test_init_in_a_fresh_repository(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "README.md").write_text("mine")
    (tmp_path / "LICENSE").write_text("mine")
    assert apigen(tmp_path, "init").code == 0
    assert (tmp_path / "README.md").read_text() == "mine"


@pytest.mark.slow
def test_a_second_run_changes_nothing(project: Path) -> None:
    before = tree(project)
    ran = apigen(project, "generate")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.endswith(" unchanged\n")
    assert len(ran.out.splitlines()) == 1
    assert tree(project) == before
    verified = apigen(project, "verify")
    assert (verified.code, verified.err) == (0, "")
    assert re.fullmatch(r"\d+ files checked: all are up to date\n", verified.out)
    assert apigen(project, "verify", "--quiet").out == ""


def test_changed_files_are_reported(project: Path) -> None:
    edit(project / "api-specs/example.com/v1.yaml", "The desired number of replicas.", "How many are wanted.")
    ran = apigen(project, "generate")
    assert "changed  generated/example_com/v1/types.py\n" in ran.out
    assert " changed, " in ran.out.splitlines()[-1]


@pytest.mark.parametrize("words", [["verify"], ["generate", "--check"]], ids=" ".join)
def test_drift_is_shown_as_a_difference(project: Path, words: list[str]) -> None:
    edit(project / "generated/example_com/v1/types.py", "The desired number of replicas.", "Edited by hand.")
    before = tree(project)
    ran = apigen(project, *words)
    assert ran.code == 1
    assert ran.out.startswith("--- a/generated/example_com/v1/types.py\n+++ b/generated/example_com/v1/types.py\n@@ ")
    assert '\n-    """Edited by hand."""\n+    """The desired number of replicas."""\n' in ran.out
    assert ran.err == "1 file is outdated: run `apigen generate` and commit the changes\n"
    assert tree(project) == before


def test_missing_and_extra_files_are_drift(project: Path) -> None:
    (project / "generated/example_com/v1/types.py").unlink()
    (project / "generated/scheme.pyi").write_text("")
    (project / "api-specs/example.com/v1.lock.yaml").unlink()
    ran = apigen(project, "verify", "--format", "json")
    assert ran.code == 1
    files = [found["file"] for found in json.loads(ran.out)["diagnostics"]]
    assert files == [
        "api-specs/example.com/v1.lock.yaml",
        "generated/example_com/v1/types.py",
        "generated/scheme.pyi",
    ]
    assert {found["code"] for found in json.loads(ran.out)["diagnostics"]} == {"AG0910"}


@pytest.mark.slow
def test_files_no_longer_generated_are_removed(project: Path) -> None:
    (project / "api-specs/example.com/v1beta1.yaml").unlink()
    (project / "api-specs/example.com/v1beta1.lock.yaml").unlink()
    group = project / "api-specs/example.com/group.yaml"
    group.write_text("".join(line for line in group.read_text().splitlines(True) if "v1beta1" not in line))
    assert "generated/example_com/v1beta1/types.py" not in apigen(project, "verify").err
    ran = apigen(project, "generate")
    assert ran.code == 0, ran.err
    assert "removed  generated/example_com/v1beta1/" in ran.out
    assert not (project / "generated/example_com/v1beta1").exists()


def test_hand_written_files_are_preserved(project: Path) -> None:
    mine = project / "generated/example_com/mine.py"
    mine.write_text("# mine\n")
    assert apigen(project, "generate").code == 0
    assert mine.read_text() == "# mine\n"


def test_conflicting_file_prevents_all_output(tmp_path: Path) -> None:
    project = new_project(tmp_path)
    (project / "generated").mkdir()
    (project / "generated/scheme.py").write_text("# mine\n")
    ran = apigen(project, "generate")
    assert ran.code == 1
    assert ran.err.startswith("generated/scheme.py: error AG0911: ")
    assert tree(project / "generated") == {"scheme.py": b"# mine\n"}


def test_output_that_cannot_be_written(tmp_path: Path) -> None:
    project = new_project(tmp_path)
    (project / "generated").write_text("a file")
    ran = apigen(project, "generate")
    assert ran.code == 3
    assert ran.err.startswith("generated: error AG0912: ")


def test_errors_preserve_the_output(project: Path) -> None:
    before = tree(project / "generated")
    edit(project / "api-specs/example.com/v1.yaml", "type: int32", "type: int23")
    for form, where in (("text", "err"), ("json", "out"), ("sarif", "out"), ("github", "out")):
        ran = apigen(project, "generate", "--format", form)
        assert ran.code == 1
        assert "AG03" in getattr(ran, where)
        assert (ran.out, ran.err).count("") == 1
    assert tree(project / "generated") == before


def test_lock_preserves_numbers(project: Path) -> None:
    v1 = project / "api-specs/example.com/v1.yaml"
    edit(v1, "      paused:\n", "      size: {type: int32, optional: true}\n      paused:\n")
    edit(
        project / "api-specs/example.com/v1beta1.yaml",
        "    hubOnly:\n",
        "    hubOnly:\n      spec.size: {drop: v1beta1 is old}\n",
    )
    assert apigen(project, "generate").code == 0
    assert "size: {py: size, protobuf: 4}" in (project / "api-specs/example.com/v1.lock.yaml").read_text()
    edit(v1, "      size: {type: int32, optional: true}\n", "")
    ran = apigen(project, "generate")
    assert ran.code == 1
    assert "tombstones:" in ran.err


def test_crd_backend_alone_generates_no_package(tmp_path: Path) -> None:
    project = new_project(tmp_path)
    (project / "apigen.toml").write_text('output = "out"\nbackends = ["crd"]\n')
    assert apigen(project, "generate").code == 0
    written = [path.relative_to(project / "out") for path in (project / "out").rglob("*") if path.is_file()]
    assert {path.parts[0] for path in written} == {"crds", ".apigen-manifest.json"}


def test_groups_and_backends_can_be_selected(tmp_path: Path) -> None:
    project = new_project(tmp_path)
    other = project / "api-specs/other.example"
    other.mkdir()
    (other / "group.yaml").write_text('group: other.example\nversions: {v1: {introduced: "1.0"}}\n')
    (other / "v1.yaml").write_text("types: {Thing: {fields: {size: {type: int32}}}}\n")
    (project / "apigen.toml").write_text('groups = ["example.com"]\nbackends = ["json"]\n')
    ran = apigen(project, "generate")
    assert ran.code == 0, ran.err
    made = tree(project / "generated")
    assert not any(path.startswith("other_example/") for path in made)
    assert "example_com/v1/json_codec.py" in made
    assert "example_com/v1/protobuf_codec.py" not in made


@pytest.mark.slow
def test_output_and_package_can_be_configured(tmp_path: Path) -> None:
    project = new_project(tmp_path)
    (project / "apigen.toml").unlink()
    assert apigen(project, "generate", "--output", "src/shop/api", "--package", "shop.api").code == 0
    ran = apigen(project, "convert", "examples/widget.yaml", "--to", "v1", "--output", "src/shop/api")
    assert ran.code == 0, ran.err
    check = "import shop.api.scheme as s; print(s.kinds())"
    done = subprocess.run(
        [sys.executable, "-c", check],
        cwd=project / "src",
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "('Widget',)\n"
