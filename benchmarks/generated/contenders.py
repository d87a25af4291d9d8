"""Who takes part, and in what; each turn of each is a process of its own, so that none warms or burdens another."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.figures import Figures, least
from benchmarks.generated.objects import FIXTURE, OBJECTS
from benchmarks.generated.worker import NO_ORJSON
from benchmarks.peers.places import BUILT, GO_RUNTIME, HARNESS, NATIVE, PYTHON, ROOT
from benchmarks.peers.setting_up import peers_environment

JSON = ("json_decode", "json_encode")
PROTOBUF = ("pb_decode", "pb_encode")
GO = (*JSON, *PROTOBUF, "yaml_decode", "default", "to_hub", "from_hub", "deep_copy", "full_way")
OURS = (*GO, "to_hub_shared", "from_hub_shared")
GO_WINDOW = ("-test.benchtime", "4ms", "-test.count", "10")
"""As short as those of Python, for the same reason; the best counts."""
_GO_LINE = re.compile(r"^BenchmarkRuntime/(\w+)/(\w+?)(?:-\d+)?\s+\d+\s+([\d.]+) ns/op", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Contender:
    """`peer` is its name in the harness, `name` that of its figures, `path` where it finds more than others do."""

    name: str
    peer: str
    operations: tuple[str, ...]
    form: str = ""
    path: tuple[Path, ...] = ()


APIGEN = (
    Contender("apigen", "apigen", OURS, NO_ORJSON),
    Contender("apigen with orjson", "apigen", (*JSON, "full_way")),
)
COMPILED_APIGEN = Contender("apigen compiled", "apigen", OURS, path=(NATIVE,))
PYTHON_PEERS = (
    Contender("json", "floor_json", JSON),
    Contender("orjson", "floor_orjson", JSON),
    Contender("msgspec", "msgspec", JSON),
    Contender("pydantic", "pydantic", JSON),
    Contender("dataclasses", "msgspec_dataclass", ("deep_copy",)),
    Contender("betterproto2", "betterproto2", PROTOBUF),
)


def contenders() -> tuple[Contender, ...]:
    """Those in Python; the compiled form of apigen where it was built."""
    compiled = (COMPILED_APIGEN,) if NATIVE.is_dir() else ()
    return (*APIGEN, *compiled, *PYTHON_PEERS)


def times_of(contender: Contender) -> Figures:
    """One turn: seconds by operation and object. What a peer cannot do is omitted, and said."""
    return _worked(contender, "times", OBJECTS, contender.operations)


def memory_of(contender: Contender) -> Figures:
    """Bytes per object."""
    return {name: value for object_ in OBJECTS for name, value in _worked(contender, "memory", (object_,), ()).items()}


def times_of_go() -> Figures:
    """One turn of Kubernetes' own Go code; nothing where it was not built."""
    if not GO_RUNTIME.exists():
        return {}
    pattern = f"^BenchmarkRuntime$/^({'|'.join(OBJECTS)})$/^({'|'.join(GO)})$"
    command = [str(GO_RUNTIME), "-test.run", "^$", "-test.bench", pattern, *GO_WINDOW]
    done = subprocess.run(
        command, cwd=HARNESS / "go-runtime", env=peers_environment(), capture_output=True, text=True, check=False
    )
    if done.returncode:
        print(f"go: {done.stdout[-300:]}{done.stderr[-300:]}", file=sys.stderr)
    found = _GO_LINE.findall(done.stdout)
    return least(*({f"go/{operation}/{name}": float(ns) * 1e-9} for name, operation, ns in found))


def _worked(contender: Contender, what: str, objects: Sequence[str], operations: Sequence[str]) -> Figures:
    there = [name for name in objects if name != FIXTURE or "PEERS_FIXTURES" in peers_environment()]
    if not there:
        return {}
    command = [str(PYTHON), "-m", "benchmarks.generated.worker", contender.peer, what]
    command += ["--harness", str(HARNESS), "--built", str(BUILT), "--form", contender.form]
    command += ["--objects", ",".join(there), "--operations", ",".join(operations)]
    environment = peers_environment() | {"PYTHONPATH": os.pathsep.join(map(str, (ROOT, *contender.path)))}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"{contender.name} cannot take part in {what}: {done.stderr.strip()[-300:]}", file=sys.stderr)
        return {}
    found: Mapping[str, float] = json.loads(done.stdout)
    return {f"{contender.name}/{name}": value for name, value in found.items()}
