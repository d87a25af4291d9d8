"""Where the peers are: their harness next to this project, and what is made of it below `build/`."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HARNESS = Path(os.environ.get("PEERS", ROOT.parent / "shared" / "peers"))
"""The folder with `requirements.txt`, `prepare.py`, `python_runtime.py`, `go-runtime/` and `objects/`."""
BUILD = ROOT / "build" / "peers"
MODELS = BUILD / "models"
"""The models that generators made for the peers, and the objects in protobuf."""
GO_MODULES = ROOT / "build" / "go-modules"
GO_RUNTIME = BUILD / "go-runtime.test"
PYTHON = BUILD / "venv" / "bin" / "python"
TOOLS = BUILD / "bin"
KUBERNETES = ROOT / "build" / "kubernetes"
BUILT = KUBERNETES / "v0.36.6"
"""All of Kubernetes' API as it is compiled; `kubernetes_api` is the package."""
NATIVE = BUILD / "native"
"""The optional extension, where only the contender that is to use it looks."""


def find_tool(name: str) -> str | None:
    """A program, from the path or from what was set up; None where it is not there."""
    return shutil.which(name) or shutil.which(name, path=TOOLS)
