"""Random objects of all kinds, and ways to corrupt them; fast, and reproducible by seed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from generated.runtime.layouts import Members
from generated.runtime.quantity import Quantity
from generated.runtime.raw import FieldsV1, RawExtension
from generated.runtime.times import Duration, MicroTime, Time

DEPTH = 5
TEXTS = (
    "",
    "a",
    "cpu",
    "<&>",
    "\u2028",
    '"\\',
    "\x00\x1f",
    "é",
    "😀",
    "a text of some more characters than a word has",
)
RAWS = (b"{}", b'{"a":[1,2.5,null]}', b'"x"', b"[ 1 , 2 ]")
NAMED: Mapping[str, Callable[[Random], Any]] = {
    "string": lambda random: random.choice(TEXTS),
    "bool": lambda random: random.random() < 0.5,
    "int32": lambda random: random.choice((0, 1, -1, 80, 2**31 - 1, -(2**31))),
    "int64": lambda random: random.choice((0, 7, 2**63 - 1, -(2**63))),
    "uint32": lambda random: random.choice((0, 7, 2**32 - 1)),
    "uint64": lambda random: random.choice((0, 7, 2**64 - 1)),
    "float32": lambda random: random.choice((0.0, 1.5)),
    "float64": lambda random: random.choice((0.0, 1.1)),
    "bytes": lambda random: random.randbytes(random.randrange(5)),
    "IntOrString": lambda random: random.choice((0, 80, "", "50%")),
    "Time": lambda random: Time(random.randrange(-(10**9), 10**10)),
    "MicroTime": lambda random: MicroTime(random.randrange(10**16)),
    "Duration": lambda random: Duration(random.randrange(10**12)),
    "Quantity": lambda random: Quantity(random.choice(("0", "500m", "2Gi", "1e3"))),
    "RawExtension": lambda random: RawExtension(random.choice(RAWS)),
    "FieldsV1": lambda random: FieldsV1(random.choice(RAWS)),
}


class _Odd(str):
    """A text that is not quite one."""


ODD: tuple[Any, ...] = (None, 0, -1, 2**70, 1.5, "", "\udc80", b"", object(), True, 5, _Odd("s"))
ODD_CONTAINERS: tuple[Callable[[], Any], ...] = (list, dict, lambda: [None], lambda: {"a": None}, lambda: {1: 2})


def randomized(layouts: Mapping[type, Members], cls: type, random: Random, depth: int = 0) -> Any:
    """An object of a class. From some depth on, what may be absent is."""
    made = cls()
    for _, attribute, type_, _, _ in layouts[cls]:
        is_said = attribute in ("api_version", "kind") and depth == 0
        is_left = depth >= DEPTH or random.random() < 0.4
        if not is_said and not (is_left and getattr(made, attribute) is None):
            setattr(made, attribute, _value(layouts, type_, random, depth))
    return made


def _value(layouts: Mapping[type, Members], type_: Any, random: Random, depth: int) -> Any:
    if isinstance(type_, str):
        return NAMED[type_](random)
    if isinstance(type_, type):
        return randomized(layouts, type_, random, depth + 1)
    word, inner = type_
    if word in ("nullable", "message"):
        return _value(layouts, inner, random, depth)
    size = 0 if depth >= DEPTH else random.randrange(4)
    items = [_value(layouts, inner, random, depth + 1) for _ in range(size)]
    return items if word == "list" else {f"{random.choice(TEXTS)}{i}": item for i, item in enumerate(items)}


def spoil(layouts: Mapping[type, Members], obj: Any, random: Random, depth: int = 0) -> None:
    """Something in an object becomes what it must not be, or is gone."""
    attribute = random.choice([member[1] for member in layouts[type(obj)]])
    value = getattr(obj, attribute, None)
    below = random.choice(value) if isinstance(value, list) and value else value
    if depth < DEPTH and layouts.get(type(below)) and random.random() < 0.8:
        spoil(layouts, below, random, depth + 1)
    elif random.random() < 0.1 and hasattr(obj, attribute):
        delattr(obj, attribute)
    elif random.random() < 0.2 and type(value) in layouts:
        derived = type("Derived", (type(value),), {})
        setattr(obj, attribute, derived())
    else:
        odd = random.choice(ODD) if random.random() < 0.6 else random.choice(ODD_CONTAINERS)()
        setattr(obj, attribute, odd)


def bent(data: bytes, random: Random) -> bytes:
    """Data with some pieces gone, doubled, moved or replaced."""
    text = bytearray(data)
    for _ in range(random.choice((1, 1, 2, 5))):
        at, chance = random.randrange(len(text) + 1), random.random()
        if chance < 0.3:
            text[at : at + 1] = random.randbytes(1)
        elif chance < 0.5:
            del text[at : at + random.randrange(1, 20)]
        elif chance < 0.7:
            start = random.randrange(len(text) + 1)
            text[at:at] = text[start : start + random.randrange(1, 40)]
        elif chance < 0.8:
            del text[at:]
        else:
            text[at:at] = random.choice(PIECES)
    return bytes(text)


PIECES = (
    b"\xff",
    b"\x80" * 9,
    b"null",
    b"{",
    b"[[",
    b'"',
    b"\\ud800",
    b"-0",
    b"1e9",
    b"\x0a\xff\xff\xff\xff\x0f",
    b"\0",
)
