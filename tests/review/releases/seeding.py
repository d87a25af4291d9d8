"""Breaking edits of CustomResourceDefinitions: each at a property of `spec`, made by one of a few kinds of mistakes."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from apigen.dataclass import dataclass
from tests.yaml_files import read_yaml

Node = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Edit:
    """A breaking edit: `kind` names the mistake, `path` the property (`spec.rules[].name`) in a version of a file."""

    file: str
    version: str
    path: str
    kind: str


def _removed(parent: Node, name: str, node: Node) -> bool:
    del parent["properties"][name]
    parent["required"] = [each for each in parent.get("required", []) if each != name]
    return True


def _required(parent: Node, name: str, node: Node) -> bool:
    if name in parent.get("required", []) or "default" in node:
        return False
    parent["required"] = [*parent.get("required", []), name]
    return True


def _retyped(parent: Node, name: str, node: Node) -> bool:
    if node.get("type") not in ("string", "boolean") or "default" in node:
        return False
    description = node.get("description", "")
    node.clear()
    node.update({"type": "integer", "description": description})
    return True


def _value_removed(parent: Node, name: str, node: Node) -> bool:
    if len(node.get("enum", [])) < 2:
        return False
    kept = [value for value in node["enum"] if value == node.get("default")]
    node["enum"] = kept or node["enum"][:-1]
    return True


def _bounded(word: str, types: tuple[str, ...], move: Callable[[int | None], int]) -> Callable[[Node, str, Node], bool]:
    def edit(parent: Node, name: str, node: Node) -> bool:
        if node.get("type") not in types or {"enum", "default", "pattern", "format"} & node.keys():
            return False  # where these accept nothing in between, the edit breaks nothing
        bound = node.get(word)
        moved = move(bound)
        other = {"max": "min", "min": "max"}[word[:3]]
        limit = node.get(word.replace(word[:3], other, 1))
        is_empty = limit is not None and ((moved < limit) if word.startswith("max") else (moved > limit))
        if moved == bound or moved < 0 or is_empty:
            return False
        node[word] = moved
        return True

    return edit


def _pattern(parent: Node, name: str, node: Node) -> bool:
    if node.get("type") != "string" or {"pattern", "enum", "format", "default"} & node.keys():
        return False
    node["pattern"] = "^seeded-[0-9]+$"
    return True


def _rule(text: str, types: tuple[str, ...]) -> Callable[[Node, str, Node], bool]:
    def edit(parent: Node, name: str, node: Node) -> bool:
        if node.get("type") not in types or "default" in node or "enum" in node or "x-kubernetes-validations" in node:
            return False
        node["x-kubernetes-validations"] = [{"rule": text, "message": "seeded"}]
        return True

    return edit


EDITS: dict[str, Callable[[Node, str, Node], bool]] = {
    "field removed": _removed,
    "field became required": _required,
    "type changed": _retyped,
    "enum value removed": _value_removed,
    "maxLength lowered": _bounded("maxLength", ("string",), lambda bound: 1 if bound is None else bound - 1),
    "minLength raised": _bounded("minLength", ("string",), lambda bound: 3 if bound is None else bound + 1),
    "maxItems lowered": _bounded("maxItems", ("array",), lambda bound: 1 if bound is None else bound - 1),
    "minItems raised": _bounded("minItems", ("array",), lambda bound: 1 if bound is None else bound + 1),
    "maximum lowered": _bounded("maximum", ("integer",), lambda bound: 5 if bound is None else bound - 1),
    "minimum raised": _bounded("minimum", ("integer",), lambda bound: 1 if bound is None else bound + 1),
    "pattern added": _pattern,
    "immutable": _rule("self == oldSelf", ("string", "integer", "boolean")),
    "rule on a text": _rule("self in ['a', 'b']", ("string",)),
    "rule on a number": _rule("self > 3 && self < 1000000", ("integer",)),
}


def properties(schema: Node, path: str = "spec") -> Iterator[tuple[str, Node, str, Node]]:
    """The named properties below `spec`: path, parent, name and schema."""
    parent = schema
    for name, node in (parent.get("properties") or {}).items():
        here = f"{path}.{name}"
        yield here, parent, name, node
        while node.get("type") == "array" and isinstance(node.get("items"), dict):
            node, here = node["items"], f"{here}[]"
        yield from properties(node, here)


def batches(folder: Path, count: int, seed: int) -> Iterator[tuple[str, Node, tuple[Edit, ...]]]:
    """At least `count` edits, as files with several edits that have nothing to do with each other: name, content, edits."""
    chosen = random.Random(seed)
    files = {path.name: read_yaml(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.yaml"))}
    files = {name: node for name, node in files.items() if node.get("kind") == "CustomResourceDefinition"}
    made = 0
    while made < count:
        for name, definition in files.items():
            edited = copy.deepcopy(definition)
            edits = tuple(_edited(name, edited, chosen))
            made += len(edits)
            yield name, edited, edits
            if made >= count:
                return


def _edited(name: str, definition: Node, chosen: random.Random) -> Iterator[Edit]:
    for version in definition["spec"]["versions"]:
        spec = version["schema"]["openAPIV3Schema"]["properties"].get("spec")
        found = list(properties(spec)) if version["served"] and "alpha" not in version["name"] and spec else []
        chosen.shuffle(found)
        taken: list[str] = []
        for path, parent, field, node in found:
            if any(_overlap(path, other) for other in taken) or chosen.random() < 0.5:
                continue
            kinds = list(EDITS)
            chosen.shuffle(kinds)
            kinds.sort(key="field removed".__eq__)  # it is possible everywhere, so that it would be chosen most often
            kind = next((kind for kind in kinds if EDITS[kind](parent, field, node)), None)
            if kind is not None:
                taken.append(path)
                yield Edit(name, version["name"], path, kind)


def _overlap(one: str, other: str) -> bool:
    """Whether one of two properties is inside the other, or both are in the same object."""
    return one.startswith(other) or other.startswith(one) or one.rpartition(".")[0] == other.rpartition(".")[0]
