"""The wheel: it has all that `apigen` needs, and nothing of the project around it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (found,) = folder.glob("apigen-*.whl")
    return found


def names_below(folder: str) -> set[str]:
    paths = (path for path in (ROOT / folder).rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(ROOT / folder).as_posix() for path in paths}


def test_contents(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    package = {name for name in names_below("apigen") if name.endswith((".py", ".md", "py.typed"))}
    expected = {f"apigen/{name}" for name in package}
    expected |= {f"apigen/_templates/{name}" for name in names_below("templates")}
    expected |= {f"apigen/_catalogue/{name}" for name in names_below("api-specs/kubernetes")}
    expected |= {f"apigen/_catalogue_functions/handwritten/{name}" for name in names_below("handwritten")}
    assert names == expected


def test_size(wheel: Path) -> None:
    """All of Kubernetes is in it, and it stays small."""
    assert wheel.stat().st_size < 2_200_000


def test_metadata(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        info = {
            name.rpartition("/")[2]: archive.read(name).decode() for name in archive.namelist() if ".dist-info/" in name
        }
    assert "apigen = apigen.cli.program:program" in info["entry_points.txt"]
    assert "License-Expression: Apache-2.0" in info["METADATA"]
    assert "Requires-Python: >=3.11" in info["METADATA"]
    assert info["LICENSE"] == (ROOT / "LICENSE").read_text()


def test_it_works_where_the_project_is_not(wheel: Path, tmp_path: Path) -> None:
    """Installed beside the dependencies of this environment, without the repository."""
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
    assert list(kubernetes.rglob("hand_written_conversions.py")), "functions of the catalogue come with it"
