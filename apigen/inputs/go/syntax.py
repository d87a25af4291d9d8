"""A Go file: its syntax tree with places, the values of literals, comments, imports and types.

The only module that uses the parser library.
"""

from __future__ import annotations

import re
import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from apigen.dataclass import dataclass, field
from apigen.diagnostics import Place, Report
from apigen.diagnostics.quoting import quote
from apigen.inputs.go.model import GoKind, GoType, GoTypeDeclaration, Marker

if TYPE_CHECKING:
    from tree_sitter import Node, Parser


MAX_DEPTH = 100
"""Levels of nesting of a type or an expression that are followed; hand-written Go has some ten."""

LONGEST_PARSE = 10.0
"""Seconds. Half a megabyte of Go takes hundredths of a second; slower files are rejected."""

_CHUNK = 64 * 1024
_ENDLESS = 2_000


class TooDeepError(Exception):
    """A type or an expression is nested deeper than `MAX_DEPTH`."""

    def __init__(self, node: Node) -> None:
        super().__init__("nested too deeply")
        self.node = node


@dataclass(frozen=True, slots=True)
class GoFile:
    """A Go file that was parsed. `display_path` is its path as shown to people, `name` its last element."""

    name: str
    display_path: str
    data: bytes
    lines: tuple[bytes, ...]
    root: Node
    wide_rows: frozenset[int]
    """Lines with characters of several bytes. Very long lines are omitted, because their columns are not needed."""

    def text(self, node: Node) -> str:
        """The text of a node as written."""
        return self.data[node.start_byte : node.end_byte].decode("utf-8")

    def line(self, place: Place) -> str | None:
        """The text of the line of a place, for its caret; None if the place is not in this file."""
        if place.file != self.display_path or not 0 < place.line <= len(self.lines):
            return None
        return self.lines[place.line - 1].decode("utf-8", "replace").rstrip("\r")

    def place(self, node: Node) -> Place:
        """Return the location of a node's start."""
        return self.place_at(*node.start_point)

    def place_at(self, row: int, column: int) -> Place:
        """The place of a byte: row and column count from 0, as the parser counts."""
        if row in self.wide_rows:
            column = len(self.lines[row][:column].decode("utf-8", "replace"))
        return Place(self.display_path, row + 1, column + 1)


def load_parser(report: Report) -> Parser | None:
    """Return a parser of Go; None, with an error, if the libraries of the extra `import` are not installed."""
    try:
        import tree_sitter
        import tree_sitter_go
    except ImportError:
        hint = "install it with its extra: pip install 'apigen[import]'"
        report.error("AG1216", Place(""), "the libraries that parse Go are not installed", hint=hint)
        return None
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_go.language()))


def parse(parser: Parser, data: bytes, display_path: str) -> GoFile | None:
    """Return the syntax tree of UTF-8 text, with error nodes for invalid Go; None if parsing would take too long."""
    deadline = time.monotonic() + LONGEST_PARSE
    try:
        tree = parser.parse(
            lambda offset, _: data[offset : offset + _CHUNK],
            progress_callback=lambda _offset, _error: time.monotonic() > deadline,
        )
    except ValueError:  # raised by the library if it was stopped
        parser.reset()
        return None
    lines = tuple(data.split(b"\n"))
    is_wide = (
        [] if data.isascii() else [r for r, line in enumerate(lines) if len(line) <= _ENDLESS and not line.isascii()]
    )
    return GoFile(display_path.rpartition("/")[2], display_path, data, lines, tree.root_node, frozenset(is_wide))


def errors(root: Node) -> Iterator[Node]:
    """Return the outermost error nodes, in order."""
    todo = [root]
    while todo:
        node = todo.pop()
        if node.is_error or node.is_missing:
            yield node
        elif node.has_error:
            todo.extend(reversed(node.children))


def specs_of(declaration: Node) -> list[Node]:
    """Return the specs of a declaration of imports, constants or variables: those in it, and those in its list."""
    lists = (child for child in declaration.named_children if child.type.endswith("_spec_list"))
    return [spec for node in (declaration, *lists) for spec in node.named_children if spec.type.endswith("_spec")]


def children_of(node: Node, *types: str) -> list[Node]:
    """Return the children of these types."""
    return [child for child in node.named_children if child.type in types]


LONGEST_NUMBER = 200
"""Maximum length of a number; a longer one does not fit any type of an API."""

LARGEST_EXPONENT = 400

_ESCAPE = re.compile(r"""\\(?:([abfnrtv\\'"])|([0-7]{3})|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))""")
_SIMPLE = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\\": "\\", "'": "'", '"': '"'}
_OLD_OCTAL = re.compile(r"0[0-7_]+")
_EXPONENT = re.compile(r"[eEpP]([+-]?\d+)$")


