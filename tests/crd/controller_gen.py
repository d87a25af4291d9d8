"""Compares the CRDs of controller-gen with ours for the Go types of two operators: `python -m tests.crd.controller_gen`.

`--write` stores `tests/records/controller-gen.md`. Each difference needs a reason in `controller-gen-reasons.yaml`; the command returns 1 for a
difference without one, and for a manifest that kube-apiserver rejects.
"""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.cluster.api_server import running
from tests.cluster.programs import cache
from tests.yaml_files import read_yaml, read_yaml_documents

HERE = Path(__file__).parent
RECORD = HERE.parent / "records/controller-gen.md"
CONTROLLER_GEN = "v0.20.1"
KUBERNETES = "v0.36.3"
"""The modules that the Go types refer to."""

CONFIG = 'backends = ["crd"]\noutput = "out"\nformatter = "none"\ngroups = ["{group}"]\n[crd]\ncertificate = "a/b"\n'


@dataclass(frozen=True)
class Operator:
    """A module with Go types, and how its own makefile calls controller-gen."""

    module: str
    version: str
    package: str
    group: str
    generator: str = "crd"

    @property
    def name(self) -> str:
        return self.module.rpartition("/")[2]


OPERATORS = (
    Operator("sigs.k8s.io/cluster-api", "v1.13.6", "api/core/v1beta2", "cluster.x-k8s.io"),
    Operator(
        "sigs.k8s.io/kueue",
        "v0.14.0",
        "apis/kueue/v1beta1",
        "kueue.x-k8s.io",
        "crd:generateEmbeddedObjectMeta=true",
    ),
)


_SIDES = {
    "ours": "only ours has it",
    "controller-gen": "only that of controller-gen has it",
    "both": "the values differ",
}


@dataclass(frozen=True)
class Difference:
    """A key that one of the manifests has, or a value that differs."""

    side: str
    key: str
    path: str
    values: str

    def agrees(self, reason: dict[str, Any]) -> bool:
        """Whether a reason is about it."""
        keys = reason["keys"]
        is_key = self.key in keys if isinstance(keys, list) else re.fullmatch(keys, self.key) is not None
        where = f"{self.path}.{self.key}"
        return self.side in reason["sides"] and is_key and re.search(reason.get("path", ""), where) is not None


@dataclass(frozen=True)
class Cpu:
    """CPU seconds of a command each, the least of three runs."""

    imported: float
    generated: float
    unchanged: float
    started: float


@dataclass(frozen=True)
class Compared:
    """What both made of one operator."""

    operator: Operator
    kinds: int
    fields: int
    ours: Cpu
    theirs: float
    differences: list[Difference]
    rejections: list[str]


def main(arguments: Sequence[str]) -> int:
    """Print the record, or store it."""
    reasons = read_yaml((HERE / "controller-gen-reasons.yaml").read_text("utf-8"))
    with tempfile.TemporaryDirectory() as name:
        found = [compared(operator, Path(name) / operator.name) for operator in OPERATORS]
    text, is_complete = page(found, reasons)
    if "--write" in arguments:
        RECORD.write_text(text, encoding="utf-8")
    else:
        print(text)
    return 0 if is_complete and not any(each.rejections for each in found) else 1


def page(found: Sequence[Compared], reasons: Sequence[dict[str, Any]]) -> tuple[str, bool]:
    """The record, and whether each difference has a reason."""
    counts: dict[int, Counter[str]] = {}
    without: dict[tuple[str, str, str], list[Difference]] = {}
    for each in found:
        for difference in each.differences:
            number = next((n for n, reason in enumerate(reasons) if difference.agrees(reason)), None)
            if number is None:
                without.setdefault((each.operator.name, difference.side, difference.key), []).append(difference)
            else:
                counts.setdefault(number, Counter())[each.operator.name] += 1
    names = [each.operator.name for each in found]
    lines = [
        "# CRDs of controller-gen and of apigen",
        "",
        f"Written by `python -m tests.crd.controller_gen --write`. Both read the same Go types; controller-gen is {CONTROLLER_GEN}. Texts are compared without",
        "regard to line breaks.",
        "",
        "| operator | kinds | fields | differences | rejected by kube-apiserver |",
        "|---|---:|---:|---:|---:|",
        *(
            f"| {each.operator.name} {each.operator.version} `{each.operator.package}` | {each.kinds} | {each.fields:,} | {len(each.differences):,} | {len(each.rejections)} |"
            for each in found
        ),
        "",
        "## CPU",
        "",
        "CPU seconds, the least of three runs, with warm caches of the file system, of Go and of Python's bytecode. controller-gen reads the Go types in each run; apigen reads",
        "them once, and then the specs. The target is 0.15 of controller-gen.",
        "",
        "| operator | controller-gen | `apigen import go --docs` | `apigen generate --no-cache` | `apigen generate`, nothing changed | share of controller-gen, nothing changed | start of apigen |",
        "|---|---:|---:|---:|---:|---:|---:|",
        *(
            f"| {each.operator.name} | {each.theirs:.2f} | {each.ours.imported:.2f} | {each.ours.generated:.2f} | {each.ours.unchanged:.2f} | {each.ours.unchanged / each.theirs:.2f} | {each.ours.started:.2f} |"
            for each in found
        ),
        "",
        "## Differences",
        "",
        f"| difference | {' | '.join(names)} | reason |",
        f"|---|{'---:|' * len(names)}---|",
        *(
            f"| {reasons[number]['what']} | {' | '.join(str(of[name]) for name in names)} | {reasons[number]['reason']} |"
            for number, of in sorted(counts.items())
        ),
        "",
    ]
    if without:
        lines += ["## Open", "", "Differences without a reason, each kind with one example:", ""]
        lines += [
            f"- {name}: {len(each)} × `{key}` ({_SIDES[side]}), as at `{each[0].path[-100:]}`: `{each[0].values}`"
            for (name, side, key), each in without.items()
        ]
        lines.append("")
    if rejections := [rejection for each in found for rejection in each.rejections]:
        lines += ["## Rejected by kube-apiserver", "", *(f"- {each}" for each in rejections), ""]
    return "\n".join(lines), not without


