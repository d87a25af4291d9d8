"""The extension, built once for the processes of a test run."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from tempfile import mkdtemp
from types import ModuleType

SOURCES = Path(__file__).resolve().parents[2] / "native"


@cache
def built() -> Path:
    """The folder with the extension, built from `native/` as a user would."""
    folder = Path(mkdtemp(prefix="apigen-native-"))
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-build-isolation", "--no-deps"]
    subprocess.run([*pip, "--target", str(folder), str(SOURCES)], check=True, capture_output=True)
    return folder


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
