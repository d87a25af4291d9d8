"""Type expressions of Go: as written, and with full import paths."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from apigen.inputs.go.model import GoType
from apigen.inputs.go.syntax import MAX_DEPTH, GoFile, TooDeepError

if TYPE_CHECKING:
    from tree_sitter import Node

PathOf = Callable[[str], str | None]
"""Returns the import path of a package name in a file."""

QUALIFIED = re.compile(r"([\w.~/+-]+(?:/[\w.~+-]+)*)\.(\w+)")

_SPACE = re.compile(r"\s+")
_OPAQUE = {"struct_type", "interface_type", "function_type", "channel_type"}


def go_type(node: Node, file: GoFile, path_of: PathOf) -> GoType:
    """Return the type of a node. Raises TooDeepError.

    Names within the type of a function, struct, interface or channel are not resolved, because an API cannot contain
    these.
    """
    return GoType(_rendered(node, file, lambda name: None, 0), _rendered(node, file, path_of, 0))


def qualifiers(node: Node) -> list[Node]:
    """Return the nodes of the package names in a type. Raises TooDeepError."""
    found: list[Node] = []
    todo = [(node, 0)]
    while todo:
        current, depth = todo.pop()
        if depth > MAX_DEPTH:
            raise TooDeepError(current)
        if current.type == "qualified_type":
            found.append(current.named_children[0])
        elif current.type not in _OPAQUE:
            todo.extend((child, depth + 1) for child in current.named_children)
    return found


def base_names(resolved: str) -> list[str]:
    """Return the names in a type of pointers, lists and maps: `path.Key` and `Name` for `map[path.Key][]*Name`."""
    names: list[str] = []
    todo = [resolved]
    while todo:
        text = todo.pop().lstrip("*")
        if text.startswith("[]"):
            todo.append(text[2:])
        elif text.startswith("map["):
            end = _closing(text)
            todo += [text[end + 1 :], text[4:end]]
        else:
            names.append(text)
    return names


def _closing(text: str) -> int:
    """Return the position of the bracket that closes the key of a map."""
    depth = 0
    for position, character in enumerate(text):
        depth += (character == "[") - (character == "]")
        if character == "]" and depth == 0:
            return position
    return len(text)


def _rendered(node: Node, file: GoFile, path_of: PathOf, depth: int) -> str:
    if depth > MAX_DEPTH:
        raise TooDeepError(node)

    def part(child: Node | None) -> str:
        return "" if child is None else _rendered(child, file, path_of, depth + 1)

    match node.type:
        case "qualified_type":
            package, name = (file.text(child) for child in node.named_children if child.type != "comment")
            return f"{path_of(package) or package}.{name}"
        case "pointer_type":
            return f"*{part(_last(node))}"
        case "slice_type":
            return f"[]{part(node.child_by_field_name('element'))}"
        case "array_type":
            length = node.child_by_field_name("length")
            return f"[{'' if length is None else file.text(length)}]{part(node.child_by_field_name('element'))}"
        case "map_type":
            return f"map[{part(node.child_by_field_name('key'))}]{part(node.child_by_field_name('value'))}"
        case "parenthesized_type":
            return part(_last(node))
        case "generic_type":
            arguments = node.child_by_field_name("type_arguments")
            listed = [] if arguments is None else [part(_last(argument)) for argument in arguments.named_children]
            return f"{part(node.child_by_field_name('type'))}[{', '.join(listed)}]"
    return _SPACE.sub(" ", file.text(node))


def _last(node: Node) -> Node | None:
    """Return the last named child that is not a comment."""
    return next((child for child in reversed(node.named_children) if child.type != "comment"), None)
