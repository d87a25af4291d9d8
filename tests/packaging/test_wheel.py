"""The wheel: it has all that `apigen` needs, and nothing of the project around it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.packaging.contents import ROOT, VERSIONS, problems_of_wheel, version


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (found,) = folder.glob("apigen-*.whl")
    return found


@pytest.mark.slow
def test_contents_and_metadata(wheel: Path) -> None:
    assert list(problems_of_wheel(wheel)) == []


def test_check_reports_a_missing_and_an_unexpected_file(wheel: Path, tmp_path: Path) -> None:
    other = tmp_path / wheel.name
    with ZipFile(wheel) as archive, ZipFile(other, "w") as copy:
        for name in archive.namelist():
            if name != "apigen/py.typed":
                copy.writestr(name, archive.read(name))
        copy.writestr("apigen/secret.txt", "")
    assert list(problems_of_wheel(other)) == [
        f"{wheel.name}: missing apigen/py.typed",
        f"{wheel.name}: unexpected apigen/secret.txt",
    ]


def test_all_distributions_have_one_version() -> None:
    assert {version(name) for name in VERSIONS} == {version("apigen")}
    chart = (ROOT / "server/deploy/helm/Chart.yaml").read_text()
    assert f"\nversion: {version('apigen')}\nappVersion: {version('apigen')}\n" in chart


def test_size(wheel: Path) -> None:
    """All of Kubernetes is in it, and it stays small."""
    assert wheel.stat().st_size < 2_200_000


@pytest.mark.slow(one_in=16)
def test_wheel_works_outside_of_the_repository(wheel: Path, tmp_path: Path) -> None:
    """Installed next to the dependencies of this environment, without the repository."""
    site = tmp_path / "site"
    with ZipFile(wheel) as archive:
        archive.extractall(site)
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(site), "HOME": str(tmp_path)}
    program = [sys.executable, "-c", "import sys, apigen.cli.main as m; sys.exit(m.main())"]
    where = [sys.executable, "-c", "import apigen; print(apigen.__file__)"]
    found = subprocess.run(where, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    assert Path(found.stdout.strip()).is_relative_to(site)
    for words in (["init", "project"], ["generate"], ["verify"], ["convert", "examples/widget.yaml", "--to", "v1"]):
        folder = tmp_path if words[0] == "init" else tmp_path / "project"
        done = subprocess.run(
            [*program, *words], cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
    kubernetes = tmp_path / "kubernetes"
    kubernetes.mkdir()
    (kubernetes / "apigen.toml").write_text('kinds = ["HorizontalPodAutoscaler", "Ingress.networking.k8s.io"]\n')
    done = subprocess.run(
        [*program, "generate"], cwd=kubernetes, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert list(
        kubernetes.rglob("hand_written_conversions.py")
    ), "the wheel has the hand-written functions of the built-in API types"
