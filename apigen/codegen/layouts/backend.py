"""Writes the layouts of each version and hub: `<group>/<version>/layouts.py`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from apigen.codegen.backend_input import Compilation
from apigen.codegen.layouts.spelling import Spelling, spelled_tuple, structs_of
from apigen.codegen.output import OutputFile, nonempty_file
from apigen.codegen.python.code import text_literal
from apigen.codegen.python.modules import HEADER, Imports
from apigen.codegen.rendering import render
from apigen.codegen.types.borrowed import borrowed_classes
from apigen.codegen.types.by_version import VersionTypes, versions_and_hubs
from apigen.dataclass import dataclass
from apigen.ir.generated_modules import Module, package_name
from apigen.ir.model import Struct
from apigen.ir.types import TypeId

MODULE = "layouts"


@dataclass(frozen=True, slots=True)
class LayoutLines:
    """The layout of a class, as the template puts it together."""

    type: str
    members: tuple[str, ...]
    inlines: str


def plan(compilation: Compilation) -> Iterator[OutputFile]:
    """The layouts of every version and hub that has structs."""
    for version in versions_and_hubs(compilation):
        if version.structs:
            module = Module.of(version.group, version.version, MODULE)
            borrowed = compilation.once(borrowed_classes)
            yield from nonempty_file(module.path, _module_text(version, module, borrowed))


def _module_text(version: VersionTypes, module: Module, borrowed: Mapping[TypeId, TypeId]) -> str:
    structs = [struct for struct in version.structs if struct.id not in borrowed]
    imports = Imports(module, taken=frozenset({"INLINES", "LAYOUTS", "NEEDS"}))
    spelling = Spelling(imports)
    layouts = [
        LayoutLines(
            imports.type_name(struct.id),
            tuple(f"({', '.join(parts)})," for parts in spelling.members(struct)),
            spelled_tuple(spelling.inlines(struct)) if struct.inlines else "",
        )
        for struct in structs
    ]
    members = imports.runtime("Members", "layouts")
    return render(
        "layouts/module.py.jinja",
        header=HEADER,
        title=version.title,
        members=members,
        imports=imports.render(),
        needs=spelled_tuple([text_literal(package) for package in _needs(version, structs, borrowed)]),
        layouts=layouts,
        with_inlines=[layout for layout in layouts if layout.inlines],
    )


def _needs(version: VersionTypes, structs: Iterable[Struct], borrowed: Mapping[TypeId, TypeId]) -> list[str]:
    """The packages of the other versions whose structs are met."""
    met = [*(id_ for struct in structs for id_ in structs_of(struct)), *(struct.id for struct in version.structs)]
    found = {(id_.group, id_.version) for id_ in (borrowed.get(id_, id_) for id_ in met)}
    found.discard((version.group, version.version))
    return sorted(f"{package_name(group)}.{name}" for group, name in found)
