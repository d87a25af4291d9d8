"""What a format of reports is."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from apigen.dataclass import dataclass

if TYPE_CHECKING:
    from apigen.compat.reports.summary import Summary


@dataclass(frozen=True, slots=True)
class Style:
    """What a reader's terminal can show. `width` is None for files; `verbose` asks for what hurts nobody, too.

    `folder` is where apigen runs, from the root of the repository, for formats whose readers know files from there.
    """

    colour: bool = False
    width: int | None = None
    verbose: bool = False
    folder: str = ""


class Printer(Protocol):
    """What the module of a format has."""

    def render(self, summary: Summary, style: Style, /) -> str:
        """The review as text of the format."""
        ...


@dataclass(frozen=True, slots=True)
class Format:
    """A format: what `--format` calls it, what it is for, and its module beside this one."""

    name: str
    title: str
    module: str

    def render(self, summary: Summary, style: Style) -> str:
        """The review in this format. The same review gives the same text."""
        printer = cast(Printer, import_module(f"{__package__}.{self.module}"))
        return printer.render(summary, style)
