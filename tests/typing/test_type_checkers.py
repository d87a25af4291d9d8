"""mypy in its strict mode and pyright find nothing in a generated package, and see through the scheme of it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

CONFIGURATION = {"pythonVersion": "3.11", "typeCheckingMode": "standard", "reportMissingModuleSource": False}


def mypy(project: Path, *arguments: str) -> str:
    """What mypy prints of the errors, a line each: `file:line: error: …`."""
    command = [sys.executable, "-m", "mypy", "--strict", "--python-version", "3.11", "--no-error-summary"]
    return run([*command, "--hide-error-context", *arguments], project)


def pyright(project: Path, *paths: str) -> list[str]:
    """The errors that pyright finds, each as `file:line: message`."""
    (project / "pyrightconfig.json").write_text(json.dumps(CONFIGURATION), encoding="utf-8")
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable]
    found = json.loads(run([*command, *paths], project))["generalDiagnostics"]
    return [f"{Path(d['file']).name}:{d['range']['start']['line'] + 1}: {d['message']}" for d in found]


def run(command: list[str], folder: Path) -> str:
    """The output of a command in `folder`, where nothing of this project can be imported."""
    environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "MYPYPATH")}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return done.stdout


def marked_lines(project: Path) -> list[int]:
    lines = (project / "wrong_uses.py").read_text(encoding="utf-8").splitlines()
    return [number for number, line in enumerate(lines, 1) if line.endswith("# wrong")]


def lines_with_errors(errors: list[str]) -> list[int]:
    return sorted({int(match[1]) for error in errors if (match := re.match(r"wrong_uses\.py:(\d+):", error))})


def test_generated_code_does_not_import_apigen(project: Path) -> None:
    for module in (project / "api").rglob("*.py*"):
        if module.suffix in (".py", ".pyi"):
            assert not re.search(
                r"^\s*(?:from|import) apigen\b", module.read_text(encoding="utf-8"), re.MULTILINE
            ), module


def test_mypy(project: Path) -> None:
    assert mypy(project, "-p", "api", "-m", "uses") == ""


def test_mypy_rejects_wrong_uses(project: Path) -> None:
    errors = [line for line in mypy(project, "wrong_uses.py").splitlines() if ": error: " in line]
    assert lines_with_errors(errors) == marked_lines(project), "\n".join(errors)


def test_pyright(project: Path) -> None:
    """What users write; `make lint-pyright` checks the generated modules themselves."""
    errors = pyright(project, "uses.py", "wrong_uses.py")
    assert all(error.startswith("wrong_uses.py:") for error in errors), "\n".join(errors)
    assert lines_with_errors(errors) == marked_lines(project), "\n".join(errors)
