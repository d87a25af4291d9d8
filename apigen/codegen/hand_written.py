"""Hand-written functions: how generated modules name them, and their copies in the output."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.codegen.backend_input import BackendInput
from apigen.codegen.output import OutputFile
from apigen.codegen.python.source_text import Imports
from apigen.ir.hand_written import HandWrittenFunction


def hand_written_name(imports: Imports, function: HandWrittenFunction) -> str:
    """Return the expression by which a module refers to a hand-written function; imports are added."""
    package, _, module = function.module.rpartition(".")
    if function.copy is not None:
        return imports.late(function.copy, function.name)
    return f"{imports.outside(package, module, f'hand_written_{module}')}.{function.name}"


def plan(backend_input: BackendInput) -> Iterator[OutputFile]:
    """The modules of hand-written functions that are copied."""
    if not backend_input.hand_written.copies:
        return
    from black import Mode, format_str  # people's code keeps the style that it has in the project

    for module, text in backend_input.hand_written.copies.items():
        yield OutputFile(module.path, format_str(text, mode=Mode()).encode(), is_source=True)
