"""Reads conditions: mappings of words and paths, joined by "and".

    {path: value}   {path: [one, of]}   {set: path}   {unset: path}   {gate: Name}   {all: […]}   {any: […]}   {not: …}

A key that is one of these words means the word; a field of that name is written `./set`.
"""

from __future__ import annotations

from collections.abc import Mapping as AbstractMapping

from apigen.language.context import Context
from apigen.language.nodes import Entry, Mapping, Node, Scalar, Sequence
from apigen.language.paths import All, Any, Condition, Equals, GateEnabled, IsSet, Literal, Not
from apigen.language.shapes import Definitions, ListOf, Schema, Shape, mapped
from apigen.language.words import LITERAL, PATH, TEXT, read_path

_DEFINITION = "condition"


class ConditionShape(Shape[Condition]):
    """A condition."""

    expected = "a condition, such as `{path: value}`"

    def read(self, node: Node, context: Context) -> Condition | None:
        if not isinstance(node, Mapping):
            context.mismatch(node, self.expected)
            return None
        if not node.entries:
            context.error("AG0209", node.place, "an empty condition", hint=_ALWAYS_HINT)
            return None
        if node.damaged or node.repeated:
            context.mark_broken()
        parts = [_part(entry, context) for entry in node.entries]
        read = tuple(part for part in parts if part is not None)
        if len(read) < len(parts):
            return None
        return read[0] if len(read) == 1 else All(read)

    def schema(self, definitions: Definitions) -> Schema:
        if _DEFINITION not in definitions:
            definitions[_DEFINITION] = {}
            this: Schema = {"$ref": f"#/$defs/{_DEFINITION}"}
            several: Schema = {"type": "array", "items": this, "minItems": 1}
            value: Schema = {"type": ["string", "number", "boolean", "null"]}
            definitions[_DEFINITION] = {
                "description": "A condition; its parts are joined by `and`.",
                "type": "object",
                "minProperties": 1,
                "properties": {
                    "set": {"type": "string", "description": "A path that is set."},
                    "unset": {"type": "string", "description": "A path that is not set."},
                    "gate": {"type": "string", "description": "An enabled feature gate."},
                    "all": {**several, "description": "Conditions that are all true."},
                    "any": {**several, "description": "Conditions of which at least one is true."},
                    "not": {**this, "description": "A condition that is false."},
                },
                "additionalProperties": {"anyOf": [value, {"type": "array", "items": value, "minItems": 1}]},
            }
        return {"$ref": f"#/$defs/{_DEFINITION}"}


CONDITION = ConditionShape()

_ALWAYS_HINT = "omit `when:` if it is always true"
_CONDITIONS = ListOf(CONDITION, "a list of conditions with at least one element", least=1)


_WORDS: AbstractMapping[str, Shape[Condition]] = {
    "set": mapped(PATH, lambda path, *_: IsSet(path)),
    "unset": mapped(PATH, lambda path, *_: Not(IsSet(path))),
    "gate": mapped(TEXT, lambda gate, *_: GateEnabled(gate.value, gate.place)),
    "all": mapped(_CONDITIONS, lambda conditions, *_: All(conditions)),
    "any": mapped(_CONDITIONS, lambda conditions, *_: Any(conditions)),
    "not": mapped(CONDITION, lambda condition, *_: Not(condition)),
}


def _part(entry: Entry, context: Context) -> Condition | None:
    word = _WORDS.get(entry.key.text)
    if word is not None:
        return word.read(entry.value, context)
    path, values = read_path(entry.key, context), _values(entry.value, context)
    return None if path is None or values is None else Equals(path, values)


def _values(node: Node, context: Context) -> tuple[Literal, ...] | None:
    items = node.items if isinstance(node, Sequence) else (node,)
    if not items:
        context.error("AG0211", node.place, "an empty list, which no value matches")
        return None
    scalars = [item for item in items if isinstance(item, Scalar)]
    if len(scalars) < len(items):
        context.mismatch(node, "a value, or a list of alternative values")
        return None
    if any(LITERAL.read(scalar, context) is None for scalar in scalars):
        return None
    return tuple(scalar.value for scalar in scalars)
