"""Walks what a spec says: all parts of a kind that stand below a value, however deep."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from apigen.diagnostics import Place
from apigen.spec.model import GateSpec
from apigen.spec.paths import GateOn

_ATTRIBUTES: dict[type, tuple[str, ...]] = {Place: ()}
"""The attributes of classes that were met before; a place holds nothing that anybody looks for."""


def parts(value: object, *classes: type) -> Iterator[Any]:
    """The instances of `classes` in a value: itself, and those that its attributes and tuples hold, in no order.

    What is shared (most fields have the same empty constraints) is looked into once.
    """
    waiting = [value]
    seen: set[int] = set()
    while waiting:
        current = waiting.pop()
        if isinstance(current, tuple):
            waiting += current
            continue
        names = _attributes(type(current))
        if names:
            if id(current) in seen:
                continue
            seen.add(id(current))
            waiting += [getattr(current, name) for name in names]
        if isinstance(current, classes):
            yield current


def gate_names(value: object) -> Iterator[str]:
    """The gates that marks and conditions in a value name."""
    for part in parts(value, GateSpec, GateOn):
        if isinstance(part, GateSpec):
            yield from (gate.value for gate in part.gates)
        else:
            yield part.gate


def _attributes(class_: type) -> tuple[str, ...]:
    if class_ not in _ATTRIBUTES:
        _ATTRIBUTES[class_] = tuple(field.name for field in fields(class_)) if is_dataclass(class_) else ()
    return _ATTRIBUTES[class_]
