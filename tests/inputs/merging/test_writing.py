"""Several files are written together or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from apigen.inputs.merging import WriteError, write_together
from tests.inputs.go_specs.running import files_of


def test_missing_parent_folders_are_created(tmp_path: Path) -> None:
    write_together({tmp_path / "a" / "b" / "one": b"1", tmp_path / "two": b"2"})
    assert files_of(tmp_path) == {"a/b/one": b"1", "two": b"2"}


def test_mode_of_a_file_is_kept_and_links_are_rejected(tmp_path: Path) -> None:
    (tmp_path / "one").write_bytes(b"old")
    (tmp_path / "one").chmod(0o640)
    (tmp_path / "link").symlink_to("one")
    with pytest.raises(WriteError, match="the target is a symbolic link"):
        write_together({tmp_path / "two": b"new", tmp_path / "link": b"new"})
    assert (tmp_path / "one").read_bytes() == b"old"
    assert not (tmp_path / "two").exists()
    write_together({tmp_path / "one": b"new"})
    assert (tmp_path / "one").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("stopped_at", range(6))
@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError(28, "No space left on device")])
def test_stopped_run_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stopped_at: int, error: BaseException | type[BaseException]
) -> None:
    """Whatever step it is stopped at: each is one call of the system that writes, or puts in place."""
    (tmp_path / "one").write_bytes(b"old")
    calls = 0

    def step(real: object) -> object:
        def counted(*args: object, **kwargs: object) -> object:
            nonlocal calls
            calls += 1
            if calls == stopped_at + 1:
                raise error
            return real(*args, **kwargs)  # type: ignore[operator]

        return counted

    monkeypatch.setattr(os, "fsync", step(os.fsync))
    monkeypatch.setattr(Path, "replace", step(Path.replace))
    before = files_of(tmp_path)
    with pytest.raises((KeyboardInterrupt, WriteError)):
        write_together({tmp_path / "one": b"new", tmp_path / "a" / "two": b"2", tmp_path / "three": b"3"})
    assert files_of(tmp_path) == before
    assert not (tmp_path / "a").exists()


def test_folder_creation_failure_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(WriteError, match="cannot write"):
        write_together({tmp_path / "one": b"1", tmp_path / "file" / "two": b"2"})
    assert files_of(tmp_path) == {"file": b""}


def test_only_staged_files_of_killed_runs_are_removed(tmp_path: Path) -> None:
    left, staged, others = (tmp_path / name for name in (".one.a1b2.new", ".one.c3d4.new", ".one-more.e5f6.new"))
    for path in (left, staged, others):
        path.write_bytes(b"")
    for path in (left, others):
        os.utime(path, (0, 0))
    write_together({tmp_path / "one": b"1"})
    assert files_of(tmp_path) == {"one": b"1", staged.name: b"", others.name: b""}


@pytest.mark.parametrize("read", [b"as it was read", None])
def test_file_changed_since_reading_is_preserved(tmp_path: Path, read: bytes | None) -> None:
    (tmp_path / "one").write_bytes(b"1")
    (tmp_path / "two").write_bytes(b"saved by somebody meanwhile")
    before = files_of(tmp_path)
    with pytest.raises(WriteError, match="two: it was changed since it was read"):
        write_together(
            {tmp_path / "one": b"new", tmp_path / "two": b"new"}, {tmp_path / "one": b"1", tmp_path / "two": read}
        )
    assert files_of(tmp_path) == before


def test_staging_failure_names_the_target_file(tmp_path: Path) -> None:
    name = "n" * 250  # it fits into a folder, and with what is put around it, it does not
    with pytest.raises(WriteError, match=f"/{name}: "):
        write_together({tmp_path / name: b"1"})
