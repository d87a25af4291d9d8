"""Read the sources of Go API packages into the model, without a Go toolchain.

The report has the location of unreadable code, and of types that an API cannot contain, such as generic types and
channels.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from apigen.dataclass import dataclass, field, replace
from apigen.diagnostics import Place, Report
from apigen.diagnostics.quoting import quote
from apigen.files.regular_files import read_regular
from apigen.inputs.go.evaluation import ConstantSpec, Evaluator, read_constants
from apigen.inputs.go.fields import (
    FieldReader,
    field_nodes,
    find_removed_fields,
    has_nameless_struct,
    is_exported,
    tombstones,
)
from apigen.inputs.go.model import GoConstant, GoField, GoKind, GoPackage, GoTypeDeclaration, Marker
from apigen.inputs.go.roots import (
    HEAD_BYTES,
    GoRoot,
    find_folder,
    go_files,
    has_go_files,
    is_all_generated,
    is_generated,
    package_clause,
    read_go,
    versioned_packages,
)
from apigen.inputs.go.syntax import (
    CommentGroup,
    GoFile,
    NameOf,
    TooDeepError,
    Unit,
    children_of,
    doc_of,
    errors,
    load_parser,
    parse,
    read_comments,
    read_imports,
    references,
    specs_of,
    string_value,
)
from apigen.language.source import report_unreadable
from apigen.runtime.gc import gc_paused

if TYPE_CHECKING:
    from tree_sitter import Node, Parser


_KINDS = {
    "type_identifier": GoKind.NAMED,
    "qualified_type": GoKind.NAMED,
    "slice_type": GoKind.LIST,
    "map_type": GoKind.MAP,
    "interface_type": GoKind.INTERFACE,
    "function_type": GoKind.FUNC,
}

_UNUSABLE = {
    "array_type": "an array of fixed length",
    "channel_type": "a channel",
    "generic_type": "a generic type with arguments",
    "struct_type": "an alias of an anonymous struct",
}


def read_types(unit: Unit) -> Iterator[GoTypeDeclaration]:
    """Return the types in source order. Types that an API cannot contain are reported and omitted."""
    for declaration in children_of(unit.file.root, "type_declaration"):
        for spec in children_of(declaration, "type_spec", "type_alias"):
            type_ = _declared(spec, unit)
            if type_ is not None:
                yield type_


def _declared(spec: Node, unit: Unit) -> GoTypeDeclaration | None:
    name_node, type_node = spec.child_by_field_name("name"), spec.child_by_field_name("type")
    if name_node is None or type_node is None:
        return None
    while type_node.type == "parenthesized_type" and type_node.named_children:
        type_node = type_node.named_children[0]
    name = unit.file.text(name_node)
    if spec.child_by_field_name("type_parameters") is not None:
        _leave_out(name, name_node, "a generic type", unit)
        return None
    if type_node.type == "struct_type" and spec.type == "type_spec":
        return _struct(name, name_node, type_node, unit)
    if type_node.has_error:
        return None
    kind = _KINDS.get(type_node.type)
    if kind is None:
        _leave_out(name, name_node, _UNUSABLE.get(type_node.type, "a pointer"), unit)
        return None
    if spec.type == "type_alias":
        kind = GoKind.ALIAS
    elif kind in (GoKind.LIST, GoKind.MAP) and is_exported(name) and has_nameless_struct(type_node):
        message = f"{quote(name)} contains an anonymous struct, whose fields are not read"
        unit.report.warning("AG1212", unit.file.place(name_node), message, hint="declare it as a named type")
    try:
        underlying = unit.type_of(type_node)
    except TooDeepError as error:
        unit.too_deep(error)
        return None
    place, (markers, doc) = unit.file.place(name_node), _markers_and_doc(name_node.start_point[0], unit)
    is_opaque = type_node.type == "interface_type"
    return GoTypeDeclaration(name, kind, place, underlying=None if is_opaque else underlying, markers=markers, doc=doc)


def _struct(name: str, name_node: Node, struct: Node, unit: Unit) -> GoTypeDeclaration:
    groups = _comments_of(struct, unit)
    removed_fields = find_removed_fields(groups, unit)
    reader = FieldReader(unit, is_exported(name), frozenset(one.place.line for one in removed_fields))
    fields = reader.read(struct)
    markers, doc = _markers_and_doc(name_node.start_point[0], unit)
    kept = {marker for one in removed_fields for marker in one.markers}
    kept.update(marker for field in fields for marker in field.markers)
    of_fields = {node.start_point[0] - 1 for node in field_nodes(struct)}
    detached = [group for group in groups if group.is_trailing or group.last not in of_fields]
    return GoTypeDeclaration(
        go=name,
        kind=GoKind.STRUCT,
        place=unit.file.place(name_node),
        root=any(_is_type_meta(field) for field in fields),
        fields=fields,
        tombstones=tombstones(removed_fields, fields),
        markers=markers,
        detached_markers=tuple(marker for group in detached for marker in group.markers if marker not in kept),
        doc=doc,
    )


def _comments_of(struct: Node, unit: Unit) -> list[CommentGroup]:
    """The comments in the body of a struct, without those within a field's type."""
    ranges = [(node.start_point[0], node.end_point[0]) for node in field_nodes(struct)]
    groups = unit.comments.within(struct.start_point[0], struct.end_point[0])
    return [group for group in groups if not _is_nested(group, ranges)]


