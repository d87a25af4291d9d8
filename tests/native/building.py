"""The extension, built for the processes of a test run."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from shutil import copytree, ignore_patterns
from tempfile import TemporaryDirectory
from types import ModuleType

from tests.sharing import built_once

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "native"
BUILT = ROOT / "build" / "native"


def digest_of_sources() -> str:
    """Of all that is compiled, and of the Python that it is compiled for."""
    digest = sha256(f"{sys.implementation.cache_tag} {sys.prefix}".encode())
    for path in sorted([*SOURCES.glob("src/*"), *SOURCES.glob("*.toml")]):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def build(folder: Path, variables: Mapping[str, str] | None = None) -> None:
    """Build `native/` as a user would, from a copy: a build leaves its objects next to the sources, and several may run at once.

    The extension lies in `built` then. `variables` of the environment may say how to compile.
    """
    copied = copytree(SOURCES, folder / "sources", ignore=ignore_patterns("build", "*.egg-info"))
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-build-isolation", "--no-deps"]
    done = subprocess.run(
        [*pip, "--target", str(folder / "built"), str(copied)],
        env={**os.environ, **(variables or {})},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        message = f"the extension cannot be built:\n{done.stdout}{done.stderr}"
        raise RuntimeError(message)


@cache
def built() -> Path:
    """Return the folder with the extension, which the first process builds."""

    def build_into(target: Path) -> None:
        with TemporaryDirectory(dir=target.parent) as folder:
            build(Path(folder))
            (Path(folder) / "built").rename(target)

    return built_once(BUILT / digest_of_sources(), build_into)


@cache
def extension() -> ModuleType:
    """The extension, not to be found by other tests."""
    path = next(path for path in built().glob("apigen_native*") if path.suffix in (".so", ".pyd"))
    spec = spec_from_file_location("apigen_native", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
