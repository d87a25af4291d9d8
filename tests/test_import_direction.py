"""The stages of the pipeline know those before them only, and the run-time library knows none of them."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent / "apigen"

LAYERS = (
    {"runtime"},
    {"dataclass"},
    {"files", "diagnostics"},
    {"language"},
    {"ir"},
    {"history"},
    {"hub", "inputs"},
    {"lint"},
    {"codegen"},
    {"build", "review"},
    {"proof"},
    {"cli"},
    {"__main__"},
)
"""A part of apigen may import those above it in this table, and itself; parts of one line do not know each other."""

OPTIONAL = {"orjson", "yaml"}
"""What the run-time library uses where it is installed."""

LEVEL = {part: number for number, layer in enumerate(LAYERS) for part in layer}


def modules() -> list[Path]:
    return sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


def part_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@cache
def import_statements(path: Path) -> tuple[ast.Import | ast.ImportFrom, ...]:
    """The import statements of a module, wherever in it."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return tuple(node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom))


def imported(path: Path) -> Iterator[str]:
    """The absolute names of all modules that a module imports, wherever in it."""
    package = ["apigen", *path.relative_to(PACKAGE).parts[:-1]]
    for node in import_statements(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        else:
            base = package[: len(package) - node.level + 1] if node.level else []
            yield ".".join([*base, *([node.module] if node.module else [])])


def imported_parts(path: Path) -> set[str]:
    names = [name.split(".") for name in imported(path)]
    return {name[1] for name in names if name[0] == "apigen" and len(name) > 1} - {part_of(path)}


def test_every_package_is_in_the_table() -> None:
    assert {part_of(path) for path in modules()} <= set(LEVEL)


def back_edges() -> Iterator[str]:
    for path in modules():
        level = LEVEL[part_of(path)]
        for part in sorted(imported_parts(path)):
            if LEVEL.get(part, level) >= level:
                yield f"{path.relative_to(PACKAGE)} imports apigen.{part}"


def test_imports_have_one_direction() -> None:
    assert not (edges := list(back_edges())), "\n".join(edges)


def test_runtime_needs_only_the_standard_library() -> None:
    for path in (PACKAGE / "runtime").glob("*.py"):
        outside = {name.partition(".")[0] for name in imported(path)} - {"apigen"}
        assert outside <= {*sys.stdlib_module_names, *OPTIONAL}, path.name
        assert all(name.startswith("apigen.runtime") for name in imported(path) if name.startswith("apigen")), path.name


def module_name(path: Path) -> str:
    parts = ("apigen", *path.relative_to(PACKAGE).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_within(path: Path, known: frozenset[str]) -> Iterator[str]:
    """The modules of apigen that a module imports, wherever in it, also for type checkers only."""
    package = module_name(path).rpartition(".")[0].split(".")
    for node in import_statements(path):
        if isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            names = (f"{module}.{alias.name}" for alias in node.names)
            yield from (name if name in known else module for name in names)


def circles(graph: Mapping[str, frozenset[str]]) -> Iterator[list[str]]:
    """Sets of modules that import each other; one that no module of a circle imports is omitted first."""
    left = dict(graph)
    while left:
        imported = frozenset(name for names in left.values() for name in names)
        free = [name for name, names in left.items() if name not in imported or names.isdisjoint(left)]
        if not free:
            yield sorted(left)
            return
        for name in free:
            del left[name]


def test_modules_have_no_cyclic_imports() -> None:
    paths = {module_name(path): path for path in modules() if path.name != "__init__.py"}
    known = frozenset(paths)
    graph = {name: frozenset(imports_within(path, known)) & known - {name} for name, path in paths.items()}
    assert list(circles(graph)) == []


def folder_imports() -> dict[str, dict[str, frozenset[str]]]:
    """By package, its folders with those that their modules import, at any depth. Imports between a folder and the modules next to it are not counted."""
    paths = {module_name(path): path for path in modules()}
    known = frozenset(paths)
    found: dict[str, dict[str, set[str]]] = {}
    for name, path in paths.items():
        for other in imports_within(path, known):
            if other not in paths:
                continue
            ours, theirs = (paths[each].relative_to(PACKAGE).parts[:-1] for each in (name, other))
            depth = next((at for at, pair in enumerate(zip(ours, theirs, strict=False)) if pair[0] != pair[1]), None)
            if depth is not None:
                folders = found.setdefault("/".join(ours[:depth]), {})
                folders.setdefault(theirs[depth], set())
                folders.setdefault(ours[depth], set()).add(theirs[depth])
    return {package: {each: frozenset(names) for each, names in folders.items()} for package, folders in found.items()}


def test_sibling_folders_have_no_cyclic_imports() -> None:
    found = folder_imports()
    assert {"", "codegen", "review", "review/rules"} <= found.keys()
    assert {package: each for package, graph in found.items() if (each := list(circles(graph)))} == {}


def test_cycles_are_detected() -> None:
    graph = {"a": frozenset("b"), "b": frozenset("cd"), "c": frozenset("b"), "d": frozenset[str]()}
    assert list(circles(graph)) == [["b", "c"]]
