"""Random structural schemas with objects that come near to their bounds, the same ones for the same number."""

from __future__ import annotations

from copy import deepcopy
from random import Random
from typing import Any

_NAMES = ("a", "b", "c", "mode")
_RULES = (
    "!has(self.mode) || !has(self.a)",
    "has(self.a) || has(self.b)",
    "has(self.c) == has(oldSelf.c)",
    "self == oldSelf",
)


def question(number: int) -> dict[str, Any]:
    """A schema with an object, and for every second one the old object of an update."""
    random = Random(number)
    spec = _object(random, 3)
    schema = {"type": "object", "properties": {"spec": spec}}
    found: dict[str, Any] = {"schema": schema, "object": {"spec": _value(random, spec)}}
    if random.random() < 0.5:
        found["old"] = deepcopy(found["object"]) if random.random() < 0.3 else {"spec": _value(random, spec)}
        if random.random() < 0.5:  # parts are unchanged
            for name in _NAMES[:2]:
                old = found["old"]["spec"]
                if isinstance(old, dict) and isinstance(found["object"]["spec"], dict) and name in old:
                    found["object"]["spec"][name] = deepcopy(old[name])
    return found


def _schema(random: Random, depth: int) -> dict[str, Any]:
    kind = random.choice(
        ["object", "array", "map"]
        if depth and random.random() < 0.5
        else ["string", "integer", "number", "boolean", "any"]
    )
    made = {"object": _object, "array": _array, "map": _map}
    found: dict[str, Any] = made[kind](random, depth) if kind in made else _scalar(random, kind)
    if random.random() < 0.2:
        found["nullable"] = True
    if random.random() < 0.35:
        default = _value(random, found, exact=True)
        if default is not None:
            found["default"] = default
    return found


def _object(random: Random, depth: int) -> dict[str, Any]:
    names = random.sample(_NAMES, random.randint(1, 4))
    found: dict[str, Any] = {"type": "object", "properties": {name: _schema(random, depth - 1) for name in names}}
    if random.random() < 0.3:
        found["required"] = random.sample(names, 1)
    if random.random() < 0.2:
        found["maxProperties"] = random.randint(0, 2)
    if random.random() < 0.1:
        found["minProperties"] = random.randint(1, 3)
    if random.random() < 0.3:
        word = random.choice(["oneOf", "anyOf", "allOf"])
        found[word] = [_branch(random, names) for _ in range(random.randint(1, 3))]
    if random.random() < 0.1:
        found["not"] = {"required": [random.choice(names)]}
    if random.random() < 0.1:
        found["x-kubernetes-preserve-unknown-fields"] = True
    if random.random() < 0.1:
        found["x-kubernetes-map-type"] = random.choice(["atomic", "granular"])
    if random.random() < 0.5 and set(names) == set(_NAMES) and "preserve" not in str(found):
        rule = {"rule": random.choice(_RULES)}
        found["x-kubernetes-validations"] = [rule]
    if random.random() < 0.03:
        found["x-kubernetes-embedded-resource"] = True
    return found


def _branch(random: Random, names: list[str]) -> dict[str, Any]:
    name = random.choice(names)
    return random.choice(
        [
            {"required": [name]},
            {"not": {"required": [name]}},
            {"properties": {name: {"enum": ["a", 1]}}},
            {"maxProperties": 1},
        ]
    )


def _array(random: Random, depth: int) -> dict[str, Any]:
    found: dict[str, Any] = {"type": "array", "items": _schema(random, depth - 1)}
    if random.random() < 0.4:
        items = {
            "type": "object",
            "properties": {"a": {"type": "string"}, "b": _scalar(random, "integer")},
            "required": ["a"],
        }
        found |= {"items": items, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["a"]}
    elif random.random() < 0.4:
        found |= {"items": {"type": random.choice(["string", "integer"])}, "x-kubernetes-list-type": "set"}
    if random.random() < 0.2:
        found[random.choice(["maxItems", "minItems"])] = random.randint(1, 2)
    return found


def _map(random: Random, depth: int) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": True if random.random() < 0.1 else _schema(random, depth - 1)}


def _scalar(random: Random, kind: str) -> dict[str, Any]:
    if kind == "any":
        return random.choice([{"x-kubernetes-int-or-string": True}, {"x-kubernetes-preserve-unknown-fields": True}])
    found: dict[str, Any] = {"type": kind}
    words: dict[str, tuple[tuple[str, Any], ...]] = {
        "string": (
            ("maxLength", 1),
            ("minLength", 2),
            ("pattern", "^(?i)A"),
            ("enum", ["a", "bb"]),
            ("format", "ipv4"),
            ("format", "int32"),
            ("format", "mine"),
            ("format", "uuid"),
        ),
        "integer": (
            ("minimum", 1),
            ("maximum", 1),
            ("multipleOf", 2),
            ("enum", [0, 1]),
            ("format", "int32"),
            ("format", "int64"),
        ),
        "number": (("minimum", 0.5), ("maximum", 1), ("multipleOf", 0.5), ("format", "double")),
        "boolean": (("enum", [True]),),
    }
    for word, value in random.sample(words[kind], random.randint(0, min(2, len(words[kind])))):
        found[word] = value
        if word in ("minimum", "maximum") and random.random() < 0.3:
            found[f"exclusive{word.capitalize()}"] = True
    return found


def _value(random: Random, schema: dict[str, Any], *, exact: bool = False) -> Any:
    """A value of the type of a schema, seldom of another one. `exact`: of its type, without unknown fields."""
    if not exact and random.random() < 0.08:
        return random.choice([None, None, "a", 1, 1.5, True, [], {}, [None], {"zz": {"a": 1}}])
    match schema.get("type"):
        case "object":
            known, values = schema.get("properties", {}), schema.get("additionalProperties")
            if known:
                found = {
                    name: _value(random, inner, exact=exact) for name, inner in known.items() if random.random() < 0.6
                }
            else:
                inner = values if isinstance(values, dict) else {}
                found = {
                    name: _value(random, inner, exact=exact) for name in random.sample(_NAMES, random.randint(0, 2))
                }
            if not exact and random.random() < 0.15:
                found["zz"] = random.choice([1, None, {"a": 1}])
            return found
        case "array":
            return [_value(random, schema["items"], exact=exact) for _ in range(random.randint(0, 3))]
        case "string":
            return random.choice(schema.get("enum", []) + ["a", "bb", "", "10.0.0.1", "A"])
        case "integer":
            return random.choice([0, 1, 2, 3, -1] + ([] if exact else [2.0, 2**40]))
        case "number":
            return random.choice([0, 1, 0.5, 0.75, 2, 1.0])
        case "boolean":
            return random.random() < 0.5
        case _:
            return random.choice([1, "a"])
