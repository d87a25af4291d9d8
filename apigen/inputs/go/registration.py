"""The registration code of a package: its group, and the kinds that it adds to a scheme."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from apigen.inputs.go.literals import string_value
from apigen.inputs.go.syntax import children_of
from apigen.inputs.go.unit import Unit

if TYPE_CHECKING:
    from tree_sitter import Node

REGISTERING = {"AddKnownTypes", "AddKnownTypeWithName", "AddUnversionedTypes", "Register"}
"""Functions that are given the kinds as `&Pod{}` or `new(Pod)`: those of Kubernetes' schemes and scheme builders."""

_GROUP_VERSION = "GroupVersion"
_MACHINERY = "AddToGroupVersion"


def registered_kinds(units: Sequence[Unit]) -> tuple[str, ...]:
    """Return the types that are registered in a scheme, in order, each once."""
    variables: dict[str, list[tuple[Unit, Node]]] = {}
    for unit in units:
        for name, value in (*_variables(unit), *_appended(unit)):
            variables.setdefault(name, []).append(value)
    kinds = (
        kind
        for unit in units
        for call in _calls(unit)
        for argument in _arguments(call)
        for kind in _kinds(argument, unit, variables)
    )
    return tuple(dict.fromkeys(kinds))


def registers_machinery(units: Sequence[Unit]) -> bool:
    """Return whether a package calls AddToGroupVersion of meta/v1, which registers the shared kinds in its version."""
    for unit in units:
        if _MACHINERY.encode() in unit.file.data:
            for holder in children_of(unit.file.root, "function_declaration", "method_declaration"):
                for call in _descendants(holder, "call_expression"):
                    function = call.child_by_field_name("function")
                    if function is not None and unit.file.text(function).rpartition(".")[2] == _MACHINERY:
                        return True
    return False


def literal_group(units: Sequence[Unit]) -> str | None:
    """Return the group of `schema.GroupVersion{Group: "…", Version: "v1"}` if it is a string literal; None
    otherwise.
    """
    for unit in units:
        for _, (_, value) in _variables(unit):
            if value.type == "composite_literal" and _type_name(value, unit).rpartition(".")[2] == _GROUP_VERSION:
                for element in _descendants(value, "keyed_element"):
                    key, *rest = (unit.file.text(child) for child in element.named_children)
                    if key == "Group" and rest:
                        return string_value(rest[0])
    return None


def _variables(unit: Unit) -> Iterator[tuple[str, tuple[Unit, Node]]]:
    """The variables of a file with one name and one value."""
    for declaration in children_of(unit.file.root, "var_declaration"):
        specs = [
            spec
            for holder in (declaration, *children_of(declaration, "var_spec_list"))
            for spec in children_of(holder, "var_spec")
        ]
        for spec in specs:
            name, values = spec.child_by_field_name("name"), spec.child_by_field_name("value")
            if name is not None and values is not None and len(values.named_children) == 1:
                yield unit.file.text(name), (unit, values.named_children[0])


def _calls(unit: Unit) -> Iterator[Node]:
    """The calls of registering functions, in functions and in values of variables."""
    for holder in children_of(unit.file.root, "function_declaration", "method_declaration", "var_declaration"):
        if not any(name.encode() in unit.file.data[holder.start_byte : holder.end_byte] for name in REGISTERING):
            continue
        for call in _descendants(holder, "call_expression"):
            function = call.child_by_field_name("function")
            if function is not None and unit.file.text(function).rpartition(".")[2] in REGISTERING:
                yield call


def _appended(unit: Unit) -> Iterator[tuple[str, tuple[Unit, Node]]]:
    """Return the variables to which `kinds = append(kinds, &Pod{})` in functions appends, each with the appended values."""
    if b"append(" not in unit.file.data:
        return
    for holder in children_of(unit.file.root, "function_declaration", "method_declaration"):
        for call in _descendants(holder, "call_expression"):
            function = call.child_by_field_name("function")
            arguments = _arguments(call)
            if function is not None and unit.file.text(function) == "append" and arguments:
                yield from ((unit.file.text(arguments[0]), (unit, argument)) for argument in arguments[1:])


def _arguments(call: Node) -> list[Node]:
    arguments = call.child_by_field_name("arguments")
    return [] if arguments is None else arguments.named_children


def _kinds(node: Node, unit: Unit, variables: Mapping[str, Sequence[tuple[Unit, Node]]]) -> Iterator[str]:
    """The types in an argument: `&T{}`, `new(T)`, or `kinds...` with a variable that lists such."""
    if node.type == "variadic_argument":
        name = unit.file.text(node.named_children[0])
        for other, value in variables.get(name, ()):
            elements = [child for one in _descendants(value, "literal_element") for child in one.named_children]
            yield from (kind for child in (value, *elements) for kind in _kinds(child, other, {}))
    elif node.type == "unary_expression":
        operand = node.child_by_field_name("operand")
        if operand is not None and operand.type == "composite_literal":
            yield _type_name(operand, unit)
    elif node.type == "call_expression":
        function = node.child_by_field_name("function")
        if function is not None and unit.file.text(function) == "new":
            yield from (unit.file.text(argument) for argument in _arguments(node))


def _type_name(literal: Node, unit: Unit) -> str:
    type_ = literal.child_by_field_name("type")
    return "" if type_ is None else unit.file.text(type_)


def _descendants(node: Node, type_: str) -> Iterator[Node]:
    """Yield all nodes of a type below a node, in order, without nodes inside found ones."""
    todo = [node]
    while todo:
        current = todo.pop()
        if current.type == type_ and current is not node:
            yield current
            if type_ != "call_expression":
                continue
        todo.extend(reversed(current.named_children))
