"""Repositories, names and settings of git that are rare: a review of what was meant, or an error that says what git says."""

from __future__ import annotations

from pathlib import Path

import pytest

from apigen.diagnostics import Report
from apigen.inputs.source import Setting
from apigen.ir.surface import Struct
from apigen.review.baseline import baseline
from apigen.review.sources.git import GitError
from apigen.review.sources.loading import load
from tests.review.sources.things import commit, git, loaded, rejected

THEN, NOW = (f'{{"type": "object", "properties": {{"{name}": {{}}}}}}' for name in ("then", "now"))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A repository with `a.json` and copies of it under odd names, committed twice."""
    root = tmp_path / "odd repository"
    root.mkdir()
    git(root, "init", "--quiet", "--initial-branch=main")
    for text in (THEN, NOW):
        for name in ("a.json", "with space/a b.json", "line\nbreak/a.json", "-x/--help.json", "%0A::error::x/a.json"):
            (root / name).parent.mkdir(exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
        commit(root)
    return root


def members(said: str, root: Path) -> list[str]:
    surface = loaded(said, Setting(root))
    (group,) = surface.groups.values()
    struct = group.versions[""].types["Schema"]
    assert isinstance(struct, Struct)
    return list(struct.fields)


@pytest.mark.parametrize(
    "path",
    ["a.json", "with space/a b.json", "line\nbreak/a.json", "-x/--help.json", "%0A::error::x/a.json", "./a.json"],
)
def test_unusual_paths(path: str, root: Path) -> None:
    assert members(f"HEAD~1:{path}", root) == ["then"]


@pytest.mark.parametrize("name", ["-x", "--upload-pack=touch", "%s%n", "a'b<b>", "é", "a.json", "x" * 200])
def test_unusual_branch_names(name: str, root: Path) -> None:
    git(root, "update-ref", f"refs/heads/{name}", "HEAD~1")
    assert members(f"git:refs/heads/{name}:a.json", root) == ["then"]


def test_tags_of_tags(root: Path) -> None:
    git(root, "tag", "--annotate", "--message=x", "one", "HEAD~1")
    git(root, "tag", "--annotate", "--message=x", "two", "one")
    assert members("two:a.json", root) == ["then"]


@pytest.mark.parametrize(
    ("said", "code"),
    [("^main:a.json", "AG1400"), ("HEAD^2:a.json", "AG1400"), ("HEAD~99999999999:a.json", "AG1400")]
    + [("a..b:a.json", "AG1400"), ("main...HEAD:a.json", "AG1400"), (":a.json", "AG1402"), ("git:", "AG1403")],
)
def test_names_that_are_not_commits(said: str, code: str, root: Path) -> None:
    assert rejected(said, Setting(root)).code == code


def test_other_working_trees(root: Path, tmp_path: Path) -> None:
    git(root, "worktree", "add", "--quiet", str(tmp_path / "tree"), "HEAD~1")
    git(tmp_path, "clone", "--quiet", "--bare", str(root), "bare.git")
    assert members("HEAD:a.json", tmp_path / "tree") == ["then"]
    assert members("main:a.json", tmp_path / "tree") == ["now"]
    assert members("HEAD~1:a.json", tmp_path / "bare.git") == ["then"]


def test_a_working_tree_that_is_not_around_the_project(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "project").mkdir()
    monkeypatch.setenv("GIT_DIR", str(root / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(tmp_path / "elsewhere"))
    assert members("HEAD~1:a.json", tmp_path / "project") == ["then"]


@pytest.mark.parametrize(
    ("variable", "value", "says"),
    [
        ("GIT_DIR", "/nonexistent", "not a git repository: '/nonexistent'"),
        ("PATH", "/nonexistent", "git is not installed, or not on the PATH"),
        ("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1", "detected dubious ownership in repository"),
    ],
)
def test_git_error_is_reported(
    variable: str, value: str, says: str, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, value)
    report = Report()
    assert load("main:a.json", Setting(root), report) is None
    hint = report.diagnostics[0].hint
    assert report.diagnostics[0].code == "AG1400" and hint is not None and says in hint
    with pytest.raises(GitError, match=says):
        baseline(root)


def test_file_suggestion_outside_of_git(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(THEN, encoding="utf-8")
    assert rejected("b.json", Setting(tmp_path)).hint == "did you mean `a.json`?"
    assert baseline(tmp_path) is None


def test_a_pointer_of_lfs(root: Path) -> None:
    text = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22e\nsize 12345\n"
    (root / "a.json").write_text(text, encoding="utf-8")
    commit(root)
    for said in ("a.json", "HEAD:a.json"):
        error = rejected(said, Setting(root))
        assert error.code == "AG1400" and error.hint == "fetch the file: git lfs pull"
