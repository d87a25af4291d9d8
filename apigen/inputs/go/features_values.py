"""The constants that name feature gates, their owners, and the elements of Go's composite literals."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from apigen.dataclass import dataclass, field
from apigen.inputs.go.syntax import GoFile, children_of

if TYPE_CHECKING:
    from tree_sitter import Node

_OWNER = re.compile(r"^//\s*owners?:\s*(.+?)\s*$", re.IGNORECASE)
_TEXT = {"interpreted_string_literal", "raw_string_literal"}


@dataclass(slots=True)
class GateValues:
    """Constants of all packages by name: a gate has the same name in every package."""

    constants: dict[str, str] = field(default_factory=dict)
    owners: dict[str, str] = field(default_factory=dict)

    def add_constants(self, file: GoFile) -> None:
        """Add `Name Feature = "Name"`, and the owner in the comment above it."""
        for declaration in children_of(file.root, "const_declaration", "var_declaration"):
            specs = list(_specs(declaration))
            for spec in specs:
                self._add(file, spec, declaration if len(specs) == 1 else spec)

    def gate(self, file: GoFile, node: Node) -> str | None:
        """Return the gate that an expression names; None if it is unknown."""
        node = unwrapped(node)
        if node.type in _TEXT:
            return file.text(node)[1:-1]
        if node.type in ("call_expression", "type_conversion_expression"):
            arguments = node.child_by_field_name("arguments")
            inner = arguments.named_children if arguments is not None else []
            return self.gate(file, inner[0]) if len(inner) == 1 else None
        if node.type == "selector_expression":
            return self.constants.get(file.text(node).rpartition(".")[2])
        return self.constants.get(file.text(node))

    def _add(self, file: GoFile, spec: Node, commented: Node) -> None:
        type_, value = spec.child_by_field_name("type"), spec.child_by_field_name("value")
        names = spec.children_by_field_name("name")
        values = [] if value is None else list(value.named_children) or [value]
        if type_ is not None and file.text(type_).rpartition(".")[2] != "Feature":
            return
        for name, expression in zip(names, values, strict=False):
            gate = self.gate(file, expression)
            if gate is None:
                continue
            self.constants.setdefault(file.text(name), gate)
            owner = _owner_above(file, commented)
            if owner:
                self.owners.setdefault(gate, owner)


def _specs(declaration: Node) -> Iterator[Node]:
    todo = list(declaration.named_children)
    while todo:
        node = todo.pop(0)
        if node.type in ("const_spec", "var_spec"):
            yield node
        elif node.type == "var_spec_list":
            todo = [*node.named_children, *todo]


def _owner_above(file: GoFile, node: Node) -> str | None:
    """Return the owner in the comment directly above a declaration."""
    row = node.start_point[0]
    while row and file.lines[row - 1].strip().startswith(b"//"):
        row -= 1
        match = _OWNER.match(file.lines[row].strip().decode("utf-8"))
        if match is not None:
            return match[1]
    return None


def unwrapped(node: Node) -> Node:
    """Return an element of a literal without the syntax nodes that wrap it."""
    while node.type in ("literal_element", "parenthesized_expression") and len(node.named_children) == 1:
        node = node.named_children[0]
    if node.type == "composite_literal":
        return node.child_by_field_name("body") or node
    return node


def elements(literal: Node, *, keyed: bool = True) -> Iterator[tuple[Node, Node]]:
    """Return the elements of a literal as pairs of key and value; an element without a key is a pair of itself."""
    for node in literal.named_children:
        if node.type == "keyed_element" and keyed:
            parts = [child for child in node.named_children if child.type != "comment"]
            if len(parts) == 2:
                yield unwrapped(parts[0]), unwrapped(parts[1])
        elif node.type not in ("keyed_element", "comment") and not keyed:
            yield unwrapped(node), unwrapped(node)
