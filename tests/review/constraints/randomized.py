"""Random pairs of slots with constraints, unions and enums, and values to try."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from itertools import combinations, product
from typing import Any

_PATTERNS = ("^a+$", "^[ab]*$", "a", "^(a|b)$", "^a?b?$", "b$", "^[a-c]{2,3}$", "^.{0,3}$", r"^\w+$", "^(?:aa)*$")
_PRESENCES: tuple[dict[str, bool], ...] = ({}, {"optional": True}, {"omitEmpty": True}, {"required": False})
_TYPES = ("int32", "uint32", "int64", "string", "string", "[]string", "union", "enum")
_MEMBERS = ("a", "b", "c")
_VALUES = ("A", "B", "C", "D")
_TEXTS = ("".join(each) for length in range(5) for each in product("ab", repeat=length))
_NUMBERS = (-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12)
_TRIED: dict[str, tuple[Any, ...]] = {
    "int32": _NUMBERS,
    "int64": _NUMBERS,
    "uint32": tuple(number for number in _NUMBERS if number >= 0),
    "string": (*_TEXTS, "é", "aé", "c", "-", "A", "abc", "abcc", "aaaaaa", "a.b", "\n", "a\n", "éééé"),
    "[]string": ([], ["a"], ["a", "a"], ["a", "b"], ["a", "b", "c"], ["a", "a", "b"], ["a", "b", "c", "d"]),
    "enum": (*_VALUES, "Z"),
}


@dataclass
class Pair:
    """A field of both sides: as it is written, with the type behind it if that has a name, and values to try."""

    name: str
    fields: tuple[dict[str, Any], dict[str, Any]]
    types: tuple[dict[str, Any], dict[str, Any]] = field(default_factory=lambda: ({}, {}))
    values: tuple[Any, ...] = ()


def pairs(seed: int, number: int) -> list[Pair]:
    """So many pairs, the same for the same seed."""
    chance = random.Random(seed)
    return [_pair(index, chance) for index in range(number)]


def _pair(index: int, chance: random.Random) -> Pair:
    type_, presence = chance.choice(_TYPES), chance.choice(_PRESENCES)
    name = f"f{index}x"
    if type_ == "union":
        return _unions(name, f"Union{index}x", chance)
    if type_ == "enum":
        return _enums(name, f"Enum{index}x", chance)
    make = {"string": _of_text, "[]string": _of_list}.get(type_, _of_number)
    old = make(chance)
    new = make(chance) if chance.random() < 0.7 else {**old, **dict(list(make(chance).items())[:1])}
    if make is _of_number and not _is_possible(new):
        new = old
    return Pair(name, ({"type": type_, **presence, **old}, {"type": type_, **presence, **new}), values=_TRIED[type_])


def _of_number(chance: random.Random) -> dict[str, Any]:
    while True:
        words = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
        made: dict[str, Any] = {word: chance.randint(-3, 4) for word in words if chance.random() < 0.3}
        if chance.random() < 0.25:
            made["multipleOf"] = chance.choice((1, 2, 3, 4))
        if chance.random() < 0.2:
            made["not"] = chance.randint(-2, 3)
        if chance.random() < 0.2:
            operators = [chance.choice(("<", "<=", ">", ">=", "!=")) for _ in range(chance.randint(1, 2))]
            made["rules"] = [{"rule": f"self {operator} {chance.randint(-2, 4)}"} for operator in operators]
        if _is_possible(made):
            return made


def _is_possible(made: dict[str, Any]) -> bool:
    """Whether the bounds leave a value, as specs are asked to."""
    least = max(made.get("minimum", -9), made.get("exclusiveMinimum", -9) + 1)
    return bool(least < min(made.get("maximum", 9), made.get("exclusiveMaximum", 9) - 1))


def _of_text(chance: random.Random) -> dict[str, Any]:
    said = (
        ("minLength", 0.3, chance.randint(0, 2)),
        ("maxLength", 0.3, chance.randint(2, 5)),
        ("maxBytes", 0.2, chance.randint(2, 6)),
        ("pattern", 0.5, chance.choice(_PATTERNS)),
        ("not", 0.2, chance.choice(("a", "b", "aa"))),
        ("format", 0.1, chance.choice(("k8s-short-name", "k8s-long-name", "k8s-label-value"))),
        ("rules", 0.1, [{"rule": chance.choice(("self != 'a'", "self in ['a', 'b']", "size(self) < 3"))}]),
    )
    return {word: value for word, likely, value in said if chance.random() < likely}


def _of_list(chance: random.Random) -> dict[str, Any]:
    said = (
        ("minItems", 0.4, chance.randint(0, 2)),
        ("maxItems", 0.4, chance.randint(2, 3)),
        ("uniqueItems", 0.3, True),
    )
    return {word: value for word, likely, value in said if chance.random() < likely}


def _unions(name: str, type_: str, chance: random.Random) -> Pair:
    text = {"type": "string", "optional": True}
    made = []
    for _ in range(2):
        struct: dict[str, Any] = {"fields": {"type": text, **dict.fromkeys(_MEMBERS, text)}}
        if chance.random() < 0.85:
            struct["unions"] = [_union(chance)]
        made.append({type_: struct})
    chosen = (each for number in range(3) for each in combinations(_MEMBERS, number))
    values = tuple(
        {**dict.fromkeys(members, "v"), **({"type": said} if said else {})}
        for members in chosen
        for said in ("", "A", "B", "C", "None", "X")
    )
    written = {"type": type_, "optional": True}
    return Pair(name, (written, written), (made[0], made[1]), values)


def _union(chance: random.Random) -> dict[str, Any]:
    members = chance.choice((["a", "b"], ["a", "b", "c"], ["b", "c"]))
    optional = {"optional": True} if chance.random() < 0.5 else {}
    if chance.random() < 0.4:
        named = {member.upper(): member for member in members}
        return {"discriminator": "type", "members": named, "empty": ["None"], **optional}
    return {"members": members, **optional}


def _enums(name: str, type_: str, chance: random.Random) -> Pair:
    fields, types = [], []
    for _ in range(2):
        known = chance.sample(_VALUES, chance.randint(1, 4))
        how: dict[str, Any] = chance.choice(({"open": True}, {"unknown": known[0]}, {"open": False}, {}))
        is_text = chance.random() < 0.2
        fields.append({"type": "string" if is_text else type_, "optional": True})
        types.append({} if is_text else {type_: {"enum": {value: {} for value in known}, **how}})
    return Pair(name, (fields[0], fields[1]), (types[0], types[1]), _TRIED["enum"])
