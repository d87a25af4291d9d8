"""The modules that hand-written functions lead to, read by LibCST, which only builds with hand-written functions load."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from pathlib import Path

import libcst as cst

from apigen.codegen.handwritten.tree_shake import imported, shaken
from apigen.diagnostics import Place, Report
from apigen.ir.hand_written import HandWrittenFunction, ModuleName


def parsed(path: Path, display_path: str, report: Report) -> cst.Module | None:
    """The module; None, with AG0803 in the file that is `display_path`, where Python cannot read it."""
    try:
        return cst.parse_module(path.read_text(encoding="utf-8"))
    except (cst.ParserSyntaxError, UnicodeDecodeError, OSError, RecursionError) as error:
        line = getattr(error, "raw_line", 0)
        report.error("AG0803", Place(display_path, line, 1 if line else 0), f"this is no Python: {_first_line(error)}")
        return None


def _first_line(error: Exception) -> str:
    return str(getattr(error, "message", error)).splitlines()[0]


def needed_modules(
    functions: Iterable[HandWrittenFunction], folder: Path, display_path: str, report: Report
) -> Mapping[ModuleName, cst.Module]:
    """Return the modules below `folder`, each with only the statements that the functions need.

    `display_path` is the name of the folder in diagnostics. Error AG0803: a module that Python cannot read.
    """
    needed_by_module: dict[ModuleName, set[str]] = defaultdict(set)
    for function in functions:
        needed_by_module[function.relative_module].add(function.name)
    complete_modules: dict[ModuleName, cst.Module | None] = {}
    needed: dict[ModuleName, cst.Module] = {}
    waiting = list(needed_by_module)
    while waiting:
        name = waiting.pop()
        if name not in complete_modules:
            complete_modules[name] = parsed(folder / name.path, f"{display_path}/{name.path}", report)
        module = complete_modules[name]
        if module is None:
            continue
        needed[name] = shaken(module, needed_by_module[name])
        for other, names in helpers_of(needed[name], folder.name):
            if (folder / other.path).is_file() and not needed_by_module[other].issuperset(names):
                needed_by_module[other].update(names)
                waiting.append(other)
    return dict(sorted(needed.items()))


def helpers_of(module: cst.Module, package: str) -> Iterator[tuple[ModuleName, tuple[str, ...]]]:
    """The names that a module imports from other hand-written ones; `package` is how their folder is imported."""
    for name, names in imported(module.body):
        match name.split("."):
            case [first, group, version, helper] if first == package:
                yield ModuleName(group, version, helper), names


def named_gates(modules: Iterable[cst.Module], known: Container[str]) -> frozenset[str]:
    """The gates that modules name: which of their text literals are `known`."""
    texts = (
        node.value
        for module in modules
        for node in ast.walk(ast.parse(module.code))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
    return frozenset(text for text in texts if text in known)
