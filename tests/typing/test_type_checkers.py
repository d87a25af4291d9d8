"""mypy in its strict mode and pyright find nothing in a generated package, and see through the scheme of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.type_checkers import mypy, pyright


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


@pytest.mark.slow
def test_mypy(project: Path) -> None:
    assert mypy(project, "-p", "api", "-m", "uses") == ""


def test_mypy_rejects_wrong_uses(project: Path) -> None:
    errors = [line for line in mypy(project, "wrong_uses.py").splitlines() if ": error: " in line]
    assert lines_with_errors(errors) == marked_lines(project), "\n".join(errors)


@pytest.mark.slow
def test_pyright(project: Path) -> None:
    """What users write; `make lint-pyright` checks the generated modules themselves."""
    errors = pyright(project, "uses.py", "wrong_uses.py")
    assert all(error.startswith("wrong_uses.py:") for error in errors), "\n".join(errors)
    assert lines_with_errors(errors) == marked_lines(project), "\n".join(errors)
