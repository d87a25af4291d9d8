"""No command writes through a symbolic link that a checkout holds."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from apigen.build.publisher.output_folder import PublishError
from apigen.build.publisher.writer import publish
from apigen.files.whole_file import LinkError, check_target, write_whole
from tests.build.publisher.folders import OLD
from tests.cli.running import Ran, apigen
from tests.review.cli.repository import git


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("links")
    assert apigen(folder, "init", "checkout").code == 0
    project = folder / "checkout"
    git(project, "init", "--quiet")
    assert apigen(project, "generate").code == 0
    assert apigen(project, "release", "1.0").code in (0, 1)
    shutil.copytree(project / "api-specs", project / "old")
    return project


@pytest.fixture
def project(template: Path, tmp_path: Path) -> Path:
    """A checkout with a link `out` to a folder outside of it, and `victim`, a file that lies there."""
    copy = Path(shutil.copytree(template, tmp_path / "checkout"))
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/victim").write_text("mine")
    (copy / "out").symlink_to("../outside")
    return copy


def outside(project: Path) -> dict[str, str]:
    """The files outside of the checkout."""
    return {path.name: path.read_text() for path in (project.parent / "outside").iterdir()}


def rejected(ran: Ran, *words: str) -> None:
    assert ran.code not in (0, 1) or "error" in ran.out + ran.err
    assert "symbolic link" in ran.out + ran.err
    for word in words:
        assert word in ran.out + ran.err


def diff(project: Path, *words: str) -> Ran:
    return apigen(project, "diff", "old", "--no-cache", "--no-counterexamples", *words)


@pytest.mark.slow
@pytest.mark.parametrize("form", ["html", "json", "sarif", "markdown"])
def test_report_is_not_written_through_a_link(project: Path, form: str) -> None:
    (project / "report").symlink_to("../outside/victim")
    rejected(diff(project, "--output", f"{form}=report"), "report", "remove it")
    rejected(diff(project, "--output", f"{form}=out/report"), "leads out of the checkout")
    rejected(diff(project, "--output", f"{form}={project}/out/report"), "leads out of the checkout")
    (project / "inner").symlink_to("old")  # a link that stays inside is the project's own
    assert diff(project, "--output", f"{form}=inner/report").code == 0
    assert outside(project) == {"victim": "mine"}


def test_report_is_not_written_through_a_link_to_the_checkout(project: Path) -> None:
    (project.parent / "alias").symlink_to("checkout")
    rejected(diff(project, "--output", f"html={project.parent}/alias/out/report"), "leads out of the checkout")
    assert diff(project, "--output", f"html={project.parent}/alias/report").code == 0
    assert (project / "report").is_file()
    assert outside(project) == {"victim": "mine"}


def test_report_outside_of_the_checkout_is_written(project: Path) -> None:
    assert diff(project, "--output", "html=../outside/report").code == 0
    assert "<html" in (project.parent / "outside/report").read_text()


@pytest.mark.parametrize("target", ["/dev/null", "/dev/stdout", "-"])
def test_report_is_written_to_devices(project: Path, target: str) -> None:
    ran = diff(project, "--output", f"json={target}")
    assert ran.code == 0
    assert ("{" in ran.out) == (target != "/dev/null")
    assert Path("/dev/null").is_char_device()


def test_report_is_written_to_a_named_pipe(project: Path) -> None:
    os.mkfifo(project / "pipe")
    found: list[str] = []
    reader = threading.Thread(target=lambda: found.append((project / "pipe").read_text()), daemon=True)
    reader.start()
    assert diff(project, "--output", "json=pipe").code == 0
    reader.join(30)
    assert found[0].startswith("{")


def test_approvals_are_not_written_through_a_link(project: Path) -> None:
    (project.parent / "outside/victim").write_text("approvals: []\n")
    (project / "apigen-approvals.yaml").symlink_to("../outside/victim")
    spec = project / "api-specs/example.com/v1.yaml"
    spec.write_text(spec.read_text().replace("int32", "string"))
    rejected(diff(project, "--write-approvals"), "apigen-approvals.yaml")
    assert outside(project) == {"victim": "approvals: []\n"}


def test_output_folder_must_be_inside_the_checkout(project: Path) -> None:
    shutil.rmtree(project / "generated")
    (project / "generated").symlink_to("../outside")
    rejected(apigen(project, "generate"), "generated", "leads out of the checkout", "set `output` to another folder")
    assert outside(project) == {"victim": "mine"}


def test_locks_are_not_written_through_a_linked_spec_folder(project: Path) -> None:
    before = outside(project)
    shutil.move(project / "api-specs", project.parent / "specs")
    (project / "api-specs").symlink_to("../specs")
    for lock in (project.parent / "specs").rglob("*.lock.yaml"):
        lock.unlink()
    rejected(apigen(project, "generate"), ".lock.yaml", "leads out of the checkout", "replace the symbolic link")
    assert outside(project) == before


def test_spec_folder_that_is_a_link_to_nothing_is_named(project: Path) -> None:
    shutil.rmtree(project / "api-specs")
    (project / "api-specs").symlink_to("nowhere")
    rejected(apigen(project, "generate"), "AG0101", "leads to nowhere, which does not exist")


def test_lock_is_not_written_through_a_link(project: Path) -> None:
    lock = project / "api-specs/example.com/v1.lock.yaml"
    (project.parent / "outside/victim").write_text(lock.read_text())
    lock.unlink()
    lock.symlink_to(project.parent / "outside/victim")
    spec = project / "api-specs/example.com/v1.yaml"
    spec.write_text(spec.read_text() + "  Other: {fields: {name: {type: string}}}\n")
    before = outside(project)
    ran = apigen(project, "generate")
    assert ran.code != 0
    assert outside(project) == before


def test_records_must_be_inside_the_checkout(project: Path) -> None:
    for folder in (project / "api-specs").rglob("history"):
        shutil.rmtree(folder)
    (project / "api-specs/example.com/history").symlink_to("../../../outside")
    ran = apigen(project, "release", "1.0")
    assert ran.code != 0
    assert outside(project) == {"victim": "mine"}


def test_schemas_and_projects_must_be_inside_the_checkout(project: Path) -> None:
    rejected(apigen(project, "schema", "--output", "out"), "leads out of the checkout")
    rejected(apigen(project, "schema", "--output", "out/deep"), "leads out of the checkout")
    (project / "group.schema.json").symlink_to("../outside/victim")
    rejected(apigen(project, "schema", "group", "--output", "."), "group.schema.json")
    rejected(apigen(project, "init", "out/new"), "leads out of the checkout")
    assert outside(project) == {"victim": "mine"}


def test_imported_specs_must_be_inside_the_checkout(project: Path) -> None:
    code = project / "go"
    (code / "v1").mkdir(parents=True)
    (code / "go.mod").write_text("module example.com/things\n")
    (code / "v1/types.go").write_text(
        '// +groupName=things.example.com\npackage v1\n\ntype Part struct {\n\tName string `json:"name"`\n}\n'
    )
    rejected(apigen(project, "import", "go", "go", "--specs", "out"), "AG1237")
    (project / "list").symlink_to("../outside/victim")
    rejected(apigen(project, "import", "go", "go", "--specs", "imported", "--list", "list"), "AG1237")
    assert not (project / "imported").exists()
    ran = apigen(project, "import", "go", "go", "--specs", "imported", "--list", "/dev/stdout")
    assert ran.code == 0
    assert ran.out.lstrip().startswith("[")
    assert outside(project) == {"victim": "mine"}


def test_staged_file_does_not_replace_an_existing_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.urandom", lambda count: b"\0" * count)
    (tmp_path / "victim").write_text("mine")
    (tmp_path / f".report.{'00' * 6}.new").symlink_to("victim")
    with pytest.raises(FileExistsError):
        write_whole(tmp_path / "report", b"text")
    assert (tmp_path / "victim").read_text() == "mine"


def test_loops_and_dangling_links_are_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "dangling").symlink_to("/nowhere/at/all")
    for name in ("loop", "dangling", "dangling/file"):
        with pytest.raises(LinkError):
            check_target(Path(name))
    with pytest.raises(PublishError, match="leads out of the checkout"):
        publish(OLD, tmp_path / "dangling")


def test_working_directory_is_the_checkout_without_git(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "here").mkdir()
    (tmp_path / "here/out").symlink_to("../outside")
    code = "from pathlib import Path; from apigen.files.whole_file import write_whole; write_whole(Path('out/x'), b'')"
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path / "here", capture_output=True, text=True, check=False
    )
    assert "leads out of the checkout" in ran.stderr
    assert not (tmp_path / "outside/x").exists()
