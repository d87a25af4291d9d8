"""A run is killed at every step that it takes; the output is the old one or the new one, whole."""

from __future__ import annotations

import errno
import os
import random
import shutil
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from apigen.build.publisher import output_folder, whole_folder
from apigen.build.publisher.drift import compare
from apigen.build.publisher.output_folder import MANIFEST_NAME
from apigen.build.publisher.writer import publish, recover
from tests.build.publisher.folders import NEW, OLD, Snapshot, in_child, populate, snapshot

KILLED = 99
STRIDE = 13
"""Every step would take a minute; which ones are taken differs from run to run."""


def no_exchange(first: Path, second: Path) -> None:
    raise OSError(errno.ENOSYS, "no exchange")


def no_link(*args: Any, **named: Any) -> None:
    raise OSError(errno.EPERM, "no hard links")


def by_exchange() -> None:
    """No file blocks the run."""


def by_two_renames() -> None:
    vars(whole_folder)["exchange"] = no_exchange


def in_place() -> None:
    os.link = no_link


def kill_at(step: int) -> None:
    """Let this process die at its n-th step: a line of the package under test, or a call to the system."""
    taken = 0

    def take_step() -> None:
        nonlocal taken
        taken += 1
        if taken == step:
            os._exit(KILLED)

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        if "/apigen/build/publisher/" not in frame.f_code.co_filename:
            return None
        if event == "line":
            take_step()
        return trace

    sys.addaudithook(lambda event, arguments: take_step() if event.startswith(("open", "os.", "shutil.")) else None)
    sys.settrace(trace)


def run_killed_at(step: int, root: Path, prepare: Callable[[], None]) -> bool:
    """Publish the new output, die at a step. Returns whether that step was reached."""

    def action() -> None:
        prepare()
        kill_at(step)
        publish(NEW, root)

    status = in_child(action)
    assert status in (0, KILLED)
    return status == KILLED


@pytest.fixture
def both(tmp_path: Path) -> tuple[Snapshot, Snapshot]:
    """The contents of the folder before and after a complete run."""
    root = tmp_path / "model" / "out"
    populate(root)
    old = snapshot(root)
    publish(NEW, root)
    new = snapshot(root)
    assert old != new
    return old, new


def every_kill(tmp_path: Path, prepare: Callable[[], None], new: Snapshot, check: Callable[[Path], None]) -> None:
    """Kill runs on a fresh folder, later each time, and check the remaining files; then a complete run restores the
    folder.
    """
    step = random.randint(1, STRIDE)
    kills = 0
    while True:
        root = tmp_path / f"at-{step}" / "out"
        populate(root)
        if not run_killed_at(step, root, prepare):
            break
        check(root)
        publish(NEW, root)
        assert snapshot(root) == new
        assert [entry.name for entry in root.parent.iterdir()] == ["out"], "temporary files remain next to the output"
        assert not list(root.rglob(".apigen-work"))
        shutil.rmtree(root.parent)
        kills += 1
        step += STRIDE
    assert kills > 30


@pytest.mark.slow(one_in=16)
def test_exchange(tmp_path: Path, both: tuple[Snapshot, Snapshot]) -> None:
    seen = set()

    def check(root: Path) -> None:
        found = snapshot(root)
        assert found in both
        seen.add(both.index(found))
        if found == both[1]:
            assert not compare(NEW, root)

    every_kill(tmp_path, by_exchange, both[1], check)
    assert seen == {0, 1}


@pytest.mark.slow(one_in=16)
def test_two_renames(tmp_path: Path, both: tuple[Snapshot, Snapshot]) -> None:
    """Here the folder may be missing for a moment, and any next command brings it back."""

    def check(root: Path) -> None:
        assert not root.exists() or snapshot(root) in both
        recover(root)
        assert snapshot(root) in both

    every_kill(tmp_path, by_two_renames, both[1], check)


