"""All of Kubernetes' API as it is compiled, beside the official `kubernetes` client in the same run.

    python -m benchmarks.whole_api        (`make bench-kubernetes`)

Size on disk, what importing costs for all of it and for one version of a group, and what an object holds in memory.
The client is installed into an environment of its own below `build/`; it holds no protobuf, hub, defaults or strategies.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.measuring import table

ROOT = Path(__file__).resolve().parent.parent
BUILT = ROOT / "build" / "kubernetes" / "v0.36.6"
PEER = ROOT / "build" / "peers" / "kubernetes"
PEER_VERSION = "kubernetes==36.0.0"
RUNS = 5
OBJECT = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "web", "namespace": "default", "labels": {"app": "web", "tier": "front"}},
    "spec": {
        "containers": [
            {
                "name": name,
                "image": "registry.example/web:1",
                "ports": [{"name": "http", "containerPort": 8080}],
                "env": [{"name": "MODE", "value": "fast"}, {"name": "LEVEL", "value": "3"}],
                "resources": {"requests": {"cpu": "100m", "memory": "64Mi"}, "limits": {"memory": "128Mi"}},
                "volumeMounts": [{"name": "data", "mountPath": "/data"}],
            }
            for name in ("web", "sidecar")
        ],
        "volumes": [{"name": "data", "emptyDir": {}}],
    },
    "status": {"phase": "Running", "podIP": "10.0.0.7", "podIPs": [{"ip": "10.0.0.7"}]},
}

IMPORT = """
import importlib, json, os, sys, time
def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE") / 1024
start, before = time.perf_counter(), resident()
for name in sys.argv[1:]:
    importlib.import_module(name)
print(json.dumps([time.perf_counter() - start, resident() - before]))
"""
OURS = """
import gc, json, sys, tracemalloc
from kubernetes_api import scheme
data = sys.argv[1]
scheme.decode(data, "application/json", default=False)
gc.collect(); tracemalloc.start()
kept = [scheme.decode(data, "application/json", default=False) for _ in range(200)]
print(json.dumps(tracemalloc.get_traced_memory()[0] / 200))
"""
THEIRS = """
import gc, json, sys, tracemalloc
from types import SimpleNamespace
from kubernetes import client
api = client.ApiClient()
answer = SimpleNamespace(data=sys.argv[1])
api.deserialize(answer, "V1Pod")
gc.collect(); tracemalloc.start()
kept = [api.deserialize(answer, "V1Pod") for _ in range(200)]
print(json.dumps(tracemalloc.get_traced_memory()[0] / 200))
"""


def main() -> None:
    """Measure and print; both sides take turns, the best of several runs counts."""
    if not (BUILT / "kubernetes_api").is_dir():
        raise SystemExit("run `make kubernetes` first")
    peer = _peer()
    package = BUILT / "kubernetes_api"
    modules = _modules(package)
    everything = [module for found in modules.values() for module in found]
    ours = _imports(sys.executable, BUILT, everything)
    theirs = _imports(peer, BUILT, ["kubernetes.client"])
    memory = [_run(sys.executable, BUILT, OURS, json.dumps(OBJECT)), _run(peer, BUILT, THEIRS, json.dumps(OBJECT))]
    client = next((peer.parent.parent / "lib").glob("python*/site-packages/kubernetes/client"))
    rows = [
        ["lines of Python", f"{_lines(package):,}", f"{_lines(client):,}", _ratio(_lines(package), _lines(client))],
        ["MB on disk", f"{_size(package):.1f}", f"{_size(client):.1f}", _ratio(_size(package), _size(client))],
        ["import of everything, ms", _ms(ours), _ms(theirs), _ratio(ours[0], theirs[0])],
        ["memory after that, MB", _mb(ours), _mb(theirs), _ratio(ours[1], theirs[1])],
        ["a Pod in memory, KiB", *(f"{bytes_ / 1024:.1f}" for bytes_ in memory), _ratio(*memory)],
    ]
    print(table(["all of Kubernetes' API", "apigen", "kubernetes client", "ratio"], rows))
    shown = [(name, _imports(sys.executable, BUILT, found)) for name, found in modules.items()]
    cells = [[name, str(len(modules[name])), _ms(cost), _mb(cost)] for name, cost in shown]
    print(table(["import of one group-version, all its modules", "modules", "ms", "MB"], cells))


def _peer() -> Path:
    """The Python of an environment that has the client."""
    python = PEER / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(PEER)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", PEER_VERSION], check=True)
    return python


def _modules(package: Path) -> Mapping[str, list[str]]:
    """The modules of every version and hub."""
    found: dict[str, list[str]] = {}
    for path in sorted(package.glob("*/*/*.py")):
        group, version = path.relative_to(package).parts[:2]
        if group not in ("tests", "runtime") and path.name != "__init__.py":
            found.setdefault(f"{group}/{version}", []).append(f"{package.name}.{group}.{version}.{path.stem}")
    return found


def _imports(python: str | Path, folder: Path, modules: list[str]) -> tuple[float, float]:
    """Seconds and kilobytes, the best of several processes; the bytecode is there from the first on."""
    runs = [_output(python, folder, IMPORT, *modules) for _ in range(RUNS)]
    return min(run[0] for run in runs), min(run[1] for run in runs)


def _run(python: str | Path, folder: Path, script: str, argument: str) -> float:
    found: float = _output(python, folder, script, argument)
    return found


def _output(python: str | Path, folder: Path, script: str, *arguments: str) -> Any:
    """What a script prints, as JSON."""
    done = subprocess.run(
        [str(python), "-c", script, *arguments], cwd=folder, check=False, capture_output=True, text=True
    )
    if done.returncode:
        raise SystemExit(done.stderr[-2000:])
    return json.loads(done.stdout)


def _lines(folder: Path) -> int:
    return sum(path.read_bytes().count(b"\n") for path in folder.rglob("*.py") if "tests" not in path.parts)


def _size(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*.py") if "tests" not in path.parts) / 1e6


def _ms(cost: tuple[float, float]) -> str:
    return f"{cost[0] * 1000:.0f}"


def _mb(cost: tuple[float, float]) -> str:
    return f"{cost[1] / 1024:.0f}"


def _ratio(ours: float, theirs: float) -> str:
    return f"{ours / theirs:.2f}" if theirs else ""


if __name__ == "__main__":
    main()
