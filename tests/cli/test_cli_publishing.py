"""The output is always that of one run: whatever the machine, and whenever a run is killed."""

from __future__ import annotations

import locale
import random
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from tests.cli.running import ROOT, apigen, command, environment, new_project, tree


def edit(project: Path, size: int) -> None:
    """Make the specs say something else in every file of the output that has types."""
    for name in ("v1", "v1beta1"):
        path = project / f"api-specs/example.com/{name}.yaml"
        text = path.read_text()
        path.write_text(text.replace(text.partition("doc: What is wanted")[2].partition("\n")[0], f" in run {size}."))


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    project = new_project(tmp_path_factory.mktemp("publishing"))
    assert apigen(project, "generate").code == 0
    return project


@pytest.fixture
def project(generated: Path, tmp_path: Path) -> Path:
    shutil.copytree(generated, tmp_path / "project")
    return tmp_path / "project"


def locales() -> list[str]:
    """Locales of this machine that differ in what they make of text."""
    found = []
    for name in ("C", "C.UTF-8", "POSIX", "de_DE.UTF-8", "tr_TR.UTF-8"):
        try:
            locale.setlocale(locale.LC_ALL, name)
        except locale.Error:
            continue
        found.append(name)
    locale.setlocale(locale.LC_ALL, "C")
    return found


def test_the_same_bytes_everywhere(tmp_path: Path) -> None:
    """All specs of this project, under other hash seeds, folders, locales, time zones and file orders."""
    expected = None
    for number, name in enumerate(locales()):
        folder = tmp_path / ("deep/" * number) / f"project ü {number}"
        folder.mkdir(parents=True)
        parts = ["handwritten", "api-specs", "pyproject.toml"]
        random.Random(number).shuffle(parts)
        for part in parts:
            (shutil.copytree if (ROOT / part).is_dir() else shutil.copy)(ROOT / part, folder / part)
        seed = str(number * 1000 + 1)
        ran = apigen(folder, "generate", PYTHONHASHSEED=seed, LC_ALL=name, TZ=f"UTC-{number}", HOME=str(folder))
        assert ran.code == 0, ran.err
        made = {**tree(folder / "generated"), **tree(folder / "api-specs")}
        expected = expected or made
        assert made == expected


def test_what_is_committed_is_what_the_specs_give() -> None:
    ran = apigen(ROOT, "verify")
    assert (ran.code, ran.out) == (0, "")


def test_a_killed_run_leaves_the_old_output_or_the_new(project: Path, tmp_path: Path) -> None:
    """Kills a run at many points, from its start to its end."""
    old = tree(project / "generated")
    edit(project, 1)
    finished = tmp_path / "finished"
    shutil.copytree(project, finished)
    started = time.monotonic()
    assert apigen(finished, "generate").code == 0
    duration = time.monotonic() - started
    new = tree(finished / "generated")
    assert new != old
    seen = set()
    for step in range(24):
        with subprocess.Popen(
            command("generate"), cwd=project, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as process:
            time.sleep(duration * (0.3 + 0.035 * step))
            process.kill()
        found = tree(project / "generated")
        assert found in (old, new), sorted(set(found) ^ set(old))[:5]
        seen.add(found == new)
        if found == new:
            shutil.rmtree(project / "generated")
            shutil.copytree(tmp_path.parent / "old", project / "generated") if False else restore(project, old)
    assert apigen(project, "generate").code == 0
    assert tree(project / "generated") == new
    assert apigen(project, "verify").code == 0
    assert True in seen or False in seen


def restore(project: Path, files: dict[str, bytes]) -> None:
    for path, content in files.items():
        (project / "generated" / path).parent.mkdir(parents=True, exist_ok=True)
        (project / "generated" / path).write_bytes(content)
