"""The constants that a package declares, before evaluation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from apigen.dataclass import dataclass
from apigen.inputs.go.comments import CommentGroup, doc_of
from apigen.inputs.go.syntax import children_of
from apigen.inputs.go.unit import Unit

if TYPE_CHECKING:
    from tree_sitter import Node

_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class ConstantSpec:
    """A constant as declared. Without a type and value, it repeats those of the previous line."""

    name: str
    node: Node
    type: Node | None
    value: Node | None
    iota: int
    unit: Unit
    comment: CommentGroup | None

    @property
    def type_text(self) -> str | None:
        """The type that it is declared with."""
        return None if self.type is None else _SPACE.sub(" ", self.unit.file.text(self.type))

    @property
    def expression(self) -> str | None:
        """Its value as written."""
        return None if self.value is None else _SPACE.sub(" ", self.unit.file.text(self.value))

    @property
    def doc(self) -> str | None:
        """The sentences above it."""
        return None if self.comment is None else doc_of(self.comment.lines)


def read_constants(unit: Unit) -> Iterator[ConstantSpec]:
    """Return the constants of a file in source order, except those named `_`."""
    for declaration in children_of(unit.file.root, "const_declaration"):
        yield from _of_declaration(declaration, unit)


def _of_declaration(declaration: Node, unit: Unit) -> Iterator[ConstantSpec]:
    type_: Node | None = None
    values: list[Node] = []
    for iota, spec in enumerate(children_of(declaration, "const_spec")):
        listed = spec.child_by_field_name("value")
        if listed is not None:
            type_ = spec.child_by_field_name("type")
            values = [node for node in listed.named_children if node.type != "comment"]
        comment = unit.comments.above(spec.start_point[0])
        names = [node for node in spec.children_by_field_name("name") if node.is_named and node.type != "comment"]
        for position, node in enumerate(names):
            name = unit.file.text(node)
            value = values[position] if position < len(values) else None
            if name != "_" and not spec.has_error:
                yield ConstantSpec(name, node, type_, value, iota, unit, comment)
