"""Files of a revision are written into a folder, and nowhere else."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest

from apigen.review.sources import git as git_source
from apigen.review.sources.git import Entry, Repository, TooLargeError, extract, is_written_like_one, shown
from tests.review.sources.things import git, repository


@pytest.fixture
def entry(tmp_path: Path) -> Entry:
    """A file of a repository."""
    root = repository(tmp_path / "project")
    found = Repository(root)
    id_ = found.object(git(root, "rev-parse", "HEAD"), PurePosixPath("api-specs"))
    assert id_ is not None
    return next(found.files(id_, PurePosixPath("api-specs")))


@pytest.mark.parametrize("path", ["../out", "/out", "a/../../out"])
def test_paths_outside_of_the_target_are_not_written(path: str, entry: Entry, tmp_path: Path) -> None:
    target = tmp_path / "a" / "target"
    extract(Repository(tmp_path / "project"), [Entry(PurePosixPath(path), entry.id, entry.size)], target)
    assert not list(tmp_path.rglob("out")) and not target.exists()


@pytest.mark.parametrize(("limit", "value"), [("MOST_FILES", 0), ("MOST_BYTES", 1)])
def test_oversized_input_is_not_read(
    limit: str, value: int, entry: Entry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git_source, limit, value)
    with pytest.raises(TooLargeError):
        extract(Repository(tmp_path / "project"), [entry], tmp_path / "target")
    assert not (tmp_path / "target").exists()


def test_an_empty_folder_has_no_contents(tmp_path: Path) -> None:
    root = repository(tmp_path / "project")
    assert list(Repository(root).contents([])) == []


@pytest.mark.parametrize(
    ("revision", "is_one"),
    [
        ("main", True),
        ("feature/x", True),
        ("HEAD~3", True),
        ("-x", False),
        ("/x", False),
        ("a..b", False),
        ("a b", False),
    ],
)
def test_displayed_revision(revision: str, is_one: bool) -> None:
    assert is_written_like_one(revision) is is_one
    assert shown(revision, "0123456789abcdef") == (revision if is_one else "0123456789ab")
