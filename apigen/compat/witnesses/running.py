"""Has tasks run by a process of its own, for so long and no longer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import apigen
from apigen.compat.verdict.example import JsonValue, Side
from apigen.compat.verdict.impact import Direction
from apigen.compat.witnesses.outcome import Fate, Outcome
from apigen.compat.witnesses.tasks import Answer, Shown, Task
from apigen.dataclass import dataclass

_MODULE = "apigen.compat.witnesses.trial_run"


@dataclass(frozen=True, slots=True)
class Built:
    """The packages of both sides below a folder, and the releases whose gates count; `ratchets` as surfaces have it."""

    folder: Path
    packages: tuple[str, str]
    releases: tuple[str | None, str | None]
    has_protobuf: bool
    ratchets: tuple[bool, bool]


def run_tasks(built: Built, tasks: tuple[Task, ...], seconds: float) -> dict[int, Answer]:
    """The answers by number of task; those that took too long are missing, and where the process failed, each says why.

    Modules in the working folder, which may be a stranger's, are not imported.
    """
    request = {
        "folder": str(built.folder),
        "old_package": built.packages[0],
        "new_package": built.packages[1],
        "old_release": built.releases[0],
        "new_release": built.releases[1],
        "old_ratchets": built.ratchets[0],
        "new_ratchets": built.ratchets[1],
        "has_protobuf": built.has_protobuf,
        "tasks": [task.plain() for task in tasks],
    }
    home = str(Path(apigen.__file__).resolve().parent.parent)
    paths = os.pathsep.join(filter(None, (home, os.environ.get("PYTHONPATH"))))
    failure = ""
    try:
        found = subprocess.run(
            [sys.executable, "-P", "-m", _MODULE],
            input=json.dumps(request),
            capture_output=True,
            text=True,
            timeout=seconds,
            env={**os.environ, "PYTHONPATH": paths},
            check=False,
        )
        output = found.stdout
        if found.returncode:
            failure = "".join(found.stderr.splitlines()[-1:]) or f"its process ended with {found.returncode}"
    except subprocess.TimeoutExpired as expired:
        raw = expired.stdout or b""
        output = raw.decode("utf-8", "replace") if isinstance(raw, bytes) else raw
    answers = {answer.number: answer for answer in _answers(output)}
    unanswered = (task.number for task in tasks if failure and task.number not in answers)
    return answers | {number: Answer(number, (), 0, 0, failure) for number in unanswered}


def _answers(output: str) -> Iterator[Answer]:
    """What was printed; a last line that was cut off is none."""
    for line in output.splitlines():
        try:
            said = json.loads(line)
        except ValueError:
            return
        yield Answer(
            said["number"], tuple(map(_shown, said["shown"])), said["accepted"], said["tried"], said["failure"]
        )


def _shown(said: dict[str, JsonValue]) -> Shown:
    outcome = said["outcome"]
    plain = outcome if isinstance(outcome, dict) else {}
    made = Outcome(Fate(str(plain["fate"])), str(plain["text"]), plain["before"], plain["after"])
    return Shown(Direction(str(said["direction"])), Side(str(said["written_by"])), made)
