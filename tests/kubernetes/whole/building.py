"""Compiles the specs of a release into a package `kubernetes_api`, and measures group by group what that costs."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from hashlib import sha256
from importlib.util import module_from_spec, spec_from_file_location
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from apigen.build.publisher.writer import publish
from apigen.codegen.formatting import format_files, formatter_of
from apigen.codegen.pipeline import Checked, Sources, check, generate
from apigen.diagnostics import Report, Severity
from apigen.diagnostics.printers.text import render
from apigen.files.own_code import own_code
from apigen.ir.names import package_name
from tests.kubernetes.compiling import Package
from tests.kubernetes.whole.shared import ROOT

if TYPE_CHECKING:
    from apigen.codegen.output import OutputFile
    from apigen.ir.model import Api

PACKAGE = "kubernetes_api"
_numbers = count()
_RESIDENT = (
    "import importlib, os, sys; from pathlib import Path; statm = Path('/proc/self/statm'); "
    "resident = lambda: int(statm.read_text().split()[1]) * os.sysconf('SC_PAGESIZE') if statm.is_file() else 0"
)
"""Where the system does not say what a process holds, it is 0."""
CODECS = ("json", "protobuf")
"""Enough for fixtures."""
MADE_FOR = "generated"
"""The name by which the hand-written functions of this project import the output."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What compiling took: seconds and lines by group (by its folder), all in all, and the most memory in MB.

    `megabytes` is what a process holds after importing all modules of a group, and those that they import;
    `with_memory` measures it.
    """

    seconds: dict[str, float]
    lines: dict[str, int]
    kinds: dict[str, int]
    lenses: dict[str, int]
    hand_written: dict[str, int]
    megabytes: dict[str, float]
    all_seconds: float
    peak_mb: float


def build(specs: Path, folder: Path, backends: Sequence[str] | None = None) -> Cost:
    """Compile `specs` into `folder / kubernetes_api`; `folder / cost.json` remembers what it took.

    Raises SystemExit with the diagnostics where the specs have errors.
    """
    start = time.perf_counter()
    report = Report()
    by_hand = ROOT / "handwritten" if _has_hubs(specs) else None
    checked = check(Sources(specs, by_hand, ROOT, None, MADE_FOR), report)
    if checked.backend_input is None or report.has_errors:
        raise SystemExit(render([d for d in report.diagnostics if d.severity is Severity.ERROR]))
    groups = {package_name(group.folder): group.folder for group in checked.backend_input.api.groups}
    seconds: dict[str, float] = defaultdict(float)
    lines: Counter[str] = Counter()
    files: list[OutputFile] = []
    before = time.perf_counter()
    for file in generate(checked.backend_input, backends=backends):
        files.append(file)
        group = groups.get(file.path.partition("/")[0], "")
        now = time.perf_counter()
        seconds[group] += now - before
        lines[group] += file.content.count(b"\n")
        before = now
    publish(format_files(files, formatter_of("ruff")).files, folder / PACKAGE)
    cost = Cost(
        seconds=dict(seconds),
        lines=dict(lines),
        kinds=_kinds(checked.backend_input.api),
        lenses=_lenses(checked),
        hand_written=dict(Counter(id_.group for id_, _ in checked.backend_input.hand_written.functions)),
        megabytes={},
        all_seconds=time.perf_counter() - start,
        peak_mb=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    )
    (folder / "cost.json").write_text(json.dumps(asdict(cost)), encoding="utf-8")
    return cost


def with_memory(cost: Cost, folder: Path) -> Cost:
    """The cost of what was built in `folder`, with the memory that each group takes: a process is started for each."""
    groups = (group for group in cost.lines if group)
    return replace(cost, megabytes={group: _megabytes(folder, package_name(group)) for group in groups})


def _megabytes(folder: Path, group: str) -> float:
    """What a process grows by when it imports all modules of a group."""
    modules = [
        ".".join(path.relative_to(folder).with_suffix("").parts)
        for path in sorted((folder / PACKAGE / group).rglob("*.py"))
        if path.name != "__init__.py"
    ]
    script = f"{_RESIDENT}; before = resident(); [importlib.import_module(name) for name in sys.argv[1:]]"
    script += "; print(resident() - before)"
    done = subprocess.run(
        [sys.executable, "-c", script, *modules], cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(done.stderr[-2000:])
    return int(done.stdout) / 2**20


def build_apart(specs: Path, folder: Path, backends: Sequence[str] | None = None) -> Cost:
    """`build` in a process of its own, so that memory is that of one build. Raises SystemExit likewise."""
    arguments = [sys.executable, "-m", "tests.kubernetes.whole.building", str(specs), str(folder)]
    if backends is not None:
        arguments.append(",".join(backends))
    done = subprocess.run(arguments, cwd=ROOT, check=False)
    if done.returncode:
        raise SystemExit(f"the specs in {specs} do not compile")
    return Cost(**json.loads((folder / "cost.json").read_text(encoding="utf-8")))


@cache
def load(folder: Path) -> Package:
    """The package that was built in `folder`, the same each time; who changes it (adds hooks) loads it again."""
    return load_anew(folder)


def load_anew(folder: Path) -> Package:
    """The package that was built in `folder`, under a name of its own: all its imports are relative."""
    name = f"{PACKAGE}_{next(_numbers)}"
    found = spec_from_file_location(
        name, folder / PACKAGE / "__init__.py", submodule_search_locations=[str(folder / PACKAGE)]
    )
    assert found is not None and found.loader is not None
    module = module_from_spec(found)
    sys.modules[name] = module
    found.loader.exec_module(module)
    return Package(name)


def _kinds(api: Api) -> dict[str, int]:
    """How many kinds each group has, counted in each of their versions."""
    return dict(
        Counter(
            group.folder
            for group in api.groups
            for version in group.versions
            for struct in api.structs(group.folder, version.name)
            if struct.kind is not None and struct.list_of is None
        )
    )


def _has_hubs(specs: Path) -> bool:
    """Whether somebody has declared how versions convert; what is hand-written belongs to that."""
    groups = specs.glob("*/group.yaml")
    return any(line.startswith("hub:") for path in groups for line in path.read_text(encoding="utf-8").splitlines())


def _lenses(checked: Checked) -> dict[str, int]:
    """How many mappings are declared in each group: on fields, from above, and for what only the hub has."""
    declared: Counter[str] = Counter()
    for group in checked.spec.groups:
        for type_ in (type_ for file in group.version_files for type_ in file.types):
            declared[group.folder] += len(type_.lenses) + len(type_.hub_only)
            declared[group.folder] += sum(field.hub is not None for field in type_.fields)
    return dict(declared)


def key_of(specs: Path, backends: Sequence[str] | None = None) -> str:
    """A key for what a build depends on: the code of apigen and of this module, the specs, and the backends."""
    code = own_code()
    assert code is not None
    digest = sha256(f"{code} {backends}".encode() + Path(__file__).read_bytes())
    for path in sorted(specs.rglob("*.yaml")):
        digest.update(f"\0{path.relative_to(specs)}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def main(specs: Path, folder: Path, backends: Sequence[str] | None = None) -> None:
    """Build, unless `folder` has what the same code has built from the same specs."""
    key, known = key_of(specs, backends), folder / "key"
    if known.is_file() and known.read_text(encoding="utf-8") == key and (folder / "cost.json").is_file():
        return
    known.unlink(missing_ok=True)
    build(specs, folder, backends)
    known.write_text(key, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3].split(",") if len(sys.argv) > 3 else None)
