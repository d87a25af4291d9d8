"""Which hand-written modules an output holds a copy of: those of the functions that it calls, and what they import."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

from apigen.diagnostics import Place, Report
from apigen.handwritten.copying import PREFIX, CannotBeCopied, Origin, copied_text, helpers_of
from apigen.handwritten.model import HandWrittenFunction
from apigen.python.modules import Module


def copy_place(group: str, version: str, module: str) -> Module:
    """Where a copy stands in the output: beside the modules of its version."""
    return Module.of(group, version, PREFIX + module)


def copies_of(
    functions: Iterable[HandWrittenFunction], folder: Path, generated: str, report: Report
) -> Mapping[Module, str]:
    """The text of every copy, by its place. Error AG0805: an import that cannot be made relative."""
    origin = Origin(folder.name, generated)
    wanted: dict[Module, set[str]] = defaultdict(set)
    waiting: list[Module] = []
    for function in functions:
        place = copy_place(function.type.group, function.type.version, function.module.rpartition(".")[2])
        wanted[place].add(function.name)
        waiting.append(place)
    while waiting:
        place = waiting.pop()
        for helper in helpers_of(_source(folder, place).read_text(encoding="utf-8"), origin, wanted[place]):
            other = Module((helper.group, helper.version, PREFIX + helper.module))
            if not wanted[other].issuperset(helper.names) and _source(folder, other).is_file():
                wanted[other].update(helper.names)
                waiting.append(other)
    copies: dict[Module, str] = {}
    for place, names in sorted(wanted.items()):
        path = _source(folder, place)
        try:
            copies[place] = copied_text(path.read_text(encoding="utf-8"), origin, names)
        except CannotBeCopied as error:
            report.error("AG0805", Place(f"{folder.name}/{path.relative_to(folder).as_posix()}"), str(error))
    return copies


def _source(folder: Path, place: Module) -> Path:
    group, version, name = place.parts
    return folder / group / version / f"{name.removeprefix(PREFIX)}.py"
