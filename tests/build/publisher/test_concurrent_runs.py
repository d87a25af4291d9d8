"""Concurrent runs: they run one after the other, report a long wait, and do not mix their files."""

from __future__ import annotations

import os
import signal
import threading
import time
from functools import partial
from pathlib import Path

import pytest

from apigen.build.publisher import locking
from apigen.build.publisher.writer import publish
from apigen.codegen.output import OutputFile
from tests.build.publisher.folders import NEW, OLD, files, in_child, snapshot


def publish_often(output: list[OutputFile], root: Path) -> None:
    for _ in range(15):
        publish(output, root)


def test_outputs_of_concurrent_runs_do_not_mix(tmp_path: Path) -> None:
    root = tmp_path / "out"
    outputs = [OLD, NEW, files(a_py="third", x__y_py="third")]
    models = []
    for number, output in enumerate(outputs):
        publish(output, tmp_path / f"model-{number}")
        models.append(snapshot(tmp_path / f"model-{number}"))
    children = []
    for output in outputs:
        child = os.fork()
        if child == 0:
            os._exit(in_child(partial(publish_often, output, root)))
        children.append(child)
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0, 0, 0]
    assert snapshot(root) in models
    assert "out" in [entry.name for entry in tmp_path.iterdir()]
    assert ".out.apigen" not in [entry.name for entry in tmp_path.iterdir()]


def test_waiting_run_reports_that_it_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(locking, "PATIENCE", 0.05)
    root = tmp_path / "out"
    with locking.locked(root):
        waiting = threading.Thread(target=publish, args=(NEW, root))
        waiting.start()
        time.sleep(0.4)
        assert not root.exists()
    waiting.join()
    told = f"apigen: waiting for another run of apigen (process {os.getpid()}) that writes {root}\n"
    assert capsys.readouterr().err == told
    assert (root / "a.py").exists()


def test_lock_of_a_killed_run_is_released(tmp_path: Path) -> None:
    root = tmp_path / "out"

    def die_with_lock() -> None:
        with locking.locked(root):
            os.kill(os.getpid(), signal.SIGKILL)

    assert in_child(die_with_lock) == -signal.SIGKILL
    assert (tmp_path / ".out.apigen" / "lock").exists()
    publish(NEW, root)
    assert [entry.name for entry in tmp_path.iterdir()] == ["out"]
