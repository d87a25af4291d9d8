"""Puts one small mistake at a time into a module and runs the tests that should notice: `make mutation`.

    python -m tests.mutation.run [part of a target's name]

What nobody notices has to be explained in `survivors.yaml`, by target: why it is no mistake, or which test is missing. Exits with
1 where an unexplained mutant survives, or one that is explained does not. Each mutant has a process of its own, in which an import hook
gives the changed module to whoever imports it; no file is changed.
"""

from __future__ import annotations

import ast
import importlib.abc
import importlib.machinery
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, ModuleType

import yaml

from tests.generating import generate_package
from tests.mutation.mutants import Mutant, mutants
from tests.mutation.targets import PACKAGE, ROOT, TARGETS, Target

SURVIVORS = Path(__file__).parent / "survivors.yaml"
SECONDS = 120


class Mutated(importlib.abc.MetaPathFinder):
    """Gives a changed tree to whoever imports a module whose name ends like that of the target."""

    def __init__(self, module: str, tree: ast.Module) -> None:
        self._module = module
        self._tree = tree

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The spec of the module with a loader of its own."""
        if fullname != self._module and not fullname.endswith(f".{self._module}"):
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path)
        if spec is not None and spec.origin is not None:
            spec.loader = _Loader(fullname, spec.origin, self._tree)
        return spec


class _Loader(importlib.machinery.SourceFileLoader):
    def __init__(self, fullname: str, path: str, tree: ast.Module) -> None:
        super().__init__(fullname, path)
        self._tree = tree

    def get_code(self, fullname: str) -> CodeType:
        code: CodeType = compile(self._tree, self.path, "exec")
        return code


@dataclass(frozen=True, slots=True)
class Job:
    """A mutant and the tests that should notice it."""

    module: str
    tests: tuple[str, ...]
    mutant: Mutant | None


def noticed(job: Job) -> bool:
    """Whether the tests fail, or do not end, in a process of their own."""
    child = os.fork()
    if child == 0:
        _run(job)
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status) != 0
        time.sleep(0.02)
    os.kill(child, 9)
    os.waitpid(child, 0)
    return True


def _run(job: Job) -> None:
    """Run the tests in this process, which ends with them."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    code = 3
    try:
        sys.dont_write_bytecode = True
        if job.mutant is not None:
            sys.meta_path.insert(0, Mutated(job.module, job.mutant.tree))
        for name in [name for name in sys.modules if name.split(".")[0] in ("apigen", "tests", PACKAGE)]:
            del sys.modules[name]
        import pytest

        options = ["-x", "-q", "-n", "0", "-p", "no:cacheprovider", "--hypothesis-seed=0", f"--rootdir={ROOT}"]
        code = int(pytest.main([*options, *job.tests]))
    finally:
        os._exit(code)


def main(wanted: str = "") -> int:
    """Run the targets whose name has `wanted` in it, and compare what survives with what is explained."""
    os.chdir(ROOT)
    explained = yaml.safe_load(SURVIVORS.read_text(encoding="utf-8")) or {}
    exit_code = 0
    with tempfile.TemporaryDirectory() as folder:
        package = _package(Path(folder))
        sys.path.insert(0, folder)
        for target in TARGETS:
            if wanted in target.name:
                exit_code |= _judge(target, package, {row["mutant"] for row in explained.get(target.name, ())})
    return exit_code


def _package(folder: Path) -> Path:
    """The Frobbers of the docs, compiled."""
    specs = folder / "api-specs"
    shutil.copytree(ROOT / "api-specs" / "things.example.com", specs / "things.example.com")
    shutil.copyfile(ROOT / "api-specs" / "features.yaml", specs / "features.yaml")
    made = folder / generate_package(specs, folder)
    return made.rename(folder / PACKAGE)


def _judge(target: Target, package: Path, explained: set[str]) -> int:
    tests = tuple(test.replace("{package}", str(package)) for test in target.tests)
    if noticed(Job(target.module, tests, None)):
        print(f"{target.name}: its tests fail as it is")
        return 1
    source = Path(target.source.replace("{package}", str(package))).read_text(encoding="utf-8")
    all_of_them = list(mutants(source))
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(noticed, (Job(target.module, tests, mutant) for mutant in all_of_them)))
    survivors = [mutant for mutant, is_noticed in zip(all_of_them, results, strict=True) if not is_noticed]
    names = {mutant.name for mutant in survivors}
    unexplained = [mutant for mutant in survivors if mutant.name not in explained]
    print(
        f"{target.name}: {len(all_of_them)} mutants, {len(survivors)} survive, {len(unexplained)} of them unexplained"
    )
    for mutant in unexplained:
        print(f"  line {mutant.number}: {mutant.name}")
    for name in sorted(explained - names):
        print(f"  explained, and noticed now: {name}")
    return 1 if unexplained or explained - names else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
