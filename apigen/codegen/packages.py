"""Writes `__init__.py` of the package, of its groups and of their versions, with their modules, which are loaded on
first use.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from apigen.codegen.backend_input import BackendInput
from apigen.codegen.output import OutputFile, text_file
from apigen.codegen.python.source_text import HEADER, text_literal
from apigen.codegen.rendering import render
from apigen.ir.names import HUB_VERSION, package_name

_ROOT = "The API: `scheme` has every kind and version. Groups and versions are imported on first use."


def plan(backend_input: BackendInput, written: Iterable[str]) -> Iterator[OutputFile]:
    """The packages of all groups, versions and tests, which have the modules among the paths that were `written`."""
    modules: dict[str, set[str]] = {}
    for path in written:
        folder, _, file = path.rpartition("/")
        module = file.removesuffix(".py")
        if module != file and module != "__init__":
            modules.setdefault(folder, set()).add(module)
    groups = {package_name(group.folder): group for group in backend_input.api.groups}
    hubs = {id_.group for id_ in backend_input.hub.types}
    for package, group in groups.items():
        versions = [version.name for version in group.versions] + [HUB_VERSION] * (group.folder in hubs)
        yield _package(package, f"The versions of {group.folder}, which are imported on first use.", versions)
        for version in versions:
            folder = f"{package}/{version}"
            title = f"The hub of {group.folder}" if version == HUB_VERSION else f"{group.folder}/{version}"
            summary = f"{title}: its types, and modules that load when they are first used."
            yield _package(folder, summary, modules.get(folder, ()))
    if "tests" in modules:
        yield text_file("tests/__init__.py", f"{HEADER}\n")
    yield _package("", _ROOT, {*groups, *modules.get("", ()), "runtime"})


def _package(folder: str, summary: str, modules: Iterable[str]) -> OutputFile:
    """Return an `__init__.py`, which only has a docstring if the package has no modules."""
    parts = [part for part in folder.split("/") if part]
    text = render(
        "packages/package.py.jinja",
        header=HEADER,
        summary=summary,
        dots="." * (len(parts) + 1),
        modules=sorted(modules),
        names=[text_literal(module) for module in sorted(modules)],
    )
    return text_file("/".join([*parts, "__init__.py"]), text)
