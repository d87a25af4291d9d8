"""What took part in a run, and where."""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.compiler.go_suite import RELEASE, kept_suite
from benchmarks.peers.places import GO_RUNTIME, PYTHON, ROOT, TOOLS, find_tool
from benchmarks.peers.setting_up import SET_UP_TOOLS

PACKAGES = {
    "compiler": ("openapi-python-client", "datamodel-code-generator"),
    "size": (),
    "review": (),
    "server": (),
    "generated": ("orjson", "msgspec", "pydantic", "betterproto2", "lightkube", "lightkube-models", "PyYAML"),
}
TOOLS_OF = {"review": ("buf", "crdify")}
"""By area."""
_PROGRAM = (
    "import importlib.metadata as m, json, sys\nprint(json.dumps({name: m.version(name) for name in sys.argv[1:]}))"
)
_NUMBER = re.compile(r"v?\d+(?:\.\d+)+")


def versions(area: str) -> Mapping[str, str]:
    """Peer -> version, of those of an area that are there."""
    found = {"Python": platform.python_version()}
    if PYTHON.exists() and PACKAGES[area]:
        found |= json.loads(_said([str(PYTHON), "-c", _PROGRAM, *PACKAGES[area]]) or "{}")
    if area == "server":
        found |= {name: importlib.metadata.version(name) for name in ("uvicorn", "httptools", "uvloop")}
    suite = kept_suite()
    if area == "compiler" and suite is not None:
        found |= suite.versions
    if area == "generated" and shutil.which("go") and GO_RUNTIME.exists():
        found |= {"Go": _said(["go", "env", "GOVERSION"]).removeprefix("go"), "Kubernetes (Go)": RELEASE}
    for name in TOOLS_OF.get(area, ()):
        tool = find_tool(name)
        if tool is not None:
            found[name] = SET_UP_TOOLS[name][1] if Path(tool).parent == TOOLS else _version_of(tool)
    return found


def machine() -> str:
    """The processor, and how many of its cores may be used."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    text = Path("/proc/cpuinfo").read_text(encoding="utf-8") if Path("/proc/cpuinfo").is_file() else ""
    model = re.search(r"^model name\s*: (.*)$", text, re.MULTILINE)
    return f"{cores} cores of {model[1].strip() if model else platform.machine()}"


def commit() -> str:
    """The commit that is measured."""
    return _said(["git", "rev-parse", "--short", "HEAD"]) or "unknown"


def _version_of(tool: str) -> str:
    number = _NUMBER.search(_said([tool, "--version"]))
    return number[0] if number else "unknown"


def _said(command: Sequence[str]) -> str:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip()
