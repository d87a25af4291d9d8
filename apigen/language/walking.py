"""Walks a spec: all parts of some classes in a value, at any depth."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any

from apigen.diagnostics import Place
from apigen.language.model import NO_CONSTRAINTS, Constraints, GateEnabled, GateSpec, Located

_LEAF = re.compile(
    r"(tuple\[)?(str|bool|int|Place|Release|Located\[[\w |]+\]|LifecycleSpec|MergeSpec|TypeForm|GateJoin|EmbeddedText)(, \.\.\.\])?( \| None)?"
)
"""Matches the types of attributes without parts that callers search for."""

_Parts = Callable[[object], tuple[object, ...]]

_PARTS: dict[type, _Parts | None] = {Place: None, Located: None}
"""Functions that return the attributes of a class, cached; None for a class without parts."""


def parts(value: object, *classes: type) -> Iterator[Any]:
    """Yield the instances of `classes` in a value: itself, and those in its attributes and tuples, in no order.

    Shared values are visited once. Shared empty values (most fields have the same empty constraints) are omitted.
    """
    waiting = [value]
    seen: set[int] = set()
    known: dict[type, tuple[_Parts | None, bool]] = {}
    while waiting:
        current = waiting.pop()
        class_ = type(current)
        if isinstance(current, tuple):
            waiting += current
            continue
        attributes = known.get(class_)
        if attributes is None:
            attributes = known[class_] = _parts(class_), issubclass(class_, classes)
        inside, is_wanted = attributes
        if inside is not None:
            if id(current) in seen:
                continue
            seen.add(id(current))
            waiting += [each for each in inside(current) if each and each is not NO_CONSTRAINTS]
        if is_wanted:
            yield current


def gate_names(value: object) -> Iterator[str]:
    """The gates that marks, conditions and constraints in a value name."""
    for part in parts(value, *NAMING_GATES):
        yield from gates_of(part)


NAMING_GATES = (GateSpec, GateEnabled, Constraints)
"""The parts that name gates directly."""


def gates_of(part: GateSpec | GateEnabled | Constraints) -> tuple[str, ...]:
    """Return the gates that a gate mark, a condition, or the constraints of a value name directly."""
    match part:
        case GateSpec(gates):
            return tuple(gate.value for gate in gates)
        case GateEnabled(gate):
            return (gate,)
        case Constraints():
            return tuple(each.name.value for each in (*part.if_enabled, *part.if_disabled))


def _parts(class_: type) -> _Parts | None:
    if class_ not in _PARTS:
        written = {
            name: type_ for base in class_.__mro__ for name, type_ in vars(base).get("__annotations__", {}).items()
        }
        names = [name for name in getattr(class_, "__match_args__", ()) if not _LEAF.fullmatch(str(written.get(name)))]
        one = attrgetter(*names) if names else None
        _PARTS[class_] = one if one is None or len(names) > 1 else lambda value: (one(value),)
    return _PARTS[class_]
