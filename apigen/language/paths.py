"""Paths and conditions of the spec language (DESIGN: "Paths", "Conditions"), as parsed values.

spec.rules[].host            each element of a list or value of a map
metadata.annotations[a/b]    an entry of a map; `list[0]` an element by index
metadata.annotations[a/*]    the entries of a map with a key prefix
metrics[type=Resource].name  the elements for which all comparisons are true
$.spec.x                     from the type of the block with the path, not from the struct with the field
.                            the struct itself
"""

from __future__ import annotations

from apigen.dataclass import dataclass
from apigen.diagnostics import Place

Literal = None | bool | int | float | str


@dataclass(frozen=True, slots=True)
class Name:
    """A field, by its JSON name (an inline field by its key)."""

    name: str


@dataclass(frozen=True, slots=True)
class Each:
    """`[]`: each element of a list or each value of a map."""


@dataclass(frozen=True, slots=True)
class Index:
    """`[0]`: one element of a list."""

    index: int


@dataclass(frozen=True, slots=True)
class Key:
    """`[key]`: the value of one key of a map."""

    key: str


@dataclass(frozen=True, slots=True)
class Prefix:
    """`[prefix*]`: the entries of a map whose keys have the prefix."""

    prefix: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """`f=v` or `f!=v` within a selection; `path` is dotted names below the element."""

    path: tuple[Name, ...]
    equal: bool
    value: str


@dataclass(frozen=True, slots=True)
class Select:
    """`[f=v,g!=w]`: the elements of a list for which all comparisons are true."""

    comparisons: tuple[Comparison, ...]


Step = Name | Each | Index | Key | Prefix | Select


@dataclass(frozen=True, slots=True)
class Path:
    """A parsed path. `from_type`: it was written with `$.`; `place` is the location of its text."""

    steps: tuple[Step, ...]
    from_type: bool
    text: str
    place: Place

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Equals:
    """`{path: value}` or `{path: [one, of]}`; `None` among the values is YAML's null."""

    path: Path
    values: tuple[Literal, ...]


@dataclass(frozen=True, slots=True)
class IsSet:
    """`{set: path}`."""

    path: Path


@dataclass(frozen=True, slots=True)
class GateEnabled:
    """`{gate: Name}`."""

    gate: str
    place: Place


@dataclass(frozen=True, slots=True)
class Not:
    """`{not: condition}`; `{unset: path}` is `Not(IsSet(path))`."""

    condition: Condition


@dataclass(frozen=True, slots=True)
class All:
    """Several conditions joined by "and"; of none: always."""

    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Any:
    """`{any: [...]}`: at least one of them is true."""

    conditions: tuple[Condition, ...]


Condition = Equals | IsSet | GateEnabled | Not | All | Any
