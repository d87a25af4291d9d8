"""Sets up the peers that can be had: each step once, and none that fails stops the others."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from benchmarks.measuring import plain_environment
from benchmarks.peers.places import (
    BUILD,
    BUILT,
    GO_MODULES,
    GO_RUNTIME,
    HARNESS,
    MODELS,
    NATIVE,
    PYTHON,
    ROOT,
    TOOLS,
    find_tool,
)
from benchmarks.progress import tell
from tests.inputs.go.modules import FoundModule, MissingModule, find_module

SET_UP_TOOLS = {
    "buf": ("github.com/bufbuild/buf", "v1.75.0", "./cmd/buf"),
    "crdify": ("sigs.k8s.io/crdify", "v0.5.0", "."),
}
"""Tool -> its module, the version, and the package of the command."""
STEPS = "ruff,openapi-python-client,betterproto2"
"""The steps of the harness that make models; those with Black make the same models more slowly."""
STAGING = "v0.36.3"


def set_up() -> None:
    """Set up all peers, as far as their harness, a package index and Go are at hand; existing ones are kept."""
    BUILD.mkdir(parents=True, exist_ok=True)
    if not (BUILT / "kubernetes_api").is_dir():
        build_kubernetes()
    if not (HARNESS / "requirements.txt").is_file():
        tell(f"no peers in {HARNESS}: set PEERS to their folder")
        return
    if _step("the peers' environment", PYTHON.with_name(".ready"), _environment):
        _step("the peers' models", MODELS / "dcg_msgspec.py", _models)
    if shutil.which("go"):
        _step("Kubernetes' own Go code", GO_RUNTIME, _go_runtime)
        _step("the objects in protobuf", MODELS / "wire" / "podfixture.pb", _wire)
        for name in SET_UP_TOOLS:
            if find_tool(name) is None:
                _step(name, TOOLS / name, partial(_build, name))


def build_kubernetes() -> None:
    """Compile all of Kubernetes' API into `BUILT`, as it is measured."""
    command = [sys.executable, "-m", "tests.kubernetes.whole.building", "api-specs/kubernetes", str(BUILT)]
    subprocess.run(command, cwd=ROOT, env=plain_environment(), check=True)


def build_native() -> None:
    """Build the optional extension into `NATIVE`; without a compiler its contender stays away."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-build-isolation", "--no-deps", "--upgrade"]
    try:
        _run([*command, "--target", str(NATIVE), str(ROOT / "native")])
    except subprocess.CalledProcessError as error:
        tell(f"the extension cannot be built: {error}")


def fixtures() -> Path | None:
    """The folder with Kubernetes' fixtures, which hold a Pod with every field; None where its Go module cannot be had."""
    module = find_module("k8s.io/api", STAGING, cache=GO_MODULES)
    return module.folder / "testdata" / "HEAD" if isinstance(module, FoundModule) else None


def peers_environment() -> dict[str, str]:
    """What the harness takes from the environment."""
    found = fixtures()
    extra = {} if found is None else {"PEERS_FIXTURES": str(found)}
    return plain_environment(PEERS_BUILD=str(MODELS), PEERS_OBJECTS=str(HARNESS / "objects"), GOWORK="off", **extra)


def _step(name: str, made: Path, make: Callable[[], None]) -> bool:
    """Make what is not there; says so where it cannot be made."""
    if made.exists():
        return True
    tell(f"setting up {name} …")
    try:
        make()
    except (subprocess.CalledProcessError, OSError) as error:
        tell(f"{name} cannot be set up: {error}")
    return made.exists()


def _run(command: Sequence[str], folder: Path = ROOT, environment: Mapping[str, str] | None = None) -> None:
    env = plain_environment() if environment is None else dict(environment)
    subprocess.run(command, cwd=folder, env=env, check=True, stdout=subprocess.DEVNULL)


def _environment() -> None:
    _run([sys.executable, "-m", "venv", str(PYTHON.parent.parent)])
    _run([str(PYTHON), "-m", "pip", "install", "--quiet", "--requirement", str(HARNESS / "requirements.txt")])
    PYTHON.with_name(".ready").touch()


def _models() -> None:
    MODELS.mkdir(exist_ok=True)
    command = [str(PYTHON), str(HARNESS / "prepare.py"), "--build", str(MODELS), "--runs", "1", "--only", STEPS]
    _run(command, environment=peers_environment())


def _go_runtime() -> None:
    _run(["go", "test", "-c", "-o", str(GO_RUNTIME), "."], HARNESS / "go-runtime", peers_environment())


def _wire() -> None:
    environment = peers_environment() | {"PEERS_WIRE": str(MODELS / "wire")}
    _run([str(GO_RUNTIME), "-test.run", "TestWriteWire"], HARNESS / "go-runtime", environment)


def _build(name: str) -> None:
    """Build a tool in its own module: the versions of what it needs are those that its authors chose."""
    module, version, package = SET_UP_TOOLS[name]
    found = find_module(module, version, cache=GO_MODULES)
    if isinstance(found, MissingModule):
        raise OSError(str(found))
    environment = plain_environment(GOWORK="off", GOFLAGS="")
    _run(["go", "build", "-o", str(TOOLS / name), package], found.folder, environment)
