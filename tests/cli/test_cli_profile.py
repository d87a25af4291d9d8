"""`generate --profile` says where the time went: by step in the order of the run, and by file."""

from __future__ import annotations

import re
from itertools import accumulate
from pathlib import Path

import pytest

from apigen.cli.profile import MOST_FILES, Profile
from tests.cli.running import apigen, new_project

ROW = re.compile(r" *\d+\.\d{3}  +\d+\.\d%  (.+)")


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock on which each look takes a second."""
    looks = accumulate([1.0] * 1_000)
    monkeypatch.setattr("apigen.cli.profile.time.process_time", lambda: next(looks))


def rows(table: str) -> list[str]:
    return [found[1] for line in table.splitlines() if (found := ROW.fullmatch(line))]


@pytest.mark.usefixtures("clock")
def test_step_lasts_until_the_next_step() -> None:
    told: list[str] = []
    measured = Profile(told.append)
    measured("reading")
    measured("writing")
    assert told == ["reading", "writing"]
    assert measured.table().splitlines()[:5] == [
        "   CPU s   share  step",
        "   1.000   33.3%  starting",
        "   1.000   33.3%  reading",
        "   1.000   33.3%  writing",
        "   3.000  100.0%  in all",
    ]


@pytest.mark.usefixtures("clock")
def test_repeated_step_is_one_row() -> None:
    measured = Profile(lambda _: None)
    for step in ("reading", "rendering", "reading"):
        measured(step)
    assert rows(measured.table()) == ["starting", "reading", "rendering", "in all"]
    assert measured.steps == {"starting": 1.0, "reading": 2.0, "rendering": 1.0}


@pytest.mark.usefixtures("clock")
def test_slowest_files_are_listed_first_and_others_in_one_row() -> None:
    measured = Profile(lambda _: None)
    measured("rendering")
    for number in range(MOST_FILES + 5):
        measured.file_generated(f"{number}.py")
    measured.files["7.py"] = 9.0
    table = measured.table()
    assert rows(table.partition("  file\n")[2]) == [
        "7.py",
        *(f"{number}.py" for number in range(MOST_FILES) if number != 7),
        "5 other files",
    ]
    assert "   5.000" in table.partition("5 other files")[0].splitlines()[-1]


def test_profile_lists_steps_and_files(tmp_path: Path) -> None:
    project = new_project(tmp_path)
    ran = apigen(project, "generate", "--no-cache", "--profile")
    steps, _, files = ran.err.partition("  file\n")
    assert ran.code == 0
    assert rows(steps)[0] == "starting"
    assert rows(steps)[-1] == "in all"
    assert "writing" in rows(steps)
    listed = [row for row in rows(files) if not row.endswith("other files")]
    assert len(listed) == MOST_FILES
    assert all((project / "generated" / path).is_file() for path in listed)


def test_unchanged_run_lists_no_files(tmp_path: Path) -> None:
    project = new_project(tmp_path)
    apigen(project, "generate")
    apigen(project, "generate")  # the first wrote locks, which are inputs of the second
    ran = apigen(project, "generate", "--profile")
    assert rows(ran.err)[-1] == "in all"
    assert "file" not in ran.err
