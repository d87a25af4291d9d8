"""What became of the functions that Kubernetes writes by hand: conversions and defaults, one by one.

`tests/data/kubernetes/hand-written.csv` lists them (release 1.36.3), with their lines and what was thought of each when
it was read: `plumbing`, `lens`, `primitive` or `code` of a conversion; of a default anything but `code` can be declared.
`manual/<group>.yaml` lists the replacement of each function and its location:

    conversions:
    - function: v1_PodSpec_To_core_PodSpec
      package: core/v1
      goLines: 24
      how: declared            # or vanished, handWritten, noApi (its API is not in these specs)
      at:                      # a file below api-specs/kubernetes, and the keys below its `types:`
      - [core/v1.yaml, PodSpec, fields, hostNetwork, hub]
    defaults:
    - function: …
      at:                      # a file of hand-written functions, and one of them; without: all of the file
      - [handwritten/core/v1/defaults.py, default_container]

What is declared may have such a place too, for a rest that is written by hand.
"""

from __future__ import annotations

import ast
import csv
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from tests.kubernetes.compiling import ROOT
from tests.yaml_files import read_yaml

MANUAL = Path(__file__).with_name("manual")
LISTED = ROOT / "tests" / "data" / "kubernetes" / "hand-written.csv"
SPECS = ROOT / "api-specs" / "kubernetes"
HAND_WRITTEN = "handwritten/"
KINDS = ("conversions", "defaults")
HOWS = ("vanished", "declared", "handWritten", "noApi")

Place = tuple[str | int, ...]
Line = tuple[str, int]


class NoSuchPlace(Exception):
    """The message says what is not there."""


@dataclass(frozen=True, slots=True)
class Function:
    """A function of Kubernetes, as the list has it."""

    kind: str
    package: str
    name: str
    lines: int
    result: str

    @property
    def key(self) -> tuple[str, str, str]:
        return self.kind, self.package, self.name


@dataclass(frozen=True, slots=True)
class Entry:
    """What there is in its stead, as a file of `manual/` has it."""

    group: str
    kind: str
    package: str
    name: str
    lines: int
    how: str
    places: tuple[Place, ...]

    @property
    def key(self) -> tuple[str, str, str]:
        return self.kind, self.package, self.name

    @property
    def rest_by_hand(self) -> bool:
        """Whether it is declared, but for a rest that is written by hand."""
        return self.how == "declared" and any(str(place[0]).startswith(HAND_WRITTEN) for place in self.places)

    def our_lines(self) -> frozenset[Line]:
        """All lines of its places. Raises NoSuchPlace."""
        return frozenset(line for place in self.places for line in lines_of(place))


@cache
def functions() -> tuple[Function, ...]:
    """All functions that Kubernetes writes by hand."""
    with LISTED.open(encoding="utf-8", newline="") as rows:
        return tuple(
            Function(row["kind"], row["package"], row["function"], int(row["lines"]), row["result"])
            for row in csv.DictReader(rows)
        )


@cache
def entries() -> tuple[Entry, ...]:
    """All entries, file by file."""
    return tuple(entry for path in sorted(MANUAL.glob("*.yaml")) for entry in _entries(path))


def _entries(path: Path) -> Iterator[Entry]:
    found: dict[str, list[dict[str, Any]]] = read_yaml(path.read_text(encoding="utf-8"))
    for kind in KINDS:
        for row in found.get(kind) or ():
            places = tuple(tuple(place) for place in row.get("at", ()))
            yield Entry(path.stem, kind, row["package"], row["function"], row["goLines"], row["how"], places)


def lines_of(place: Place) -> frozenset[Line]:
    """The lines of a place. Raises NoSuchPlace."""
    name, *keys = place
    file = str(name)
    if file.startswith(HAND_WRITTEN):
        first, last = _lines_of_function(ROOT / file, keys)
    else:
        first, last = _lines_of_key(SPECS / file, keys)
    return frozenset((file, number) for number in range(first, last + 1))


def text_of(line: Line) -> str:
    """A line as written."""
    file, number = line
    path = ROOT / file if file.startswith(HAND_WRITTEN) else SPECS / file
    return _text(path).splitlines()[number - 1]


def _lines_of_function(path: Path, names: list[str | int]) -> tuple[int, int]:
    if not names:
        return 1, len(_text(path).splitlines())
    for statement in _module(path).body:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef) and [statement.name] == names:
            start = min([statement.lineno, *(each.lineno for each in statement.decorator_list)])
            return start, statement.end_lineno or start
    raise NoSuchPlace(f"{path.relative_to(ROOT)} has no {names}")


def _lines_of_key(path: Path, keys: list[str | int]) -> tuple[int, int]:
    node, start = _document(path), 0
    for key in ("types", *keys):
        found = next(((k, v) for k, v in _members(node) if k.value == str(key)), None)
        if found is None:
            raise NoSuchPlace(f"{path.relative_to(SPECS)} has no {key} in {[*keys]}")
        start, node = found[0].start_mark.line, found[1]
    return start + 1, max(start, _last_line(node)) + 1


def _members(node: yaml.Node) -> list[tuple[yaml.Node, yaml.Node]]:
    """What is in a mapping or a list, with its key or number."""
    if isinstance(node, yaml.MappingNode):
        return list(node.value)
    if isinstance(node, yaml.SequenceNode):
        return [
            (yaml.ScalarNode("", str(at), item.start_mark, item.end_mark), item) for at, item in enumerate(node.value)
        ]
    return []


def _last_line(node: yaml.Node) -> int:
    """Where a node ends; a block ends where the last thing in it does, a text below `|` on the line before its end."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        return max(_last_line(value) for _, value in _members(node))
    mark = node.end_mark
    return int(mark.line - (mark.column == 0 and mark.line > node.start_mark.line))


@cache
def _text(path: Path) -> str:
    if not path.is_file():
        raise NoSuchPlace(f"there is no {path.relative_to(ROOT)}")
    return path.read_text(encoding="utf-8")


@cache
def _module(path: Path) -> ast.Module:
    return ast.parse(_text(path))


@cache
def _document(path: Path) -> yaml.Node:
    found = yaml.compose(_text(path), yaml.SafeLoader)
    assert found is not None, f"{path} is empty"
    return found