def string_value(literal: str) -> str | None:
    """Return the value of a string literal; None if it is not a string literal, or its value is not valid UTF-8."""
    if len(literal) >= 2 and literal[0] == literal[-1] == "`":
        return literal[1:-1].replace("\r", "")
    if len(literal) >= 2 and literal[0] == literal[-1] == '"' and "\n" not in literal:
        return _unescaped(literal[1:-1])
    return None


def rune_value(literal: str) -> int | None:
    """Return the code point of a rune literal; None if it is not one."""
    text = literal[1:-1]
    if len(literal) < 3 or text == "'":
        return None
    escape = _ESCAPE.fullmatch(text)
    if escape is None:
        return ord(text) if len(text) == 1 and text != "\\" else None
    simple, octal, *hexadecimal = escape.groups()
    if simple is not None:
        return ord(_SIMPLE[simple])
    return int(octal, 8) if octal is not None else int(next(part for part in hexadecimal if part), 16)


def int_value(literal: str) -> int | None:
    """Return the value of an integer literal in any of Go's notations; None if it is not one, or too long."""
    if len(literal) > LONGEST_NUMBER:
        return None
    try:
        return int(literal.replace("_", ""), 8) if _OLD_OCTAL.fullmatch(literal) else int(literal, 0)
    except ValueError:
        return None


def float_value(literal: str) -> Fraction | None:
    """Return the exact value of a floating-point literal; None if it is not one, too long, or its exponent is too
    large.
    """
    text = literal.replace("_", "")
    exponent = _EXPONENT.search(text)
    if len(text) > LONGEST_NUMBER or (exponent is not None and len(exponent[1]) > 5):
        return None
    power = 0 if exponent is None else int(exponent[1])
    if abs(power) > LARGEST_EXPONENT:
        return None
    try:
        if not text.lower().startswith("0x"):
            return Fraction(text)
        mantissa = text[2:] if exponent is None else text[2 : exponent.start()]
        integer, _, fraction = mantissa.partition(".")
        return Fraction(int(integer + fraction, 16), 16 ** len(fraction)) * Fraction(2) ** power
    except ValueError:
        return None


def _unescaped(text: str) -> str | None:
    """The text with its escapes resolved. `\\x` and octal escapes are bytes, which must give UTF-8 together."""
    if "\\" not in text:
        return None if '"' in text else text
    parts: list[bytes] = []
    position = 0
    for escape in _ESCAPE.finditer(text):
        between = text[position : escape.start()]
        value = _escaped_bytes(escape)
        if value is None or "\\" in between or '"' in between:
            return None
        parts += [between.encode(), value]
        position = escape.end()
    rest = text[position:]
    if "\\" in rest or '"' in rest:
        return None
    try:
        return b"".join([*parts, rest.encode()]).decode("utf-8")
    except UnicodeDecodeError:
        return None


def _escaped_bytes(escape: re.Match[str]) -> bytes | None:
    simple, octal, byte, short, long = escape.groups()
    if simple is not None:
        return None if simple == "'" else _SIMPLE[simple].encode()
    if octal is not None or byte is not None:
        number = int(octal or "", 8) if byte is None else int(byte, 16)
        return bytes([number]) if number < 256 else None
    number = int(short or long or "", 16)
    return None if number > 0x10FFFF or 0xD800 <= number <= 0xDFFF else chr(number).encode()


DEPRECATED = "+k8s:deprecated="
"""The marker of a removed field: `+k8s:deprecated=name,protobuf=4`."""

LONGEST_MARKER = 2_000
"""Maximum length of a marker that is searched for a trailing remark."""

_BESIDE = 200
"""Bytes before and behind a comment in which code is looked for."""

_MARKER = re.compile(r"\+[A-Za-z]")
_ENTERED = {
    *("source_file", "type_declaration", "type_spec", "type_alias", "struct_type", "field_declaration_list"),
    *("const_declaration", "import_declaration", "var_declaration", "ERROR"),
}
_MARKER_TEXT = re.compile(r"""(?:"(?:[^"\\]|\\.)*"|`[^`]*`|(?!\s+//).)*""")
_DIRECTIVE = re.compile(r"//(?:line |[a-z0-9]+:[a-z0-9])")


@dataclass(frozen=True, slots=True)
class CommentLine:
    """A line of a comment, without the comment characters; `place` is that of its first word."""

    text: str
    place: Place

    @property
    def is_marker(self) -> bool:
        """Return whether the line begins with `+` and a name."""
        return _MARKER.match(self.text.lstrip()) is not None

    @property
    def marker(self) -> Marker:
        """Return the line as a marker, without a trailing remark."""
        text = self.text.strip()
        return Marker(text if " //" not in text else _without_remark(text), self.place)


