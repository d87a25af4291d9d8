"""Feature gates from Go sources: the maps of gates to their stages, and of gates to those that they depend on.

    const Frobber2D featuregate.Feature = "Frobber2D"

    var gates = map[featuregate.Feature]featuregate.VersionedSpecs{
        Frobber2D: {{Version: version.MustParse("1.11"), Default: false, PreRelease: featuregate.Alpha}},
    }

Maps are found anywhere in a file, by their types. A gate is identified by the name of its constant, in any package.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from apigen.dataclass import dataclass, field
from apigen.diagnostics import Place, Report
from apigen.diagnostics.quoting import quote
from apigen.inputs.go.roots import GoRoot, go_files, read_go
from apigen.inputs.go.syntax import GoFile, children_of, errors, load_parser, parse, specs_of
from apigen.inputs.merging import Block, Entries, Lines, Value
from apigen.language.source import report_unreadable

if TYPE_CHECKING:
    from tree_sitter import Node, Parser


_OWNER = re.compile(r"^//\s*owners?:\s*(.+?)\s*$", re.IGNORECASE)
_TEXT = {"interpreted_string_literal", "raw_string_literal"}


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


_STAGES = re.compile(r"map\[(\w+\.)?Feature\](\w+\.)?VersionedSpecs")
_UNVERSIONED = re.compile(r"map\[(\w+\.)?Feature\](\w+\.)?FeatureSpec")
_DEPENDENCIES = re.compile(r"map\[(\w+\.)?Feature\]\[\](\w+\.)?Feature")
_WORDS = {"Alpha": "alpha", "Beta": "beta", "GA": "ga", "Deprecated": "deprecated", "": "ga"}
_NOT_YET = {"PreAlpha", "PRE-ALPHA"}
"""Stages before the first one that specs can declare; specs omit them."""
_BUILT_IN = {"AllAlpha", "AllBeta"}
"""Gates for all gates of a stage."""


@dataclass(frozen=True, slots=True)
class Gate:
    """A feature gate in the sources; `stages` are in the form of the specs."""

    stages: tuple[Entries, ...]
    place: Place


@dataclass(slots=True)
class _Found:
    """The constants and gates found so far, over all files: a gate has the same name in every package."""

    report: Report
    constants: dict[str, str] = field(default_factory=dict)
    owners: dict[str, str] = field(default_factory=dict)
    gates: dict[str, Gate] = field(default_factory=dict)
    depends_on: dict[str, list[str]] = field(default_factory=dict)

    def gate(self, file: GoFile, node: Node) -> str | None:
        """Return the gate that an expression names; None, with a warning, if its constant is unknown."""
        name = self.name_of(file, node)
        if name is None:
            message = f"{quote(file.text(node))} is not a constant of the files that were read"
            self.report.warning("AG1238", file.place(node), message, hint="also pass the folder that declares it")
        return name

    def add_constants(self, file: GoFile) -> None:
        """Add `Name Feature = "Name"`, and the owner in the comment above it."""
        for declaration in children_of(file.root, "const_declaration", "var_declaration"):
            specs = specs_of(declaration)
            for spec in specs:
                self._add(file, spec, declaration if len(specs) == 1 else spec)

    def name_of(self, file: GoFile, node: Node) -> str | None:
        """Return the gate that an expression names; None if it is unknown."""
        node = unwrapped(node)
        if node.type in _TEXT:
            return file.text(node)[1:-1]
        if node.type in ("call_expression", "type_conversion_expression"):
            arguments = node.child_by_field_name("arguments")
            inner = arguments.named_children if arguments is not None else []
            return self.name_of(file, inner[0]) if len(inner) == 1 else None
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
            gate = self.name_of(file, expression)
            if gate is None:
                continue
            self.constants.setdefault(file.text(name), gate)
            owner = _owner_above(file, commented)
            if owner:
                self.owners.setdefault(gate, owner)


def read_features(roots: Iterable[GoRoot], report: Report) -> Entries | None:
    """Return the feature gates of some folders, sorted by name, in the form of features.yaml; None, with an error, if
    Go cannot be read.

    Reports unsupported code (AG1238), and a gate with different stages in two maps (AG1239).
    """
    parser = load_parser(report)
    if parser is None:
        return None
    files: list[GoFile] = []
    for root in roots:
        files += _files(root, parser, report)
    features = _Found(report)
    for file in files:
        features.add_constants(file)
    for file in files:
        for literal, type_ in _maps(file):
            _read_map(file, literal, type_, features)
    return _entries(features)


def _files(root: GoRoot, parser: Parser, report: Report) -> Iterator[GoFile]:
    try:
        paths = go_files(root.folder)
    except OSError as error:
        report_unreadable(report, Place(root.display_path), error)
        return
    if not paths:
        report.error(
            "AG1238", Place(root.display_path), "no Go files found", hint="pass the folder of the package itself"
        )
    for path in paths:
        display_path = root.shown_as(path)
        data = read_go(path, Place(display_path), root, report)
        file = None if data is None else parse(parser, data, display_path)
        if file is None:
            continue
        report.use_source(file.line)
        bad = next(errors(file.root), None)
        if bad is not None:
            report.error("AG1201", file.place(bad), "this is not Go")
            continue
        yield file


def _maps(file: GoFile) -> Iterator[tuple[Node, str]]:
    """The literals of maps, with the text of their types."""
    todo = [file.root]
    while todo:
        node = todo.pop()
        if node.type == "composite_literal":
            type_, body = node.child_by_field_name("type"), node.child_by_field_name("body")
            if type_ is not None and body is not None and type_.type == "map_type":
                yield body, "".join(file.text(type_).split())
                continue
        todo.extend(reversed(node.named_children))


def _read_map(file: GoFile, literal: Node, type_: str, features: _Found) -> None:
    if _UNVERSIONED.fullmatch(type_) and literal.named_children:
        message = "feature gates without releases are omitted, because their stages have no beginning"
        features.report.warning("AG1238", file.place(literal), message)
        return
    is_stages = _STAGES.fullmatch(type_) is not None
    if not is_stages and not _DEPENDENCIES.fullmatch(type_):
        return
    for key, value in elements(literal):
        name = features.gate(file, key)
        if name is None or name in _BUILT_IN:
            continue
        if is_stages:
            _add_gate(file, name, key, value, features)
        else:
            _add_dependencies(file, name, value, features)


def _add_gate(file: GoFile, name: str, key: Node, value: Node, features: _Found) -> None:
    items = [item for _, item in elements(unwrapped(value), keyed=False)]
    while items and _word(file, items[0]) in _NOT_YET:
        items.pop(0)
    stages = [_stage(file, item, features.report) for item in items]
    known = tuple(stage for stage in stages if stage is not None)
    if not known or len(known) != len(stages):
        if not stages:
            features.report.warning("AG1238", file.place(key), f"feature gate {quote(name)} has no stages")
        return
    gate = Gate(known, file.place(key))
    first = features.gates.setdefault(name, gate)
    if first.stages != gate.stages:
        message = f"feature gate {quote(name)} has other stages than in {first.place}"
        features.report.error("AG1239", gate.place, message, hint="pass the folders of one release only")


def _stage(file: GoFile, item: Node, report: Report) -> Entries | None:
    """Return a stage in the form of specs; None, with a warning, if a value in it is not a literal."""
    parts = _parts(file, item)
    release = _release(file, parts.get("Version"))
    word = _word(file, item)
    flags = {name: file.text(parts[name]) for name in ("Default", "LockToDefault") if name in parts}
    needs = parts.get("MinCompatibilityVersion")
    if needs is not None and file.text(needs) == "nil":
        needs = None
    needed = _release(file, needs)
    is_plain = all(text in ("true", "false") for text in flags.values()) and (needs is None or needed is not None)
    if release is None or word not in _WORDS or not is_plain:
        report.warning("AG1238", file.place(item), f"unsupported stage: {quote(file.text(item))}")
        return None
    stage: Entries = {"release": release, "stage": _WORDS[word]}
    if flags.get("Default") == "true":
        stage["default"] = True
    if flags.get("LockToDefault") == "true":
        stage["locked"] = True
    if needed is not None:
        stage["minCompatibility"] = needed
    return stage


def _parts(file: GoFile, item: Node) -> dict[str, Node]:
    """The parts of a stage by the names of their Go fields."""
    return {file.text(key): value for key, value in elements(unwrapped(item))}


def _word(file: GoFile, item: Node) -> str:
    """Return the name of a stage; empty without one, which means GA."""
    word = _parts(file, item).get("PreRelease")
    return "" if word is None else file.text(word).rpartition(".")[2].strip('"')


def _release(file: GoFile, node: Node | None) -> str | None:
    text = "" if node is None else "".join(file.text(node).split())
    parsed = re.fullmatch(r"(?:\w+\.)?MustParse\w*\(\"v?(\d+\.\d+)(?:\.0)?\"\)", text)
    if parsed is not None:
        return parsed[1]
    pair = re.fullmatch(r"(?:\w+\.)?MajorMinor\((\d+),(\d+)\)", text)
    return None if pair is None else f"{pair[1]}.{pair[2]}"


def _add_dependencies(file: GoFile, name: str, value: Node, found: _Found) -> None:
    names = found.depends_on.setdefault(name, [])
    for _, item in elements(unwrapped(value), keyed=False):
        gate = found.gate(file, item)
        if gate is not None and gate not in names:
            names.append(gate)


def _entries(features: _Found) -> Entries:
    """Return the contents of features.yaml."""
    entries: Entries = Block()
    for name in sorted(features.gates):
        gate = Block()
        owner = features.owners.get(name)
        if owner:
            gate["owner"] = owner
        gate["stages"] = Lines(features.gates[name].stages)
        needed: list[Value] = [other for other in features.depends_on.get(name, ()) if _is_known(other, name, features)]
        if needed:
            gate["dependsOn"] = sorted(needed, key=str)
        entries[name] = gate
    return entries


def _is_known(other: str, name: str, found: _Found) -> bool:
    if other in found.gates:
        return True
    message = f"{quote(name)} depends on {quote(other)}, of which no stages were read"
    found.report.warning("AG1238", found.gates[name].place, message, hint="also pass the folder that has them")
    return False
