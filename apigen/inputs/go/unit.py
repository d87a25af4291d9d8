"""A Go file with its syntax tree, comments and imports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apigen.dataclass import dataclass
from apigen.diagnostics import Report
from apigen.diagnostics.quoting import quote
from apigen.inputs.go.comments import Comments
from apigen.inputs.go.imports import Imports
from apigen.inputs.go.model import GoType
from apigen.inputs.go.syntax import MAX_DEPTH, GoFile, TooDeepError
from apigen.inputs.go.types import go_type, qualifiers

if TYPE_CHECKING:
    from tree_sitter import Node, Parser


@dataclass(frozen=True, slots=True)
class Unit:
    """A file of a package: its tree, comments, imports and report."""

    file: GoFile
    comments: Comments
    imports: Imports
    report: Report
    parser: Parser

    def type_of(self, node: Node) -> GoType:
        """Return the type of a node; report a name whose package is not imported. Raises TooDeepError."""
        for qualifier in qualifiers(node):
            name = self.file.text(qualifier)
            if self.imports.path_of(name) is None:
                message = f"this file has no import named {quote(name)}"
                hint = "name the import, or pass the folder of its module"
                self.report.warning("AG1208", self.file.place(qualifier), message, hint=hint)
        return go_type(node, self.file, self.imports.path_of)

    def too_deep(self, error: TooDeepError) -> None:
        """Report a type or expression that is nested too deeply."""
        message = f"nested deeper than {MAX_DEPTH} levels, so it is omitted"
        self.report.error("AG1204", self.file.place(error.node), message)
