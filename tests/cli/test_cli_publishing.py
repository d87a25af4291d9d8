"""The output is always that of one run: whatever the machine, and whenever a run is killed."""

from __future__ import annotations

import locale
import random
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.running import ROOT, apigen, command, environment, new_project, tree

KILLED_AT = 12
"""How many moments of a run are tried; `tests/build/publisher/test_killed_runs.py` tries each moment of publishing."""

KILLER = """
import os, signal, sys
left, folder = int(sys.argv[1]), sys.argv[2]

def count(event, arguments):
    global left
    if event in WATCHED and any(isinstance(a, (str, bytes)) and folder in os.fsdecode(a) for a in arguments):
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

WATCHED = {"open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.link", "os.chmod", "shutil.rmtree"}
sys.addaudithook(count)
from apigen.cli.main import main
code = main(["generate"])
print(int(sys.argv[1]) - left)
sys.exit(code)
"""
"""Runs `apigen generate`, and kills itself at the n-th time that it turns to the file system below a folder."""


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    project = new_project(tmp_path_factory.mktemp("publishing"))
    assert apigen(project, "generate").code == 0
    return project


@pytest.fixture
def project(generated: Path, tmp_path: Path) -> Path:
    shutil.copytree(generated, tmp_path / "project")
    return tmp_path / "project"


def change(project: Path, words: str) -> None:
    """Make the specs say something else in many files of the output, some of which go away."""
    group = project / "api-specs/example.com"
    (group / "v1beta1.yaml").unlink()
    (group / "v1beta1.lock.yaml").unlink()
    versions = (group / "group.yaml").read_text().splitlines(keepends=True)
    (group / "group.yaml").write_text("".join(line for line in versions if "v1beta1" not in line))
    v1 = group / "v1.yaml"
    v1.write_text(v1.read_text().replace("The desired state of a Widget.", words))


def locales() -> list[str]:
    """Locales of this machine; they differ in what they make of text."""
    before = locale.setlocale(locale.LC_ALL)
    found = []
    for name in ("C", "C.UTF-8", "POSIX", "de_DE.UTF-8", "tr_TR.UTF-8"):
        try:
            locale.setlocale(locale.LC_ALL, name)
        except locale.Error:
            continue
        found.append(name)
    locale.setlocale(locale.LC_ALL, before)
    return found


@pytest.mark.slow(one_in=16)
def test_output_is_reproducible(tmp_path: Path) -> None:
    """All specs of this project, under other hash seeds, folders, locales, time zones and orders of files."""
    expected: dict[str, bytes] = {}
    for number, name in enumerate(locales()):
        folder = tmp_path / ("deep/" * number) / f"project ü {number}"
        folder.mkdir(parents=True)
        copy_specs(folder, random.Random(number))
        seed = str(number * 1000 + 1)
        ran = apigen(folder, "generate", PYTHONHASHSEED=seed, LC_ALL=name, TZ=f"UTC-{number}", HOME=str(folder))
        assert ran.code == 0, ran.err
        made = {**tree(folder / "generated"), **tree(folder / "api-specs")}
        expected = expected or made
        assert made == expected
    assert expected == {**tree(ROOT / "generated"), **tree(ROOT / "api-specs")}


def copy_specs(folder: Path, chance: random.Random) -> None:
    """This project's specs, written in some order, which is that in which a file system may list them."""
    files = [
        p for part in ("api-specs", "handwritten") for p in (ROOT / part).rglob("*") if p.suffix in (".yaml", ".py")
    ]
    chance.shuffle(files)
    for file in [ROOT / "pyproject.toml", *files]:
        target = folder / file.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, target)


def test_committed_output_matches_the_specs() -> None:
    ran = apigen(ROOT, "verify", "--quiet")
    assert (ran.code, ran.out) == (0, "")


def killed_at(moment: int, project: Path) -> subprocess.CompletedProcess[str]:
    program = [command()[0], "-c", KILLER, str(moment), str(project)]
    return subprocess.run(program, cwd=project, env=environment(), capture_output=True, text=True, check=False)


@pytest.mark.slow(one_in=16)
def test_killed_run_leaves_the_old_or_the_new_output(project: Path, tmp_path: Path) -> None:
    old = tree(project / "generated")
    change(project, "The new output.")
    finished = tmp_path / "finished"
    shutil.copytree(project, finished)
    moments = int(killed_at(10**9, finished).stdout.splitlines()[-1])
    new = tree(finished / "generated")
    assert new.keys() != old.keys()
    for moment in sorted({1 + number * moments // KILLED_AT for number in range(KILLED_AT)}):
        again = tmp_path / f"killed at {moment}"
        shutil.copytree(project, again)
        assert killed_at(moment, again).returncode == -9
        found = tree(again / "generated")
        assert found in (old, new), f"killed at {moment} of {moments}"
        if moment % 7 == 0:
            assert apigen(again, "generate").code == 0
            assert tree(again) == tree(finished)
            assert [path.name for path in again.iterdir() if path.name.startswith(".")] == []
        shutil.rmtree(again)


@pytest.mark.slow
def test_run_killed_at_any_time_leaves_old_or_new_output(project: Path) -> None:
    """The same by the clock, from outside."""
    old = tree(project / "generated")
    change(project, "The new output.")
    for step in range(10):
        with subprocess.Popen(
            command("generate"), cwd=project, env=environment(), stdout=subprocess.DEVNULL
        ) as process:
            time.sleep(0.2 + 0.1 * step)
            process.kill()
        found = tree(project / "generated")
        if found != old:
            break
    assert apigen(project, "generate").code == 0
    assert found in (old, tree(project / "generated"))
    assert apigen(project, "verify").code == 0


@pytest.mark.slow
def test_concurrent_runs_do_not_mix_outputs(project: Path, tmp_path: Path) -> None:
    """Two spec folders, one output: it is that of one of them, and each run ends well."""
    results = []
    for number in (1, 2):
        specs = tmp_path / f"specs{number}"
        shutil.copytree(project / "api-specs", specs)
        path = specs / "example.com/v1.yaml"
        path.write_text(
            path.read_text().replace("The desired state of a Widget.", f"The desired state number {number}.")
        )
        alone = tmp_path / f"alone{number}"
        assert apigen(project, "generate", "--specs", str(specs), "--output", str(alone)).code == 0
        results.append(tree(alone))
    assert results[0] != results[1]
    for _ in range(2):
        run_together(lambda number: ["--specs", str(tmp_path / f"specs{number}")], project)
        assert tree(project / "generated") in results


def run_together(arguments: Callable[[int], list[str]], project: Path) -> None:
    processes = [
        subprocess.Popen(
            command("generate", *arguments(number)),
            cwd=project,
            env=environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        for number in (1, 2, 1, 2)
    ]
    for process in processes:
        _, err = process.communicate(timeout=60)
        assert process.returncode == 0, err.decode()


def test_folder_that_cannot_be_created(project: Path) -> None:
    ran = apigen(project, "generate", "--output", "/proc/nothing/generated")
    assert (ran.code, ran.out) == (3, "")
    assert ran.err.startswith(
        "/proc/nothing/generated: error AG0912: cannot write the output to /proc/nothing/generated"
    )
