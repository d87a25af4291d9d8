"""`apigen generate --watch`: after every change, through errors, until it is ended."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import pytest

from apigen.cli.watching import changes, noticing_interrupts
from tests.cli.running import apigen, command, environment, new_project

PATIENCE = 120


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return new_project(tmp_path)


@pytest.fixture
def watching(project: Path) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        command("generate", "--watch"),
        cwd=project,
        env=environment(HOME=str(project.parent)),
        text=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        preexec_fn=_heeding_interrupts,
    ) as process:
        yield process
        process.kill()


def _heeding_interrupts() -> None:
    """Tests that a shell runs in the background ignore Ctrl-C, and so would what they start."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def wait_for(what: Callable[[], bool]) -> None:
    ends = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < ends, "it took too long"
        time.sleep(0.05)


@pytest.mark.slow
def test_watch_continues_after_errors(project: Path, watching: subprocess.Popen[str]) -> None:
    types = project / "generated/example_com/v1/types.py"
    spec = project / "api-specs/example.com/v1.yaml"
    good = spec.read_text()
    wait_for(lambda: (project / "generated/scheme.py").exists())
    made = types.read_text()
    spec.write_text("types: [")
    assert watching.stderr is not None
    while "error" not in watching.stderr.readline():
        pass
    assert types.read_text() == made
    spec.write_text(good + "  Idle: {fields: {name: {type: string}}}\n")
    wait_for(lambda: "Idle" in types.read_text())
    watching.send_signal(signal.SIGINT)
    assert watching.wait(PATIENCE) == 0


def test_watch_rejects_incompatible_options(project: Path) -> None:
    assert apigen(project, "generate", "--watch", "--check").code == 2


def test_watch_stops_without_changes_when_interrupted(tmp_path: Path) -> None:
    """As after an interrupt of which Python dropped the exception."""
    looks = iter([False, False, True])
    assert len(list(changes([tmp_path], lambda _: None, lambda: next(looks)))) == 1


def test_change_is_reported_after_files_are_stable(tmp_path: Path) -> None:
    file = tmp_path / "v1.yaml"
    file.write_text("a")
    steps = iter(["b", "bc", None, "bcd", None])

    def sleep(_: float) -> None:
        text = next(steps, "end")
        if text is not None:
            file.write_text(text)

    assert len(list(islice(changes([tmp_path], sleep), 3))) == 3
    assert next(steps, None) is None


def test_locks_and_hidden_files_are_ignored(tmp_path: Path) -> None:
    file = tmp_path / "v1.yaml"
    file.write_text("a")
    slept = 0

    def sleep(_: float) -> None:
        nonlocal slept
        slept += 1
        (tmp_path / "v1.lock.yaml").write_text("x" * slept)
        (tmp_path / ".v1.yaml.swp").write_text("x" * slept)
        if slept == 5:
            file.write_text("other")

    assert len(list(islice(changes([tmp_path, tmp_path / "gone"], sleep), 2))) == 2
    assert slept == 6


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_interrupt_during_finalizer_is_handled() -> None:
    class Ending:
        def __del__(self) -> None:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0)  # handlers of signals run between two steps

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with noticing_interrupts() as is_noticed:
            assert not is_noticed()
            Ending()
            assert is_noticed()
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)


def test_ignored_interrupts_stay_ignored() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with noticing_interrupts() as is_noticed:
            os.kill(os.getpid(), signal.SIGINT)
        assert not is_noticed()
    finally:
        signal.signal(signal.SIGINT, before)
