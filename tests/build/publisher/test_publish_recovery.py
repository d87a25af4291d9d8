"""Changes that users make between a killed run and the next one are kept, and a prepared state file is not trusted."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path

import pytest

from apigen.build.publisher import whole_folder
from apigen.build.publisher.drift import compare
from apigen.build.publisher.output_folder import PublishError
from apigen.build.publisher.writer import publish
from tests.build.publisher.folders import NEW, in_child, populate

KILLED = 99


def die(places: Iterable[Path]) -> None:
    os._exit(KILLED)


def kill_after_exchange() -> None:
    """Let this process die when the new folder is in place and the old one not yet removed."""
    vars(whole_folder)["flush"] = die


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with the new output, left by a killed run."""
    root = tmp_path / "out"
    populate(root)

    def action() -> None:
        kill_after_exchange()
        publish(NEW, root)

    assert in_child(action) == KILLED
    assert not compare(NEW, root)
    assert (tmp_path / ".out.apigen" / "tree").is_dir()
    return root


def test_saved_by_an_editor(root: Path) -> None:
    (root / "notes.txt~").write_text("edited")
    (root / "notes.txt~").replace(root / "notes.txt")
    publish(NEW, root)
    assert (root / "notes.txt").read_text() == "edited"


def test_removed(root: Path) -> None:
    (root / "tool.sh").unlink()
    (root / "link").unlink()
    publish(NEW, root)
    assert not (root / "tool.sh").exists()
    assert not (root / "link").is_symlink()


def test_file_became_a_folder(root: Path) -> None:
    (root / "notes.txt").unlink()
    (root / "notes.txt").mkdir()
    publish(NEW, root)
    assert (root / "notes.txt").is_dir()


def test_link_became_another(root: Path) -> None:
    (root / "dangling").unlink()
    (root / "dangling").symlink_to("elsewhere")
    publish(NEW, root)
    assert (root / "dangling").readlink() == Path("elsewhere")


def test_saved_before_the_exchange_and_the_run_was_killed(root: Path) -> None:
    """The remaining file in the old folder is the newer one in this test."""
    old = root.parent / ".out.apigen" / "tree"
    (old / "notes.txt~").write_text("saved in time")
    (old / "notes.txt~").replace(old / "notes.txt")
    (old / "new.txt").write_text("new")
    publish(NEW, root)
    assert (root / "notes.txt").read_text() == "saved in time"
    assert (root / "new.txt").read_text() == "new"


@pytest.mark.parametrize("name", ["stage", "journal", "lock"])
def test_link_within_the_folder_in_which_apigen_works(tmp_path: Path, name: str) -> None:
    """A repository from a stranger could bring it; files outside of the output must not be moved through it."""
    home, work = tmp_path / "home", tmp_path / "out" / ".apigen-work"
    home.mkdir()
    work.mkdir(parents=True)
    (home / "profile").write_text("mine")
    step = {"path": "x.py", "staged": "profile", "before": None}
    (work / "journal").write_text(json.dumps([step]))
    (work / name).unlink(missing_ok=True)
    (work / name).symlink_to(home if name == "stage" else home / "profile")
    with pytest.raises(PublishError, match="is a symbolic link; remove it"):
        compare(NEW, tmp_path / "out")
    assert (home / "profile").read_text() == "mine"


def test_journal_that_names_files_elsewhere(tmp_path: Path) -> None:
    work = tmp_path / "out" / ".apigen-work"
    work.mkdir(parents=True)
    (tmp_path / "out" / "mine.py").write_text("mine")
    step = {"path": "x.py", "staged": "../../mine.py", "before": None}
    (work / "journal").write_text(json.dumps([step]))
    publish([], tmp_path / "out")
    assert (tmp_path / "out" / "mine.py").read_text() == "mine"


def test_failure_to_remove_temporary_files_is_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "out"
    populate(root)

    def reject(*_: object) -> None:
        raise OSError(16, "busy")

    with monkeypatch.context() as patched:
        patched.setattr(whole_folder, "_bring_over", reject)
        publish(NEW, root)
    assert not compare(NEW, root)
    publish(NEW, root)
    assert [entry.name for entry in tmp_path.iterdir()] == ["out"]