@dataclass(frozen=True, slots=True)
class CommentGroup:
    """Comments without an empty line or code between, as Go's own parser groups them; rows count from 0."""

    first: int
    last: int
    lines: tuple[CommentLine, ...]
    is_trailing: bool = False
    """Behind code, in its line."""

    @property
    def markers(self) -> tuple[Marker, ...]:
        """Return the markers in order, except those of removed fields."""
        return tuple(m for line in self.lines if line.is_marker and not (m := line.marker).text.startswith(DEPRECATED))


@dataclass(frozen=True)
class Comments:
    """The comments of a file."""

    groups: tuple[CommentGroup, ...]
    file: GoFile = field(repr=False)

    def above(self, row: int) -> CommentGroup | None:
        """Return the comment that ends on the line above a row, which documents the declaration there; None without
        one.
        """
        return self._by_last_row.get(row - 1)

    def second_above(self, row: int) -> CommentGroup | None:
        """Return the comment above that one, separated by one blank line; None without one.

        Kubernetes' generators read the markers of a type in both. If there is no comment directly above, this is the
        comment that ends two lines above.
        """
        closest = self.above(row)
        blank = (row if closest is None else closest.first) - 1
        if blank < 0 or self.file.lines[blank].strip():
            return None
        return self._by_last_row.get(blank - 1)

    def within(self, first: int, last: int) -> list[CommentGroup]:
        """Return the comments between two rows, inclusive."""
        start = bisect_left(self.groups, first, key=lambda group: group.first)
        end = bisect_right(self.groups, last, lo=start, key=lambda group: group.first)
        return [group for group in self.groups[start:end] if group.last <= last]

    @cached_property
    def _by_last_row(self) -> dict[int, CommentGroup]:
        return {group.last: group for group in self.groups if not group.is_trailing}


def read_comments(file: GoFile) -> Comments:
    """Return the comments of a file, except those in function bodies."""
    return Comments(tuple(_groups(file, _comment_nodes(file.root))), file)


def doc_of(lines: Iterable[CommentLine]) -> str | None:
    """Return the sentences of a comment: its lines without markers; None if there are no others."""
    text = "\n".join(line.text.rstrip() for line in lines if not line.is_marker)
    return text.strip("\n") or None


def _without_remark(text: str) -> str:
    """Return the text up to ` //` outside of quotes."""
    found = _MARKER_TEXT.match(text) if len(text) <= LONGEST_MARKER else None
    return text if found is None else found[0].rstrip()


def _comment_nodes(root: Node) -> Iterator[Node]:
    """The comments between declarations and between fields, in order of place."""
    todo = [root]
    while todo:
        node = todo.pop()
        if node.type == "comment":
            yield node
        elif node.type in _ENTERED:
            todo.extend(reversed(node.children))


def _groups(file: GoFile, nodes: Iterable[Node]) -> Iterator[CommentGroup]:
    group: CommentGroup | None = None
    for node in nodes:
        (first, column), last = node.start_point, node.end_point[0]
        before = file.lines[first][max(0, column - _BESIDE) : column].strip()
        lines = tuple(_lines(file, node))
        if before and (group is None or group.last != first or not before.endswith(b"*/")):
            if group is not None:
                yield group
            yield CommentGroup(first, last, lines, is_trailing=True)
            group = None
        elif group is not None and first <= group.last + 1:
            group = CommentGroup(group.first, last, group.lines + lines)
        else:
            if group is not None:
                yield group
            group = CommentGroup(first, last, lines)
        if group is not None and _is_before_code(file, node):
            yield group
            group = None
    if group is not None:
        yield group


def _is_before_code(file: GoFile, node: Node) -> bool:
    """Return whether code follows in the last line of a comment."""
    row, column = node.end_point
    rest = file.lines[row][column : column + _BESIDE].strip()
    return bool(rest) and not rest.startswith((b"//", b"/*"))


def _lines(file: GoFile, node: Node) -> Iterator[CommentLine]:
    text = file.text(node)
    row, column = node.start_point
    if _DIRECTIVE.match(text):
        return
    is_block = text.startswith("/*")
    for number, line in enumerate((text[2:].removesuffix("*/") if is_block else text[2:]).split("\n")):
        start = column + 2 if number == 0 else 0
        indent = len(line) - len(line.lstrip())
        place = file.place_at(row + number, start + len(line[:indent].encode()))
        yield CommentLine(line.removeprefix(" ") if number == 0 else line, place)


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


def references(type_: GoTypeDeclaration, path: str) -> Iterator[tuple[str, str]]:
    """Return the types that a type of the package `path` names, by package and name."""
    named = type_.used_types if type_.kind is not GoKind.FUNC else ()
    for name in (name for each in named for name in base_names(each.resolved)):
        qualified = QUALIFIED.fullmatch(name)
        if qualified is not None:
            yield qualified[1], qualified[2]
        elif name.isidentifier():
            yield path, name


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
