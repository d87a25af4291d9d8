"""The file of approvals, and reports, are written whole or not at all."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from apigen.files.whole_file import LinkError, write_whole

MEMORY = Path("/dev/shm")

WRITER = """
import sys
from pathlib import Path
from apigen.files.whole_file import write_whole
texts = [letter * 2_000_000 for letter in "ab"]
print("ready", flush=True)
while True:
    for text in texts:
        write_whole(Path(sys.argv[1]), text.encode())
"""


@pytest.mark.parametrize("after", [0.0, 0.004, 0.011, 0.03])
def test_killed_run_leaves_the_old_or_the_new_file(tmp_path: Path, after: float) -> None:
    path = tmp_path / "approvals.yaml"
    write_whole(path, b"a" * 2_000_000)
    command = [sys.executable, "-c", WRITER, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        time.sleep(after)
        process.kill()
    text = path.read_text()
    assert len(text) == 2_000_000 and len(set(text)) == 1


@pytest.mark.slow
def test_concurrent_writers_do_not_mix_contents(tmp_path: Path) -> None:
    path = tmp_path / "approvals.yaml"
    command = [sys.executable, "-c", WRITER, str(path)]
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE) as one,
        subprocess.Popen(command, stdout=subprocess.PIPE) as two,
    ):
        for process in (one, two):
            assert process.stdout is not None and process.stdout.readline()
        for _ in range(20):
            time.sleep(0.005)
            assert not path.exists() or (len(text := path.read_text()) == 2_000_000 and len(set(text)) == 1)
        one.kill()
        two.kill()


def test_failed_write_leaves_no_files(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError):
        write_whole(tmp_path / "folder", b"text")
    assert [each.name for each in tmp_path.iterdir()] == ["folder"]


def test_mode_is_kept_and_links_are_rejected(tmp_path: Path) -> None:
    real, link = tmp_path / "real.yaml", tmp_path / "link.yaml"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    with pytest.raises(LinkError, match="the target is a symbolic link"):
        write_whole(link, b"new")
    assert link.is_symlink() and real.read_text() == "old"
    write_whole(real, b"new")
    assert real.stat().st_mode & 0o777 == 0o640


@pytest.mark.skipif(not os.access(MEMORY, os.W_OK), reason=f"this system has no {MEMORY}")
def test_a_file_in_memory_is_no_device() -> None:
    with TemporaryDirectory(dir=MEMORY) as folder:
        link = Path(folder) / "link"
        link.symlink_to(Path(folder) / "file")
        with pytest.raises(LinkError):
            write_whole(link, b"new")


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE) as reader:
        write_whole(pipe, b"text")
        assert reader.communicate(timeout=10)[0] == b"text"
    assert [each.name for each in tmp_path.iterdir()] == ["pipe"]