def _is_nested(group: CommentGroup, ranges: Sequence[tuple[int, int]]) -> bool:
    """Return whether a comment lies between the first and the last line of one of the declarations, which are in order."""
    position = bisect_left(ranges, (group.first, 0))
    return position > 0 and group.first < ranges[position - 1][1]


def _is_type_meta(field: GoField) -> bool:
    return field.embedded and field.go == "TypeMeta"


def _markers_and_doc(row: int, unit: Unit) -> tuple[tuple[Marker, ...], str | None]:
    """Return the markers of a type and its doc. Markers are read from the comment above and from the one before it."""
    near, far = unit.comments.above(row), unit.comments.second_above(row)
    groups = [group for group in (far, near) if group is not None]
    markers = tuple(marker for group in groups for marker in group.markers)
    return markers, None if near is None else doc_of(near.lines)


def _leave_out(name: str, node: Node, reason: str, unit: Unit) -> None:
    if is_exported(name):
        message = f"{quote(name)} is {reason} and is omitted"
        unit.report.warning("AG1211", unit.file.place(node), message)


REGISTERING = {"AddKnownTypes", "AddKnownTypeWithName", "AddUnversionedTypes", "Register"}
"""Functions that are given the kinds as `&Pod{}` or `new(Pod)`: those of Kubernetes' schemes and scheme builders."""

_FUNCTIONS = ("function_declaration", "method_declaration")
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
        for _, call in _calls(unit, REGISTERING, *_FUNCTIONS, "var_declaration")
        for argument in _arguments(call)
        for kind in _kinds(argument, unit, variables)
    )
    return tuple(dict.fromkeys(kinds))


def registers_machinery(units: Sequence[Unit]) -> bool:
    """Return whether a package calls AddToGroupVersion of meta/v1, which registers the shared kinds in its version."""
    return any(True for unit in units for _ in _calls(unit, {_MACHINERY}, *_FUNCTIONS))


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
        for spec in specs_of(declaration):
            name, values = spec.child_by_field_name("name"), spec.child_by_field_name("value")
            if name is not None and values is not None and len(values.named_children) == 1:
                yield unit.file.text(name), (unit, values.named_children[0])


def _calls(unit: Unit, names: Set[str], *declarations: str) -> Iterator[tuple[str, Node]]:
    """The calls of functions with these names in declarations of these types, with the function as written."""
    for holder in children_of(unit.file.root, *declarations):
        if not any(name.encode() in unit.file.data[holder.start_byte : holder.end_byte] for name in names):
            continue
        for call in _descendants(holder, "call_expression"):
            function = call.child_by_field_name("function")
            if function is not None and (text := unit.file.text(function)).rpartition(".")[2] in names:
                yield text, call


def _appended(unit: Unit) -> Iterator[tuple[str, tuple[Unit, Node]]]:
    """Return the variables to which `kinds = append(kinds, &Pod{})` in functions appends, each with the appended
    values.
    """
    for function, call in _calls(unit, {"append"}, *_FUNCTIONS):
        arguments = _arguments(call) if function == "append" else []
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


_TEXT = rb"""//[^\n]*|/\*.*?(?:\*/|\Z)|`[^`]*`?|"(?:[^"\\\n]|\\[^\n])*"?|'(?:[^'\\\n]|\\[^\n])*'?"""
"""Comments, strings and runes. Unterminated ones match too, so that the text is scanned only once."""

