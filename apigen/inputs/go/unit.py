"""A Go file with its syntax tree, comments and imports, which resolve the names in type expressions."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from apigen.dataclass import dataclass
from apigen.diagnostics import Place, Report
from apigen.diagnostics.quoting import quote
from apigen.inputs.go.model import GoType
from apigen.inputs.go.syntax import MAX_DEPTH, Comments, GoFile, TooDeepError, children_of, specs_of, string_value

if TYPE_CHECKING:
    from tree_sitter import Node, Parser


NameOf = Callable[[str], str | None]
"""Return the name in the package clause of an import path, if the package can be read."""

_MAJOR_VERSION = re.compile(r"v\d+")
_GOPKG_VERSION = re.compile(r"\.v\d+$")
_AFFIX = re.compile(r"^go-|[-.]go$")


@dataclass(frozen=True)
class Imports:
    """The imports of a file, by their names in the file; others have no name of their own.

    `name_of` returns the name of an import without one. For a package that cannot be read, it is the last element of
    the path, which is nearly always the name.
    """

    named: dict[str, str]
    unnamed: tuple[str, ...]
    dots: tuple[tuple[str, Place], ...]
    name_of: NameOf

    def path_of(self, name: str) -> str | None:
        """Return the import path of a package name; None if the file imports no package with that name."""
        return self.named.get(name) or self._found.get(name)

    @cached_property
    def _found(self) -> dict[str, str]:
        found = {name: path for path in self.unnamed if (name := self.name_of(path)) is not None}
        guesses = [guess for path in self.unnamed if self.name_of(path) is None for guess in _guesses(path)]
        for _, name, path in sorted(guesses, key=lambda guess: guess[0]):
            found.setdefault(name, path)
        return found


def read_imports(file: GoFile, name_of: NameOf) -> Imports:
    """The imports of a file."""
    named: dict[str, str] = {}
    unnamed: list[str] = []
    dots: list[tuple[str, Place]] = []
    for spec in (spec for one in children_of(file.root, "import_declaration") for spec in specs_of(one)):
        path_node, name_node = spec.child_by_field_name("path"), spec.child_by_field_name("name")
        path = None if path_node is None else string_value(file.text(path_node))
        if not path or path == "C":
            continue
        if name_node is None:
            unnamed.append(path)
        elif name_node.type == "package_identifier":
            named[file.text(name_node)] = path
        elif name_node.type == "dot":
            dots.append((path, file.place(spec)))
    return Imports(named, tuple(unnamed), tuple(dots), name_of)


def _guesses(path: str) -> list[tuple[int, str, str]]:
    """Return possible names of the package of an import path, each with a rank: 0 is the most likely.

    `gopkg.in/inf.v0` is inf, `k8s.io/klog/v2` is klog, `example.com/go-things` is things.
    """
    *before, last = path.split("/")
    names = [last, _GOPKG_VERSION.sub("", last), _AFFIX.sub("", last)]
    if before and _MAJOR_VERSION.fullmatch(last):
        names += [before[-1], _AFFIX.sub("", before[-1])]
    return [(rank, name, path) for rank, name in enumerate(names)]


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