def compared(operator: Operator, folder: Path) -> Compared:
    """Generate the CRDs of an operator by both, and compare them."""
    source = module(operator.module, operator.version)
    ours, our_seconds = by_apigen(operator, source, folder / "ours")
    theirs, their_seconds = by_controller_gen(operator, source, folder / "theirs")
    differences = [
        Difference(("ours" if name in ours else "controller-gen"), "CustomResourceDefinition", name, "")
        for name in sorted(set(ours) ^ set(theirs))
    ]
    for name in sorted(set(ours) & set(theirs)):
        differences += different(ours[name], theirs[name], name)
    state = folder / "server"
    state.mkdir()
    with running(state) as server:
        rejections = [f"{name}: {why}" for name, each in ours.items() if (why := server.rejection(each))]
    fields = sum(map(fields_in, ours.values()))
    return Compared(operator, len(ours), fields, our_seconds, their_seconds, differences, rejections)


def module(path: str, version: str) -> Path:
    """The folder of a Go module, downloaded if need be."""
    command = ["go", "mod", "download", "-json", f"{path}@{version}"]
    done = subprocess.run(command, env=go_environment(), capture_output=True, text=True, check=True, cwd=HERE)
    return Path(json.loads(done.stdout)["Dir"])


def go_environment() -> dict[str, str]:
    return {**os.environ, "GOFLAGS": "-buildvcs=false -mod=mod", "GOWORK": "off"}


def by_apigen(operator: Operator, source: Path, folder: Path) -> tuple[dict[str, Any], Cpu]:
    """Our manifests by name, and what they cost."""
    folder.mkdir(parents=True)
    (folder / "apigen.toml").write_text(CONFIG.format(group=operator.group), encoding="utf-8")
    modules = [f"k8s.io/{name}={module(f'k8s.io/{name}', KUBERNETES)}" for name in ("api", "apimachinery")]
    given = [word for each in modules for word in ("--module", each)]
    apigen = [sys.executable, "-m", "apigen"]
    commands = (
        ["import", "go", str(source / operator.package), "--docs", *given],
        ["generate", "--no-cache"],
        ["generate"],
        ["--version"],
    )
    seconds = Cpu(*(cpu([*apigen, *command], folder) for command in commands))
    return manifests(folder / "out/crds"), seconds


def by_controller_gen(operator: Operator, source: Path, folder: Path) -> tuple[dict[str, Any], float]:
    """The manifests of controller-gen by name, and its CPU seconds."""
    program = cache() / f"controller-gen-{CONTROLLER_GEN}" / "controller-gen"
    if not program.exists():
        target = f"sigs.k8s.io/controller-tools/cmd/controller-gen@{CONTROLLER_GEN}"
        environment = {**go_environment(), "GOBIN": str(program.parent)}
        subprocess.run(["go", "install", target], env=environment, check=True, cwd=HERE)
    command = [str(program), operator.generator, f"paths=./{operator.package}/...", f"output:dir={folder}"]
    seconds = cpu(command, source)
    return manifests(folder), seconds


def cpu(command: Sequence[str], folder: Path) -> float:
    """The CPU seconds of a command, the least of three runs after one that fills caches."""
    environment = go_environment()
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    taken = []
    for _ in range(4):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{' '.join(command)}: {done.stdout[-2000:]}{done.stderr[-2000:]}"
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        taken.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(taken[1:])


def manifests(folder: Path) -> dict[str, Any]:
    """The CustomResourceDefinitions in a folder, by name."""
    documents = (
        each for file in sorted(folder.glob("*.yaml")) for each in read_yaml_documents(file.read_text("utf-8"))
    )
    return {each["metadata"]["name"]: each for each in documents}


def fields_in(schema: Any) -> int:
    """The number of properties in a schema and all below it."""
    if isinstance(schema, list):
        return sum(map(fields_in, schema))
    if not isinstance(schema, dict):
        return 0
    named = schema.get("properties")
    return (len(named) if isinstance(named, dict) else 0) + sum(map(fields_in, schema.values()))


def different(ours: Any, theirs: Any, path: str) -> Iterator[Difference]:
    """The differences of two trees."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for key in sorted({*ours, *theirs}):
            if key not in ours:
                yield Difference("controller-gen", key, path, str(theirs[key])[:100])
            elif key not in theirs:
                yield Difference("ours", key, path, str(ours[key])[:100])
            else:
                yield from different(ours[key], theirs[key], f"{path}.{key}")
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        for number, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            yield from different(one, other, f"{path}[{number}]")
    elif words(ours) != words(theirs):
        above, _, key = path.rpartition(".")
        yield Difference("both", key, above, f"{str(ours)[:60]} / {str(theirs)[:60]}")


def words(value: Any) -> Any:
    """A text without regard to its line breaks."""
    return value.split() if isinstance(value, str) else value


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