_HIDING = re.compile(_TEXT, re.DOTALL)
_TOKEN = re.compile(_TEXT + rb"|[{}()\[\]]|\n|(?<=\n)func\b", re.DOTALL)
_DECLARATION = re.compile(rb"\n(?:\}|type\b|const\b|var\b|func\b|import\b)")
_NOT_A_BREAK = re.compile(rb"[^\n]")


def without_bodies(data: bytes, places: Sequence[int]) -> bytes | None:
    """Return the text with spaces in place of the function bodies that contain one of these offsets, so that locations
    are unchanged.

    None if an offset is outside of all bodies, or in one that seems to contain declarations because a brace is missing.
    """
    bodies = list(function_bodies(data))
    chosen: dict[tuple[int, int], None] = {}
    for place in sorted(places):
        position = bisect_right(bodies, (place, 0)) - 1
        if position < 0 or place >= bodies[position][1]:
            return None
        chosen[bodies[position]] = None
    parts: list[bytes] = []
    copied = 0
    for start, end in chosen:
        body = data[start + 1 : end - 1]
        if _DECLARATION.search(_HIDING.sub(b"", body)):
            return None
        parts += [data[copied : start + 1], _NOT_A_BREAK.sub(b" ", body)]
        copied = end - 1
    return b"".join([*parts, data[copied:]])


