"""A project in a git repository of its own, with a change that breaks."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.cli.running import apigen, environment

IDENTITY = {
    "GIT_AUTHOR_NAME": "tests",
    "GIT_AUTHOR_EMAIL": "tests@example.com",
    "GIT_COMMITTER_NAME": "tests",
    "GIT_COMMITTER_EMAIL": "tests@example.com",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
}


def git(folder: Path, *words: str) -> str:
    """Run git; returns what it printed."""
    done = subprocess.run(
        ["git", *words], cwd=folder, env=environment(**IDENTITY), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def new_repository(folder: Path) -> Path:
    """The project that `apigen init` makes, committed on `main`."""
    ran = apigen(folder, "init", "shop", "--kind", "Order")
    assert ran.code == 0, ran.err
    project = folder / "shop"
    git(project, "init", "--quiet", "--initial-branch=main")
    commit(project, "first")
    return project


def commit(project: Path, message: str) -> None:
    """Commit all that has changed."""
    git(project, "add", "--all")
    git(project, "commit", "--quiet", "--message", message)


def spec(project: Path) -> Path:
    """The spec of the stable version."""
    return project / "api-specs" / "example.com" / "v1.yaml"


def remove_field(project: Path, name: str = "paused") -> None:
    """Take a field out of the spec, which breaks those who use it."""
    lines = spec(project).read_text().splitlines(keepends=True)
    start = next(number for number, line in enumerate(lines) if line.strip() == f"{name}:")
    indentation = len(lines[start]) - len(lines[start].lstrip())
    end = next(n for n in range(start + 1, len(lines)) if len(lines[n]) - len(lines[n].lstrip()) <= indentation)
    spec(project).write_text("".join(lines[:start] + lines[end:]))


def add_field(project: Path, name: str = "note") -> None:
    """Add a field, which is compatible."""
    text = spec(project).read_text()
    field = f"      {name}:\n        doc: What somebody wrote.\n        type: string\n        omitEmpty: true\n"
    spec(project).write_text(text.replace("      paused:\n", f"{field}      paused:\n"))
