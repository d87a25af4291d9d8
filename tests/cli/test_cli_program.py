"""The process ends with the exit code of the command, after everything that it printed and that was to be done at its end."""

from __future__ import annotations

import subprocess
import sys


def run(program: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)


def start(*words: str, before: str = "pass") -> str:
    argv = ["apigen", *words]
    return f"import sys; sys.argv = {argv!r}; {before}; from apigen.cli.program import program; program()"


def test_output_is_complete() -> None:
    done = run(start("explain", "--list"))
    assert done.returncode == 0 and len(done.stdout.splitlines()) > 200 and done.stdout.endswith("\n")


def test_the_exit_code_is_that_of_the_command() -> None:
    done = run(start("explain", "AG9999999"))
    assert done.returncode == 2 and "unknown code" in done.stderr


def test_exit_handlers_run() -> None:
    done = run(start("--version", before="import atexit; atexit.register(print, 'the end')"))
    assert done.returncode == 0 and done.stdout.splitlines()[-1] == "the end"


def test_exit_handlers_run_under_a_profiler() -> None:
    before = "import atexit; sys.setprofile(lambda *_: None)"
    done = run(start("--version", before=before))
    assert done.returncode == 0 and done.stdout.startswith("apigen ")


def test_closed_output_pipe_is_no_error() -> None:
    command = [sys.executable, "-m", "apigen", "explain", "--list"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        assert "Traceback" not in process.stderr.read()