def function_bodies(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield the start and the end, braces included, of the body of each function that starts at the beginning of a
    line.
    """
    depth = 0
    is_function = False
    start = 0
    body: tuple[int, int] | None = None
    for token in _TOKEN.finditer(data):
        word = token[0]
        if word == b"func" and depth == 0:
            is_function, body = True, None
        elif word in (b"{", b"(", b"["):
            if depth == 0 and word == b"{":
                start = token.start()
            depth += 1
        elif word in (b"}", b")", b"]"):
            depth = max(0, depth - 1)
            if depth == 0 and word == b"}":
                body = (start, token.end())  # the last one of the declaration: types of results may have braces, too
        elif word == b"\n" and depth == 0 and is_function and body is not None:
            yield body
            is_function = False
    if is_function and body is not None and depth == 0:
        yield body


MOST_ERRORS = 5
"""Maximum number of syntax errors reported for a file; most later errors follow from the first."""

GROUP_CONSTANT = "GroupName"
GROUP_MARKER = "+groupName="
VERSION_MARKER = "+versionName="

_DECLARATIONS = ("type_declaration", "const_declaration", "var_declaration", "function_declaration")
_BUILD = "+build "


@dataclass(frozen=True)
class ParsedPackage:
    """The parsed files of a package and their declarations; constants are not evaluated yet."""

    path: str
    name: str
    units: tuple[Unit, ...]

    @cached_property
    def types(self) -> tuple[GoTypeDeclaration, ...]:
        """Return its types, by file and location. Build constraints are ignored, so a name may have two types."""
        methods = json_methods(self.units)
        found = (type_ for unit in self.units for type_ in read_types(unit))
        return tuple(replace(type_, json_methods=methods.get(type_.go, ())) for type_ in found)

    @cached_property
    def specs(self) -> tuple[ConstantSpec, ...]:
        """Return its constants, by file and location."""
        return tuple(spec for unit in self.units for spec in read_constants(unit))

    @cached_property
    def _specs_by_name(self) -> dict[str, ConstantSpec]:
        return {spec.name: spec for spec in reversed(self.specs)}

    def constant(self, name: str) -> ConstantSpec | None:
        """A constant of the package."""
        return self._specs_by_name.get(name)

    @cached_property
    def _types_by_name(self) -> dict[str, GoTypeDeclaration]:
        return {type_.go: type_ for type_ in reversed(self.types)}

    def type(self, name: str) -> GoTypeDeclaration | None:
        """A type of the package."""
        return self._types_by_name.get(name)

    def underlying(self, name: str) -> str | None:
        """Return the resolved text of the underlying type of a type; None for a struct or an unknown type."""
        type_ = self.type(name)
        return None if type_ is None or type_.underlying is None else type_.underlying.resolved


def parse_package(
    path: str, root: GoRoot, folder: Path, report: Report, parser: Parser, name_of: NameOf
) -> ParsedPackage | None:
    """Parse the files of a package; return None if it has none. Unreadable files are reported."""
    files = _of_one_package(_read(root, folder, report), report)
    units = [_unit(data, display_path, report, parser, name_of) for _, display_path, data in files]
    if not files:
        return None
    return ParsedPackage(path, files[0][0], tuple(unit for unit in units if unit is not None))


def _of_one_package(files: Iterable[tuple[str, bytes]], report: Report) -> list[tuple[str, str, bytes]]:
    """The files of the package that most of a folder belong to, with its name; programs may lie next to it."""
    named = [(package_clause(data), display_path, data) for display_path, data in files]
    for name, display_path, _ in named:
        if name is None:
            report.error("AG1201", Place(display_path, 1, 1), "this is not Go: it has no package clause")
    names = Counter(name for name, _, _ in named if name is not None and name != "main")
    common = names.most_common(1)[0][0] if names else None
    for name, display_path, _ in named:
        if name not in (None, common, "main"):
            message = f"the file belongs to package {quote(name or '')}, the others to {quote(common or '')}, so it is omitted"
            report.warning("AG1207", Place(display_path), message)
    return [(name, display_path, data) for name, display_path, data in named if name is not None and name == common]


def build_package(parsed: ParsedPackage, evaluator: Evaluator, report: Report, *, referred: bool) -> GoPackage:
    """Return the package with its constants evaluated; constants of one of its types are attached to the type."""
    constants = [_constant(spec, parsed, evaluator) for spec in parsed.specs]
    by_type: dict[str, list[GoConstant]] = defaultdict(list)
    others: list[GoConstant] = []
    for constant in constants:
        own = None if constant.type is None else parsed.type(constant.type)
        (others if own is None else by_type[own.go]).append(constant)
    markers = tuple(marker for unit in parsed.units for marker in _package_markers(unit))
    return GoPackage(
        path=parsed.path,
        group=_group(parsed, evaluator, markers, report),
        version=_version(parsed, markers),
        types=tuple(replace(type_, constants=tuple(by_type.get(type_.go, ()))) for type_ in parsed.types),
        constants=tuple(others),
        markers=markers,
        registered=registered_kinds(parsed.units),
        registers_machinery=registers_machinery(parsed.units),
        name=parsed.name,
        referred=referred,
    )


def _read(root: GoRoot, folder: Path, report: Report) -> list[tuple[str, bytes]]:
    try:
        paths = go_files(folder)
    except OSError as error:
        report_unreadable(report, Place(root.shown_as(folder)), error)
        return []
    paths_shown = [(path, root.shown_as(path)) for path in paths]
    read = [(name, read_go(path, Place(name), root, report)) for path, name in paths_shown]
    return [(name, data) for name, data in read if data is not None and not is_generated(data)]


def _unit(data: bytes, display_path: str, report: Report, parser: Parser, name_of: NameOf) -> Unit | None:
    parsed = parse(parser, data, display_path)
    if parsed is None:
        report.error("AG1203", Place(display_path), "the file takes too long to parse, so it is not read")
        return None
    report.use_source(parsed.line)
    file = _without_odd_bodies(parsed, report, parser) if parsed.root.has_error else parsed
    imports = read_imports(file, name_of)
    for path, place in imports.dots:
        hint = "import it with a name, and use that name in front of its declarations"
        report.warning("AG1209", place, f"names of the dot import {quote(path)} are not resolved", hint=hint)
    return Unit(file, read_comments(file), imports, report, parser)


def _without_odd_bodies(file: GoFile, report: Report, parser: Parser) -> GoFile:
    """Return the file without bodies of functions that the grammar cannot parse; other errors are reported.

    Omitted bodies that register kinds are reported, too.
    """
    error_nodes = list(errors(file.root))
    text = without_bodies(file.data, [node.start_byte for node in error_nodes])
    parsed = None if text is None else parse(parser, text, file.display_path)
    if text is None or parsed is None or parsed.root.has_error:
        _report_errors(error_nodes, file, report)
        return file
    names = [name.encode() for name in REGISTERING]
    if any(file.data.count(name) > text.count(name) for name in names):
        message = "the body of this function cannot be parsed, so kinds that it registers are missing"
        report.warning("AG1201", file.place(error_nodes[0]), message)
    return replace(parsed, data=file.data, lines=file.lines)


def _report_errors(found: Sequence[Node], file: GoFile, report: Report) -> None:
    for node in found[:MOST_ERRORS]:
        problem = f"expected {quote(node.type)}" if node.is_missing else f"{_first_words(node, file)} is unexpected"
        report.error("AG1201", file.place(node), f"this is not Go: {problem}")


def _first_words(node: Node, file: GoFile) -> str:
    words = file.text(node).split()
    return quote(words[0]) if words else "this code"


def _constant(spec: ConstantSpec, parsed: ParsedPackage, evaluator: Evaluator) -> GoConstant:
    is_first = parsed.constant(spec.name) is spec
    evaluated = evaluator.constant(parsed.path, spec.name) if is_first else evaluator.declared(spec, parsed.path)
    value = None if evaluated is None else evaluated.plain
    type_ = spec.type_text if spec.type is not None or evaluated is None else evaluated.type
    place = spec.unit.file.place(spec.node)
    return GoConstant(
        go=spec.name,
        type=type_,
        value=value,
        expression=spec.expression if value is None else None,
        place=place,
        markers=() if spec.comment is None else spec.comment.markers,
        doc=spec.doc,
    )


def _package_markers(unit: Unit) -> Iterable[Marker]:
    """The markers above the package clause, without build constraints in their old form.

    Kubernetes' generators read all of `doc.go`; other tools read the comment above the package clause of any file.
    """
    clause = next(iter(children_of(unit.file.root, "package_clause")), None)
    if clause is None:
        return ()
    is_all = unit.file.name == "doc.go" and not children_of(unit.file.root, *_DECLARATIONS)
    groups = unit.comments.groups if is_all else unit.comments.within(0, clause.start_point[0] - 1)
    return (marker for group in groups for marker in group.markers if not marker.text.startswith(_BUILD))


def _version(parsed: ParsedPackage, markers: Sequence[Marker]) -> str:
    """Return the name of the version: the marker `+versionName`, as in controller-gen, or else the folder."""
    marker = _package_marker(VERSION_MARKER, markers)
    return parsed.path.rpartition("/")[2] if marker is None else marker.text.removeprefix(VERSION_MARKER)


def _package_marker(start: str, markers: Sequence[Marker]) -> Marker | None:
    return next((marker for marker in markers if marker.text.startswith(start)), None)


def _group(parsed: ParsedPackage, evaluator: Evaluator, markers: Sequence[Marker], report: Report) -> str:
    """Return the name of the group: the constant `GroupName`, or else the marker `+groupName`, or else a literal in the
    code.
    """
    marker = _package_marker(GROUP_MARKER, markers)
    marked = None if marker is None else marker.text.removeprefix(GROUP_MARKER)
    value = evaluator.constant(parsed.path, GROUP_CONSTANT)
    declared = value.value if value is not None and isinstance(value.value, str) else None
    if marker is not None and declared is not None and marked != declared:
        message = f"the group is {quote(marked or '')} here and {quote(declared)} in the constant {GROUP_CONSTANT}"
        report.warning("AG1215", marker.place, message, hint="the constant is used; correct the other one")
    return next((name for name in (declared, marked, literal_group(parsed.units)) if name is not None), "")


JSON_METHODS = ("MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText")
"""The methods that Go's encoding/json uses."""


def json_methods(units: Sequence[Unit]) -> Mapping[str, tuple[str, ...]]:
    """Return, by the name of a type, its methods of `JSON_METHODS`, in order of file and location."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for unit in units:
        for method in children_of(unit.file.root, "method_declaration"):
            name, receiver = method.child_by_field_name("name"), method.child_by_field_name("receiver")
            if name is None or receiver is None or unit.file.text(name) not in JSON_METHODS:
                continue
            for parameter in children_of(receiver, "parameter_declaration"):
                type_ = parameter.child_by_field_name("type")
                if type_ is not None:
                    found[unit.file.text(type_).lstrip("*( ").rstrip(") ")].append(unit.file.text(name))
    return {name: tuple(methods) for name, methods in found.items()}


def read_packages(
    roots: Sequence[GoRoot], report: Report, *, packages: Iterable[str] | None = None
) -> tuple[GoPackage, ...]:
    """Return the packages of some roots, by root and path, followed by the packages to which they refer.

    Packages whose path ends in a version are read, in roots that are not references; or those of `packages`, by
    import path or by folder below a root. A type of another package is followed if the package is in the roots, and its
    package is returned with `referred` set.
    """
    parser = load_parser(report)
    if parser is None:
        return ()
    with gc_paused():
        run = _Run(tuple(roots), report, parser)
        parsed = [package for path in _requested_paths(run, packages) if (package := _checked(path, run)) is not None]
        referred = _referred(parsed, run)
        evaluator = Evaluator(run.package)
        built = [build_package(package, evaluator, report, referred=False) for package in parsed]
        return (*built, *(build_package(package, evaluator, Report(), referred=True) for package in referred))


@dataclass(slots=True)
class _Run:
    """The packages of one run, each parsed on first use. Errors are reported only for requested packages."""

    roots: tuple[GoRoot, ...]
    report: Report
    parser: Parser
    requested: set[str] = field(default_factory=set)
    _packages: dict[str, ParsedPackage | None] = field(default_factory=dict)
    _clauses: dict[str, str | None] = field(default_factory=dict)

    def package(self, path: str) -> ParsedPackage | None:
        """Return a package by its import path; None if no root contains it."""
        if path not in self._packages:
            found = find_folder(path, self.roots)
            report = self.report if path in self.requested else Report()
            self._packages[path] = (
                None if found is None else parse_package(path, *found, report, self.parser, self.clause)
            )
        return self._packages[path]

    def clause(self, path: str) -> str | None:
        """Return the name in the package clause, without parsing the files."""
        if path not in self._clauses:
            found = find_folder(path, self.roots)
            self._clauses[path] = None if found is None else _clause(found[1])
        return self._clauses[path]


def _clause(folder: Path) -> str | None:
    """Return the name in the first package clause of a folder, including packages with only generated files."""
    with suppress(OSError):
        files = (path for path in go_files(folder, generated=True) if path.is_file())
        names = (package_clause(read_regular(path, HEAD_BYTES)) for path in files)
        return next((name for name in names if name not in (None, "main")), None)
    return None


def _requested_paths(run: _Run, packages: Iterable[str] | None) -> list[str]:
    """The import paths to read, each of which some root has."""
    roots = [root for root in run.roots if not root.is_reference]
    if packages is None:
        paths = []
        for root in roots:
            paths_of_root = [path for path in versioned_packages(root, run.report) if _has_files(path, run)]
            if not paths_of_root:
                hint = "packages of an API are in folders such as v1 and v1beta2"
                run.report.error("AG1205", Place(root.display_path), "no Go package of an API found", hint=hint)
            paths += paths_of_root
    else:
        paths = [path for name in packages if (path := _named(name, roots, run.report)) is not None]
    run.requested.update(paths)
    return list(dict.fromkeys(paths))


def _checked(path: str, run: _Run) -> ParsedPackage | None:
    """Return a requested package; report an error if it cannot be read."""
    errors = run.report.error_count
    package = run.package(path)
    if package is None and run.report.error_count == errors:
        run.report.error("AG1205", Place(path), "it has no importable package")
    return package


def _has_files(path: str, run: _Run) -> bool:
    """Return whether a folder has Go sources that are not generated."""
    found = find_folder(path, run.roots)
    return found is not None and has_go_files(found[1]) and not is_all_generated(found[1])


def _named(name: str, roots: Sequence[GoRoot], report: Report) -> str | None:
    """The import path of a package that is named by it, or by its folder below a root."""
    below = name.removeprefix("./").rstrip("/")
    candidates = [name.rstrip("/"), *(f"{root.path}/{below}" for root in roots)]
    for candidate in candidates:
        found = find_folder(candidate, roots)
        if found is not None and has_go_files(found[1]):
            return candidate
    hint = "pass its import path, or its folder below one of the folders that apigen reads"
    place = Place(roots[0].display_path if roots else name)
    report.error("AG1205", place, f"Go package {quote(name)} not found", hint=hint)
    return None


def _referred(parsed: Sequence[ParsedPackage], run: _Run) -> list[ParsedPackage]:
    """The other packages that have types which those of these packages lead to, in order of path."""
    todo = [(package.path, type_) for package in parsed for type_ in package.types]
    seen = {(path, type_.go) for path, type_ in todo}
    packages_by_path: dict[str, ParsedPackage] = {}
    own = {package.path for package in parsed}
    while todo:
        path, type_ = todo.pop()
        for other, name in references(type_, path):
            if (other, name) in seen:
                continue
            seen.add((other, name))
            package = run.package(other)
            target = None if package is None else package.type(name)
            if package is not None and target is not None:
                todo.append((other, target))
                if other not in own:
                    packages_by_path[other] = package
    return [packages_by_path[path] for path in sorted(packages_by_path)]