@pytest.mark.slow(one_in=16)
def test_in_place(tmp_path: Path, both: tuple[Snapshot, Snapshot]) -> None:
    """Files of both runs may exist next to each other, each of them complete, until the next command."""
    old, new = both

    def check(root: Path) -> None:
        found = {path: what for path, what in snapshot(root).items() if not path.startswith(".apigen-work")}
        for path, what in found.items():
            assert what in (old.get(path), new.get(path)), path
        assert found.keys() >= old.keys() & new.keys()
        recover(root)
        found = {path: what for path, what in snapshot(root).items() if not path.startswith(".apigen-work")}
        assert found in both

    every_kill(tmp_path, in_place, new, check)


@pytest.mark.slow
def test_first_run(tmp_path: Path) -> None:
    publish(NEW, tmp_path / "model")
    model = snapshot(tmp_path / "model")
    for step in range(1, 400, 23):
        root = tmp_path / f"at-{step}" / "some" / "out"
        run_killed_at(step, root, by_exchange)
        assert snapshot(root) in ({}, model)
        publish(NEW, root)
        assert snapshot(root) == model
        assert [entry.name for entry in root.parent.iterdir()] == ["out"]


@pytest.mark.parametrize("prepare", [by_exchange, by_two_renames])
def test_killed_while_the_old_output_is_removed(
    prepare: Callable[[], None], tmp_path: Path, both: tuple[Snapshot, Snapshot]
) -> None:
    """The remaining files are not treated as user files, although the manifest that identifies them may be gone."""

    def killed(folder: Path) -> None:
        if (folder / MANIFEST_NAME).exists():
            (folder / MANIFEST_NAME).unlink()
            os._exit(KILLED)
        output_folder.discard(folder)

    def action() -> None:
        prepare()
        vars(whole_folder)["discard"] = killed
        publish(NEW, root)

    root = tmp_path / "at" / "out"
    populate(root)
    assert in_child(action) == KILLED
    assert snapshot(root) == both[1]
    publish(NEW, root)
    assert snapshot(root) == both[1]
    assert [entry.name for entry in root.parent.iterdir()] == ["out"]


@pytest.mark.slow(one_in=16)
def test_killed_while_cleaning_up_after_a_kill(tmp_path: Path, both: tuple[Snapshot, Snapshot]) -> None:
    root = tmp_path / "out"
    populate(root)
    for step in range(40, 800, 19):
        run_killed_at(step, root, by_exchange)
        assert snapshot(root) in both
        in_child(lambda: publish(OLD, root))
        populate_again(root)


def populate_again(root: Path) -> None:
    """Bring back what the removal of a module took along."""
    folder = root / "v1beta1" / "__pycache__"
    folder.mkdir(exist_ok=True)
    beside = folder.parent.parent.parent / "compiled"  # a test that is killed leaves it whole, or not at all
    beside.write_bytes(b"compiled")
    beside.replace(folder / "types.cpython-311.pyc")


@pytest.mark.slow
def test_real_signals(tmp_path: Path, both: tuple[Snapshot, Snapshot]) -> None:
    root = tmp_path / "out"
    populate(root)
    for _ in range(40):
        child = os.fork()
        if child == 0:
            while True:
                publish(NEW, root)
                publish(OLD, root)
                populate_again(root)
        time.sleep(random.uniform(0.001, 0.05))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        found = snapshot(root)
        if "v1beta1/__pycache__/types.cpython-311.pyc" not in found:
            found.pop("v1beta1/__pycache__", None)
            assert found in both or found == without_compiled(both[0])
        else:
            assert found in both
        publish(OLD, root)
        populate_again(root)


def without_compiled(found: Snapshot) -> Snapshot:
    return {path: what for path, what in found.items() if "__pycache__" not in path}


def test_exchange_is_supported_on_linux(tmp_path: Path) -> None:
    if sys.platform != "linux":
        pytest.skip("written for Linux")
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    (tmp_path / "a" / "x").touch()
    output_folder.exchange(tmp_path / "a", tmp_path / "b")
    assert (tmp_path / "b" / "x").exists()
