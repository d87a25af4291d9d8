"""Kubernetes' eight Go generators on its own API: `python -m benchmarks.compiler.go_suite` measures them, and keeps the figure.

They take minutes of CPU, so `make bench` does not run them each time: it takes the figure in `go-suite.json`, scaled by
what `openapi-python-client` took next to them then and takes now. Needs Go and the peers; what is generated lands below `build/`.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.compiler.generators import cost_of_scale
from benchmarks.measuring import ProcessCost, cost_of_process, plain_environment
from benchmarks.peers.places import BUILD, GO_MODULES, HARNESS, PYTHON
from benchmarks.progress import tell
from benchmarks.tables import table
from tests.inputs.go.modules import FoundModule, find_module

KEPT = Path(__file__).with_name("go-suite.json")
RELEASE, STAGING, OPENAPI = "v1.36.3", "v0.36.3", "v0.0.0-20260317180543-43fb72c5454a"
COPIED = {"kubernetes": RELEASE, "api": STAGING, "apimachinery": STAGING, "client-go": STAGING}
"""Modules that the generators write into."""
SUITE = BUILD / "go-suite"
TREE = SUITE / "tree"
BIN = SUITE / "bin"
GOGO = "github.com/gogo/protobuf"
COMMANDS = (
    *(f"k8s.io/code-generator/cmd/{name}" for name in (
        "deepcopy-gen", "defaulter-gen", "conversion-gen", "prerelease-lifecycle-gen", "validation-gen",
        "applyconfiguration-gen", "go-to-protobuf", "go-to-protobuf/protoc-gen-gogo")),
    "golang.org/x/tools/cmd/goimports",
    "k8s.io/kube-openapi/cmd/openapi-gen",
    "k8s.io/kubernetes/pkg/generated/openapi/cmd/models-schema",
)  # fmt: skip
BY_TAG = {
    "deepcopy-gen": ("+k8s:deepcopy-gen=", "deepcopy", ()),
    "defaulter-gen": ("+k8s:defaulter-gen=", "defaults", ()),
    "conversion-gen": (
        "+k8s:conversion-gen=",
        "conversion",
        ("k8s.io/kubernetes/pkg/apis/core", "k8s.io/kubernetes/pkg/apis/core/v1", "k8s.io/api/core/v1"),
    ),
    "prerelease-lifecycle-gen": ("+k8s:prerelease-lifecycle-gen=true", "prerelease-lifecycle", ()),
    "validation-gen": (
        "+k8s:validation-gen=",
        "validations",
        (
            "k8s.io/apimachinery/pkg/apis/meta/v1",
            "k8s.io/apimachinery/pkg/api/resource",
            "k8s.io/apimachinery/pkg/runtime",
            "k8s.io/apimachinery/pkg/types",
            "k8s.io/apimachinery/pkg/util/intstr",
            "time",
        ),
    ),
}
"""Generator -> the tag of packages that want it, the name of its file, and the packages that it also reads."""
ALSO_READS = {"conversion-gen": "--extra-peer-dirs", "validation-gen": "--readonly-pkg"}


@dataclass(frozen=True, slots=True)
class Suite:
    """What was measured: CPU seconds and peak by generator, lines written, and the scale next to them."""

    versions: Mapping[str, str]
    cpu_seconds: Mapping[str, float]
    peak_bytes: Mapping[str, int]
    lines: int
    scale: str
    scale_cpu_seconds: float

    @property
    def cpu(self) -> float:
        """CPU seconds of all generators."""
        return sum(self.cpu_seconds.values())


def kept_suite() -> Suite | None:
    """Return the stored figure, or `None` if it was not measured."""
    return Suite(**json.loads(KEPT.read_text(encoding="utf-8"))) if KEPT.exists() else None


def main() -> None:
    """Set the generators up, run each, print the table and keep it."""
    if not (BIN / "models-schema").exists():
        _set_up()
    scales = [cost_of_scale().cpu_seconds]
    costs: dict[str, ProcessCost] = {}
    for name, command in _commands():
        tell(f"running {name}")
        costs[name] = cost_of_process(command, _environment(), str(SUITE))
        scales.append(cost_of_scale().cpu_seconds)
    go = subprocess.run(["go", "env", "GOVERSION"], capture_output=True, text=True, check=True).stdout.strip()
    versions = {"Kubernetes": RELEASE, "code-generator": STAGING, "kube-openapi": OPENAPI, "Go": go}
    cpu = {name: round(cost.cpu_seconds, 2) for name, cost in costs.items()}
    peak = {name: cost.peak_bytes for name, cost in costs.items()}
    suite = Suite(versions, cpu, peak, _written(), "openapi-python-client", round(min(scales), 2))
    KEPT.write_text(json.dumps(asdict(suite), indent=1) + "\n", encoding="utf-8")
    rows = [[name, f"{cpu[name]:.1f}", f"{peak[name] / 2**20:.0f}"] for name in cpu]
    print(table(["generator", "CPU s", "MiB"], [*rows, ["all", f"{suite.cpu:.1f}", ""]]))


def _set_up() -> None:
    """Copies of the modules that can be written to, and the generators, built."""
    SUITE.mkdir(parents=True, exist_ok=True)
    for name, version in COPIED.items():
        shutil.copytree(_module(f"k8s.io/{name}", version), TREE / "k8s.io" / name, copy_function=shutil.copyfile)
        for path in (TREE / "k8s.io" / name).rglob("*"):
            path.chmod(0o755 if path.is_dir() else 0o644)
    text = (HARNESS / "go-runtime" / "go.mod").read_text(encoding="utf-8")
    for name in COPIED:
        text = re.sub(rf"k8s.io/{name} => .*", f"k8s.io/{name} => ./tree/k8s.io/{name}", text)
    text += f"\nreplace k8s.io/kubernetes => ./tree/k8s.io/kubernetes\n\nrequire k8s.io/code-generator {STAGING}\n"
    (SUITE / "go.mod").write_text(f"{text}\nrequire k8s.io/kube-openapi {OPENAPI}\n", encoding="utf-8")
    (SUITE / "go.sum").write_bytes((HARNESS / "go-runtime" / "go.sum").read_bytes())
    imports = "".join(f'\t_ "{command}"\n' for command in COMMANDS)
    (SUITE / "tools.go").write_text(f"//go:build tools\n\npackage suite\n\nimport (\n{imports})\n", encoding="utf-8")
    for command in (["go", "mod", "tidy", "-e"], ["go", "install", *COMMANDS]):
        subprocess.run(command, cwd=SUITE, env=_environment(), check=True)
    protoc = BIN / "protoc"
    protoc.write_text(f'#!/bin/sh\nexec {PYTHON} -m grpc_tools.protoc "$@"\n', encoding="utf-8")
    protoc.chmod(0o755)


def _environment() -> dict[str, str]:
    path = f"{BIN}:{os.environ['PATH']}"
    return plain_environment(GOWORK="off", GOFLAGS="-mod=mod", GOBIN=str(BIN), PATH=path)


def _commands() -> Iterator[tuple[str, Sequence[str]]]:
    header = ("--go-header-file", str(TREE / "k8s.io/kubernetes/hack/boilerplate/boilerplate.generatego.txt"))
    for name, (tag, file, reads) in BY_TAG.items():
        also = [word for package in reads for word in (ALSO_READS[name], package)]
        yield name, [str(BIN / name), *header, "--output-file", f"zz_generated.{file}.go", *also, *_tagged(tag)]
    api = sorted({_package(path) for path in (TREE / "k8s.io/api").rglob("types.go")})
    configurations = "k8s.io/client-go/applyconfigurations"
    schema = SUITE / "schema.json"
    with schema.open("wb") as written:
        subprocess.run([str(BIN / "models-schema")], stdout=written, cwd=SUITE, check=True)
    output = ["--output-dir", str(TREE / configurations), "--output-pkg", configurations]
    packages = [*api, "k8s.io/apimachinery/pkg/apis/meta/v1"]
    yield (
        "applyconfiguration-gen",
        [str(BIN / "applyconfiguration-gen"), "--openapi-schema", str(schema), *header, *output, *packages],
    )
    imports = [f"--proto-import={folder}" for folder in (TREE, *_gogo())]
    yield "go-to-protobuf", [
        str(BIN / "go-to-protobuf"), *header, f"--output-dir={TREE}", *imports, f"--packages={','.join(_tagged('+k8s:protobuf-gen=package'))}",
    ]  # fmt: skip
    yield "openapi-gen", [
        str(BIN / "openapi-gen"), *header, "--output-file", "zz_generated.openapi.go",
        "--output-dir", str(TREE / "k8s.io/kubernetes/pkg/generated/openapi"),
        "--output-pkg", "k8s.io/kubernetes/pkg/generated/openapi", "--report-filename", str(SUITE / "violations"),
        "--output-model-name-file", "zz_generated.model_name.go", *_tagged("+k8s:openapi"),
    ]  # fmt: skip


def _module(name: str, version: str) -> Path:
    found = find_module(name, version, cache=GO_MODULES)
    if not isinstance(found, FoundModule):
        raise SystemExit(str(found))
    return found.folder


def _gogo() -> tuple[Path, ...]:
    """Where `gogo.proto` is found under the name by which files import it."""
    shared = SUITE / "include" / GOGO / "gogoproto"
    if not shared.exists():
        shared.mkdir(parents=True)
        shutil.copy(_module(GOGO, "v1.3.2") / "gogoproto" / "gogo.proto", shared)
    return (SUITE / "include",)


def _tagged(tag: str) -> list[str]:
    """The packages of which a file asks for a generator."""
    found = {
        _package(path)
        for path in TREE.rglob("*.go")
        if not path.name.startswith("zz_")
        and "testdata" not in path.parts
        and tag in path.read_text("utf-8", "replace")
    }
    return sorted(found)


def _package(path: Path) -> str:
    return path.parent.relative_to(TREE).as_posix()


def _written() -> int:
    """Lines that the generators wrote, by the names that they give their files."""
    files = [path for path in TREE.rglob("*.go") if path.name.startswith(("zz_generated.", "generated.pb."))]
    files += (TREE / "k8s.io/client-go/applyconfigurations").rglob("*.go")
    files += TREE.rglob("generated.proto")
    return sum(path.read_bytes().count(b"\n") for path in files)


if __name__ == "__main__":
    main()
