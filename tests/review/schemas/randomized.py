"""Random schemas, the same with a change or two, and random values."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from typing import Any

Schema = dict[str, Any]
NAMES = ("a", "b", "c", "x-d")
LEAVES: tuple[Any, ...] = (
    *(None, True, 0, 1, 2, 3, -1, 1.5, "", "p", "q", "r", "pp", "abcd", "zz"),
    *([], ["p"], [1, 1], ["p", 1], [1, "p", 2], {}, {"a": "p"}, {"a": 1, "b": ["p"]}),
)
_WRITTEN_OUT: tuple[Any, ...] = ([], ["p"], ["p", 1], {}, {"a": "p"}, {"a": 1, "b": ["p"]}, 1)
_INSIDE = ("items", "additionalProperties", "additionalItems", "not", "if", "then", "else", "propertyNames")
_NAMED = ("properties", "patternProperties", "definitions")
_LISTED = ("allOf", "anyOf", "oneOf", "items")


class Maker:
    """Makes schemas of JSON Schema; all that it makes follows from its seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def document(self) -> Schema:
        """A whole document with two definitions."""
        root = self.schema(3)
        while not isinstance(root, dict) or "$ref" in root:
            root = self.schema(3)
        return {**root, "definitions": {"A": self.schema(1), "B": self.object(1)}}

    def schema(self, depth: int) -> Any:
        """A schema, nested at most so deep."""
        kinds: tuple[Callable[[int], Any], ...] = (self.scalar, self.object, self.object, self.array, self.combined)
        return self.random.choice(kinds)(depth) if depth > 0 and self.random.random() < 0.65 else self.scalar(0)

    def scalar(self, _: int) -> Any:
        """One without parts."""
        number, some = self.random.randint(-1, 3), self.random.sample
        length = abs(number)
        choices: tuple[Any, ...] = (
            *(
                {"type": "string"},
                {"type": "integer"},
                {"type": "number"},
                {"type": "boolean"},
                {"type": "null"},
                {},
                True,
                False,
            ),
            *({"type": "string", "maxLength": length}, {"type": "string", "minLength": length}, {"maxLength": 1}),
            *({"type": "integer", "minimum": number}, {"type": "number", "maximum": number}, {"minimum": 2}),
            *({"type": "number", "exclusiveMinimum": number}, {"type": "integer", "multipleOf": length + 1}),
            *(
                {"type": ["string", "integer"]},
                {"type": ["string", "null"]},
                {"const": self.random.choice(["p", 1, None])},
            ),
            *(
                {"enum": some(["p", "q", 1, None], length or 1)},
                {"type": "string", "enum": some(["p", "q", "r"], length or 1)},
                {"enum": some(_WRITTEN_OUT, length or 1)},
            ),
            *({"type": "array", "minItems": length}, {"type": "array", "uniqueItems": True}, {"type": "object"}),
            *({"$ref": "#/definitions/A"}, {"$ref": "#/definitions/B"}),
            {"type": "string", "pattern": self.random.choice(["^p", "q$", "^[a-z]+$"])},
        )
        return copy.deepcopy(self.random.choice(choices))

    def object(self, depth: int) -> Schema:
        """One of objects."""
        made: Schema = {"type": "object"} if self.chance(0.85) else {}
        made["properties"] = {name: self.schema(depth - 1) for name in self.names(3)}
        if self.chance(0.4):
            made["required"] = self.names(2) or ["a"]
        if self.chance(0.4):
            made["additionalProperties"] = self.random.choice([False, self.schema(depth - 1)])
        if self.chance(0.15):
            made["patternProperties"] = {"^x-": self.schema(depth - 1)}
        if self.chance(0.1):
            made["propertyNames"] = {"maxLength": self.random.randint(1, 3)}
        if self.chance(0.1):
            made["dependencies"] = {"a": self.random.choice([["b"], {"required": ["c"]}])}
        return made

    def array(self, depth: int) -> Schema:
        """One of lists, or of tuples."""
        if self.chance(0.6):
            return {"type": "array", "items": self.schema(depth - 1)}
        made = {"type": "array", "items": [self.schema(depth - 1) for _ in range(self.random.randint(0, 2))]}
        return {**made, "additionalItems": self.random.choice([False, self.schema(0)])} if self.chance(0.5) else made

    def combined(self, depth: int) -> Schema:
        """Alternatives, negations, conditions."""
        base = {"type": self.random.choice(["object", "string", "integer"])} if self.chance(0.5) else {}
        word = self.random.choice(["allOf", "anyOf", "oneOf", "not", "if"])
        if word == "not":
            return {**base, "not": self.schema(depth - 1)}
        if word == "if":
            more = {"else": self.schema(depth - 1)} if self.chance(0.5) else {}
            return {**base, "if": self.schema(depth - 1), "then": self.schema(depth - 1), **more}
        return {**base, word: [self.schema(depth - 1) for _ in range(self.random.randint(1, 3))]}

    def changed(self, document: Schema) -> Schema:
        """The document with a change or two anywhere in it."""
        made = copy.deepcopy(document)
        for _ in range(self.random.choice([1, 1, 1, 2])):
            path = self.random.choice(list(paths(made)))
            node = at(made, path)
            self.random.choice([self._drop, self._add, self._add, self._tweak, self._replace])(made, path, node)
            for name in ("A", "B"):
                made.setdefault("definitions", {}).setdefault(name, {})
        return made

    def _drop(self, _: Schema, path: tuple[Any, ...], node: Schema) -> None:
        if node and (path or len(node) > 1):
            node.pop(self.random.choice(list(node)))

    def _add(self, _: Schema, __: tuple[Any, ...], node: Schema) -> None:
        extra = self.schema(1)
        if isinstance(extra, dict):
            node.update({name: value for name, value in extra.items() if name != "$ref"})

    def _replace(self, whole: Schema, path: tuple[Any, ...], _: Schema) -> None:
        if path:
            at(whole, path[:-1])[path[-1]] = self.schema(1)

    def _tweak(self, _: Schema, __: tuple[Any, ...], node: Schema) -> None:
        word = self.random.choice(
            ["required", "additionalProperties", "properties", "allOf", "anyOf", "oneOf", "enum", "minimum"]
        )
        if word in _LISTED:
            node.setdefault(word, []).append(self.schema(1))
        elif word == "properties":
            node.setdefault(word, {})[self.random.choice(NAMES)] = self.schema(1)
        else:
            node[word] = {
                "required": self.names(1) or ["b"],
                "additionalProperties": self.random.choice([True, False, self.schema(1)]),
                "enum": self.random.sample(["p", "q", 1, None], 2),
                "minimum": self.random.randint(0, 3),
            }[word]

    def value(self, depth: int = 3) -> Any:
        """A value that some of these schemas take."""
        if depth <= 0 or self.chance(0.4):
            return self.random.choice(LEAVES)
        if self.chance(0.2):
            return [self.value(depth - 1) for _ in range(self.random.randint(0, 3))]
        return {name: self.value(depth - 1) for name in self.random.sample((*NAMES, "zzzz"), self.random.randint(0, 4))}

    def names(self, most: int) -> list[str]:
        """Some names of members."""
        return self.random.sample(NAMES, self.random.randint(0, most))

    def chance(self, share: float) -> bool:
        """Whether something happens that does so in this share of all cases."""
        return self.random.random() < share


def paths(schema: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all schemas that are mappings."""
    if not isinstance(schema, dict):
        return
    yield path
    for word, inner in schema.items():
        if word in _NAMED:
            for name, each in inner.items():
                yield from paths(each, (*path, word, name))
        elif word in _LISTED and isinstance(inner, list):
            for index, each in enumerate(inner):
                yield from paths(each, (*path, word, index))
        elif word in _INSIDE:
            yield from paths(inner, (*path, word))


def at(schema: Any, path: tuple[Any, ...]) -> Any:
    """The schema at a path."""
    for step in path:
        schema = schema[step]
    return schema
