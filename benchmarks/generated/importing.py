"""What importing costs in CPU seconds, in fresh interpreters whose own start does not count; the bytecode is there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from benchmarks.measuring import plain_environment
from benchmarks.peers.places import BUILT, PYTHON

VERSIONS = ("apps/v1", "core/v1")
LIGHTKUBE = (
    "import importlib, pkgutil, lightkube.models as models\n"
    "for found in pkgutil.iter_modules(models.__path__):\n"
    "    importlib.import_module(f'{models.__name__}.{found.name}')\n"
)
_CLOCK = "import time\nstarted = time.process_time()\n{}print(time.process_time() - started)\n"


PACKAGE = BUILT / "kubernetes_api"
OF_THE_EXTENSION = ("layouts.py", "conversion_layouts.py")
"""Tables without types and functions, which only the extension reads."""


def import_of_everything() -> float | None:
    """CPU seconds for all modules of the package but its tests."""
    return seconds_of(_imports(sorted(PACKAGE.rglob("*.py"))))


def import_of_types() -> float | None:
    """CPU seconds for the types of all versions and hubs."""
    return seconds_of(_imports(sorted(PACKAGE.rglob("types.py"))))


def import_of_package() -> float | None:
    """CPU seconds for the package alone, from which everything is reached by its name."""
    return seconds_of(_imports([PACKAGE / "__init__.py"]))


def import_of_version(version: str) -> float | None:
    """CPU seconds for all types and functions of one version of a group, and what their modules import."""
    files = sorted((PACKAGE / version).rglob("*.py"))
    return seconds_of(_imports([file for file in files if file.name not in OF_THE_EXTENSION]))


def import_of_version_types(version: str) -> float | None:
    """CPU seconds for the types of one version of a group, and what their module imports."""
    return seconds_of(_imports([PACKAGE / version / "types.py"]))


def import_within_reach(version: str) -> float | None:
    """CPU seconds for the package of one version of a group, from which all of it is reached by its name."""
    return seconds_of(_imports([PACKAGE / version / "__init__.py"]))


def import_of_lightkube() -> float | None:
    """CPU seconds for all of its models; None where it is not installed."""
    return seconds_of(LIGHTKUBE)


def _imports(files: list[Path]) -> str:
    names = (".".join(file.relative_to(BUILT).with_suffix("").parts) for file in files)
    wanted = [name.removesuffix(".__init__") for name in names if ".tests." not in name]
    lines = "".join(f"import {name}\n" for name in wanted)
    return f"import sys\nsys.path.insert(0, {str(BUILT)!r})\n{lines}"


def seconds_of(program: str) -> float | None:
    """Return the time of one process, after another one that wrote missing bytecode."""
    command = [str(PYTHON), "-c", _CLOCK.format(program)]
    done = subprocess.run(command, env=plain_environment(), capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"an import failed: {done.stderr.strip()[-300:]}", file=sys.stderr)
        return None
    return float(done.stdout)
