"""Fields of every type, presence and default, a kind each, compiled to a package."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

import yaml

GROUP, VERSION = "things.example.com", "v1"


@dataclass(frozen=True)
class Values:
    """What a type can hold: its zero, another value, one for a default (None: no default), and a constraint that zero violates."""

    zero: Any
    sample: Any
    default: Any = None
    constraint: dict[str, Any] = field(default_factory=dict)


TYPES = {
    "int32": Values(0, 7, 5, {"minimum": 1}),
    "bool": Values(False, True, True, {"not": False}),
    "string": Values("", "abc", "dddd", {"minLength": 2}),
    "Mode": Values("", "On", "Off"),
    "[]string": Values([], ["abc"], {"value": ["q"]}, {"minItems": 1}),
    "map[string]string": Values({}, {"a": "b"}, {"value": {"q": "r"}}, {"minProperties": 1}),
    "bytes": Values("", "YWJj"),
    "Time": Values(None, "2001-02-03T04:05:06Z"),
    "Quantity": Values("0", "3", "9"),
    "Duration": Values("0s", "3s", "9s"),
    "IntOrString": Values(0, "x", 3),
    "Inner": Values({}, {"x": 3}),
    "Hard": Values({}, {"x": 3}),
}
PRESENCES: dict[str, dict[str, bool]] = {
    "Plain": {},
    "Nullable": {"nullable": True},
    "Optional": {"optional": True},
    "Omitted": {"omitEmpty": True},
}


def fields() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """The name of a kind, the type of its field `value`, and the field as a spec says it."""
    for number, (type_, values) in enumerate(TYPES.items()):
        for presence, required, default, limit in product(PRESENCES, (False, True), (False, True), (False, True)):
            if (default and values.default is None) or (limit and not values.constraint):
                continue
            said: dict[str, Any] = {"type": type_, "protobuf": 1, **PRESENCES[presence], "required": required}
            said |= {"default": values.default} if default else {}
            said |= values.constraint if limit else {}
            said |= {"listType": "atomic"} if type_.startswith("[]") else {}
            yield f"T{number:02}{presence[0]}{presence[1]}{required:d}{default:d}{limit:d}", type_, said


def write_specs(root: Path) -> Path:
    """A group with a kind for each field; all names are as long as each other."""
    types: dict[str, Any] = {name: {"fields": {"value": said}} for name, _, said in fields()}
    header = {"group": GROUP, "versions": {VERSION: {"storage": True}}}
    kinds = {name: {"scope": "Namespaced", "list": False} for name in types}
    types["Mode"] = {"enum": {"On": {}, "Off": {}}, "unknown": "Off"}
    types["Inner"] = {"fields": {"x": {"type": "int32", "optional": True, "protobuf": 1}}}
    types["Hard"] = {"fields": {"x": {"type": "int32", "optional": True, "protobuf": 1, "required": True}}}
    folder = root / GROUP
    folder.mkdir(parents=True)
    (folder / "group.yaml").write_text(yaml.safe_dump({**header, "kinds": kinds}, sort_keys=False), encoding="utf-8")
    (folder / f"{VERSION}.yaml").write_text(yaml.safe_dump({"types": types}, sort_keys=False), encoding="utf-8")
    return root
