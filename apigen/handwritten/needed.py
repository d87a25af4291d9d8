"""What some hand-written functions need: what they use in their modules, and in those that these import names from."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from pathlib import Path

import libcst as cst

from apigen.diagnostics import Report
from apigen.handwritten.reading import parsed
from apigen.handwritten.shaking import imported, shaken
from apigen.ir.hand_written import HandWrittenFunction, ModuleName


def needed_modules(
    functions: Iterable[HandWrittenFunction], folder: Path, shown: str, report: Report
) -> Mapping[ModuleName, cst.Module]:
    """The modules below `folder`, each with nothing but what the functions lead to.

    `shown` is how the folder is called in diagnostics. Error AG0803: a module that Python cannot read.
    """
    wanted: dict[ModuleName, set[str]] = defaultdict(set)
    for function in functions:
        wanted[function.home].add(function.name)
    whole: dict[ModuleName, cst.Module | None] = {}
    needed: dict[ModuleName, cst.Module] = {}
    waiting = list(wanted)
    while waiting:
        name = waiting.pop()
        if name not in whole:
            whole[name] = parsed(folder / name.path, f"{shown}/{name.path}", report)
        module = whole[name]
        if module is None:
            continue
        needed[name] = shaken(module, wanted[name])
        for other, names in helpers_of(needed[name], folder.name):
            if (folder / other.path).is_file() and not wanted[other].issuperset(names):
                wanted[other].update(names)
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
