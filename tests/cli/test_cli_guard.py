"""What ends a run early: an interruption, a reader that went away, the system, a bug. None of them shows a traceback."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

import pytest

from apigen.cli.exits import Exit
from apigen.cli.guard import guarded
from tests.cli.running import Ran, apigen, command, environment


def fail(error: BaseException) -> int:
    raise error


def test_internal_error_is_reported_as_bug(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("APIGEN_DEBUG", raising=False)
    assert guarded(lambda: fail(KeyError("width"))) == 70
    assert capsys.readouterr().err == (
        "apigen: this is a bug in apigen, not in your input: KeyError: 'width'\n"
        "Please report it as described in CONTRIBUTING.md, with the command and, if possible, the specs.\n"
        "Set APIGEN_DEBUG=1 in the environment to print the traceback for the report.\n"
    )


def test_internal_error_prints_traceback_in_debug_mode(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("APIGEN_DEBUG", "1")
    assert guarded(lambda: fail(RecursionError())) == 70
    shown = capsys.readouterr().err
    assert shown.startswith("Traceback (most recent call last):\n")
    assert "this is a bug in apigen, not in your input: RecursionError\n" in shown


def test_terminated_run_cleans_up(tmp_path: Path) -> None:
    before = signal.getsignal(signal.SIGTERM)

    def run() -> int:
        with TemporaryDirectory(dir=tmp_path):
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(10)
        return 0

    with pytest.raises(SystemExit) as ended:
        guarded(run)
    assert ended.value.code == 143 and not list(tmp_path.iterdir())
    assert signal.getsignal(signal.SIGTERM) == before


def test_guard_works_outside_of_the_main_thread() -> None:
    codes: list[int] = []
    thread = Thread(target=lambda: codes.append(guarded(lambda: 0)))
    thread.start()
    thread.join()
    assert codes == [0]


def test_operating_system_error_is_reported(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("APIGEN_DEBUG", raising=False)
    assert guarded(lambda: fail(PermissionError(13, "Permission denied", "/a/b"))) == 3
    assert capsys.readouterr().err == "apigen: /a/b: Permission denied\n"


def test_an_interruption_ends_the_run(tmp_path: Path) -> None:
    fifo = tmp_path / "object.yaml"
    os.mkfifo(fifo)
    (tmp_path / "generated").mkdir()
    with subprocess.Popen(
        command("convert", str(fifo), "--to", "v1"),
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a run in the background ignores it
    ) as process:
        time.sleep(1)  # it waits for the fifo now
        process.send_signal(signal.SIGINT)
        try:
            out, err = process.communicate(timeout=20)
        finally:
            process.kill()
    assert Ran(process.returncode, out.decode(), err.decode()) == Ran(130, "", "apigen: interrupted\n")


def test_closed_output_pipe(tmp_path: Path) -> None:
    script = f"'{sys.executable}' -m apigen schema | head -n 1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) in {("{\n141\n", ""), ("{\n0\n", "")}  # 0 if it all went into the pipe


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_any_output_encoding_works(tmp_path: Path, encoding: str) -> None:
    group = tmp_path / "api-specs" / "a.example"
    group.mkdir(parents=True)
    (group / "group.yaml").write_text("group: a.example\nversions: {v1: {introduced: '1.0'}}\nkinds: {Überding: {}}\n")
    ran = apigen(tmp_path, "lint", PYTHONIOENCODING=encoding)
    assert ran.code == 1
    assert "Traceback" not in ran.err
    assert "error AG" in ran.out


def test_interrupt_during_class_creation(capsys: pytest.CaptureFixture[str]) -> None:
    """Python 3.11 turns the interrupt into a RuntimeError, which was reported as a bug in apigen."""

    def run() -> int:
        raise RuntimeError("Error calling __set_name__") from KeyboardInterrupt()

    assert guarded(run) == Exit.INTERRUPTED
    assert capsys.readouterr().err == "apigen: interrupted\n"


@pytest.mark.parametrize("stream", [1, 2])
def test_closed_stream(tmp_path: Path, stream: int) -> None:
    words = " ".join(map(shlex.quote, command("diff", ".", ".", "--no-cache")))
    done = subprocess.run(
        ["sh", "-c", f"{words} {stream}>&-"],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 3 and "bug" not in done.stderr
