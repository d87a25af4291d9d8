"""Wrong arguments, and what cannot be loaded: the server ends at once, and says what to do."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from .processes import PROJECT, SECONDS, Authority


def run(*arguments: str) -> tuple[int, str]:
    command = [sys.executable, "-m", "apigen_server", "webhook", *arguments]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False, timeout=SECONDS)
    return done.returncode, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ([], "give --tls-cert and --tls-key, or --insecure without them"),
        (["--tls-cert", "x"], "--tls-cert and --tls-key belong together"),
        (["--insecure", "--tls-key", "x"], "give --tls-cert and --tls-key, or --insecure without them"),
        (["--insecure", "--max-body", "3M"], "expected a number of bytes such as 32Mi, found '3M'"),
        (["--insecure", "--series", "kubernetes"], "expected a series with its release such as kubernetes=1.34"),
        (["--insecure", "--stop-delay", "-1"], "expected seconds from 0 to 86400, found -1"),
        (["--insecure", "--stop-grace", "-1"], "expected a number from 0 to 86400, found -1"),
        (["--insecure", "--port", "99999"], "expected a number from 0 to 65535, found 99999"),
        (["--insecure", "--max-connections", "0"], "expected a number from 1 to 1000000, found 0"),
        (["--insecure", "--max-buffered", "1Mi"], "--max-buffered must be at least as large as --max-body"),
    ],
)
def test_wrong_arguments_are_explained(arguments: list[str], problem: str) -> None:
    code, text = run("--package", "generated", *arguments)
    assert (code, problem in text) == (2, True), text


@pytest.mark.parametrize(
    ("package", "problem"),
    [
        ("no_such.package", "package `no_such.package` not found; install it, or add its parent folder to PYTHONPATH"),
        ("json", "package `json` cannot be used: No module named 'json.scheme'"),
    ],
)
def test_a_package_that_cannot_be_used_is_named(package: str, problem: str) -> None:
    assert run("--package", package, "--insecure") == (1, f"apigen-server: error: {problem}\n")


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--feature-gates", "Frobber3D=true"], "Frobber3D"),
        (["--release", "x"], "x"),
        (["--series", "other=1.1"], "other"),
    ],
)
def test_feature_gates_that_cannot_be_set_are_named(arguments: list[str], problem: str) -> None:
    code, text = run("--package", "generated", "--insecure", *arguments)
    assert code == 1
    assert text.startswith("apigen-server: error: feature gates of package `generated`: ")
    assert problem in text


def test_an_address_in_use_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        code, text = run("--package", "generated", "--insecure", "--host", "127.0.0.1", "--port", str(port))
    assert code == 1
    assert text.startswith(f"apigen-server: error: cannot listen on 127.0.0.1:{port}: ")
    assert "address already in use" in text.lower()


def test_a_certificate_that_cannot_be_loaded_is_named(tmp_path: Path) -> None:
    files = ["--tls-cert", str(tmp_path / "tls.crt"), "--tls-key", str(tmp_path / "tls.key")]
    code, text = run("--package", "generated", *files)
    assert (code, f"certificate {tmp_path}/tls.crt with key {tmp_path}/tls.key: " in text) == (1, True), text
    Authority(tmp_path).issue()
    other = tmp_path / "other"
    other.mkdir()
    Authority(other).issue()
    (other / "tls.key").replace(tmp_path / "tls.key")
    code, text = run("--package", "generated", *files)
    assert (code, "Traceback" in text) == (1, False), text
