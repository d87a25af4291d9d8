"""Measurements of the short form: apigen's work, each next to fixed reference work on the same data."""

from __future__ import annotations

import copy
import importlib
import json
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from benchmarks.compiler.projects import one_group
from benchmarks.measuring import cost_of_process, plain_environment
from benchmarks.peers.places import ROOT
from tests.review.kubernetes_history.releases import unpack

FIXTURES = ROOT / "tests" / "data" / "kubernetes" / "fixtures" / "v1.36.0"
REVIEWED = ("resource.k8s.io", "features.yaml")
OBJECTS = {
    "flowschema": ("flowcontrol.apiserver.k8s.io.v1beta3.FlowSchema", "flowcontrol.apiserver.k8s.io/v1"),
    "hpa": ("autoscaling.v2.HorizontalPodAutoscaler", "autoscaling/v1"),
}
"""Name -> its fixture, and the version that it is converted to."""
PROTOBUF = "application/vnd.kubernetes.protobuf"
PARSE = "import ast, pathlib, sys\nfor path in pathlib.Path(sys.argv[1]).rglob('*.py'): ast.parse(path.read_bytes())\n"
LOAD = (
    "import pathlib, sys, yaml\n"
    "for folder in sys.argv[1:]:\n"
    "    for path in pathlib.Path(folder).rglob('*.yaml'): yaml.load(path.read_bytes(), yaml.CSafeLoader)\n"
)
START = "import asyncio, dataclasses, decimal, email.message, http.client, json, unittest"
IMPORT = (
    "import importlib, pathlib, sys\n"
    "for path in sorted(pathlib.Path('generated').glob('*/*/*.py')):\n"
    "    if 'tests' not in path.parts: importlib.import_module('.'.join(path.with_suffix('').parts))\n"
)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two pieces of work; each call returns the CPU seconds that it took. `rounds` is how often they take turns."""

    name: str
    ours: Callable[[], float]
    theirs: Callable[[], float]
    rounds: int


def pairs(folder: Path) -> Iterator[Pair]:
    """All pairs; what they need is written below a folder."""
    yield from _generated()
    yield from _processes(folder)


def _generated() -> Iterator[Pair]:
    """Generated code with the standard library alone: orjson, if it is here, is hidden."""
    sys.modules["orjson"] = None  # type: ignore[assignment]
    scheme: Any = importlib.import_module("generated.scheme")
    for name, (fixture, other) in OBJECTS.items():
        for work, (ours, theirs) in _calls(scheme, (FIXTURES / f"{fixture}.json").read_bytes(), other).items():
            yield Pair(f"{work}, {name}", _timed(ours), _timed(theirs), 15)


def _calls(scheme: Any, text: bytes, other: str) -> Mapping[str, tuple[Callable[[], object], Callable[[], object]]]:
    tree = json.loads(text)
    data = json.dumps(tree, separators=(",", ":")).encode()
    lines = yaml.safe_dump(tree).encode()
    obj = scheme.decode(data)
    wire = scheme.encode(obj, PROTOBUF)

    def loads() -> object:
        return json.loads(data)

    def dumps() -> object:
        return json.dumps(tree, separators=(",", ":"), ensure_ascii=False)

    def copied() -> object:
        return copy.deepcopy(obj)

    return {
        "JSON → object / json.loads": (lambda: scheme.decode(data, default=False), loads),
        "object → JSON / json.dumps": (lambda: scheme.encode(obj), dumps),
        "protobuf → object / json.loads": (lambda: scheme.decode(wire, PROTOBUF, default=False), loads),
        "object → protobuf / json.dumps": (lambda: scheme.encode(obj, PROTOBUF), dumps),
        "YAML → object / yaml.load": (
            lambda: scheme.decode(lines, "application/yaml", default=False),
            lambda: yaml.load(lines, yaml.CSafeLoader),
        ),
        "deep copy / copy.deepcopy": (lambda: scheme.copy(obj), copied),
        "to the other version / copy.deepcopy": (lambda: scheme.convert(obj, other), copied),
        "full way / json.loads and json.dumps": (
            lambda: scheme.encode(scheme.convert(scheme.decode(data), other)),
            lambda: (loads(), dumps()),
        ),
    }


def _processes(folder: Path) -> Iterator[Pair]:
    """Whole processes: compiling, compiling what has not changed, reviewing, importing."""
    project = one_group(folder)
    project.cost_of("generate")
    old, new = (_side(release, folder) for release in ("v0.36.6", "v0.37.2"))
    start = _process(START)

    def cold() -> float:
        project.forget()
        return project.cost_of("generate").cpu_seconds

    yield Pair("compile a group / parse its code", cold, _process(PARSE, str(project.output)), 5)
    yield Pair("compile what has not changed / start Python", lambda: project.cost_of("generate").cpu_seconds, start, 7)
    review = project.command("diff", old, new, "--no-counterexamples", "--no-cache")
    loaded = _process(LOAD, old, new)
    yield Pair(
        "review a group / load its YAML",
        lambda: cost_of_process(review, project.environment, str(ROOT), (0, 1)).cpu_seconds,
        loaded,
        5,
    )
    yield Pair("import all that is generated / start Python", _process(IMPORT), start, 5)


def _side(release: str, folder: Path) -> str:
    """The specs of a release, all but one group removed: what it names of others is not looked for in a review."""
    specs = unpack(release, folder)
    for path in specs.iterdir():
        if path.name not in REVIEWED:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    return str(specs)


def _process(program: str, *arguments: str) -> Callable[[], float]:
    command: Sequence[str] = [sys.executable, "-c", program, *arguments]
    environment = plain_environment(PYTHONPATH=str(ROOT))
    return lambda: cost_of_process(command, environment, str(ROOT)).cpu_seconds


def _timed(call: Callable[[], object]) -> Callable[[], float]:
    """The CPU seconds of one call, on average over a short window; the first call loads what it needs."""
    call()
    count = 1
    while _spent(call, count) < 0.01:
        count *= 2

    return lambda: _spent(call, count) / count


def _spent(call: Callable[[], object], count: int) -> float:
    started = time.process_time()
    for _ in range(count):
        call()
    return time.process_time() - started
