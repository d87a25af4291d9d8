"""What every lens writes passes `mypy --strict`: all packages of the cases, in one run."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from tests.generating import generate_package
from tests.lenses.test_lens_cases import folders
from tests.share import share
from tests.type_checkers import mypy


def test_mypy_reports_no_errors(tmp_path: Path) -> None:
    packages = [generate_package(folder / "specs", tmp_path) for folder in share(folders(), 6)]
    for package in packages[1:]:
        _share_runtime(tmp_path / package, packages[0])
    assert mypy(tmp_path, *(argument for package in packages for argument in ("-p", package))) == ""


def _share_runtime(package: Path, other: str) -> None:
    """Let a package import the runtime of another one, so that mypy reads the runtime once."""
    shutil.rmtree(package / "runtime")
    (package / "runtime").mkdir()
    (package / "runtime" / "__init__.py").touch()
    for path in package.rglob("*.py*"):
        text = path.read_text(encoding="utf-8")
        path.write_text(
            re.sub(r"^( *from )\.+runtime\b", rf"\1{other}.runtime", text, flags=re.MULTILINE), encoding="utf-8"
        )
