"""Changes of enums: values are added, removed and renamed, and the handling of unknown values changes."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random

from tests.review.model.families import ENUM_VALUES, Spec
from tests.review.model.registering import everywhere, mutation


def _on_enum(random: Random, spec: Spec, change: Callable[[Spec], object]) -> bool:
    for types in everywhere(random, spec):
        change(types["Mode"])
    return True


@mutation("enum-value-added")
def _enum_value_added(random: Random, spec: Spec) -> bool:
    value = random.choice(ENUM_VALUES)
    return _on_enum(random, spec, lambda enum: enum["enum"].setdefault(value, {}))


@mutation("enum-value-added gated")
def _enum_value_gated(random: Random, spec: Spec) -> bool:
    value, gate = random.choice(ENUM_VALUES), random.choice(list(spec["gates"]))
    spec["features"][gate] = spec["gates"][gate]
    return _on_enum(random, spec, lambda enum: enum["enum"].update({value: {"featureGate": gate}}))


@mutation("enum-value-removed")
def _enum_value_removed(random: Random, spec: Spec) -> bool:
    value = random.choice(ENUM_VALUES[1:])
    return _on_enum(random, spec, lambda enum: enum["enum"].pop(value, None))


@mutation("enum open changed")
def _enum_open(random: Random, spec: Spec) -> bool:
    return _on_enum(random, spec, lambda enum: enum.pop("open") if "open" in enum else enum.update(open=True))


@mutation("enum unknown changed")
def _enum_unknown(random: Random, spec: Spec) -> bool:
    value = random.choice(ENUM_VALUES[:2])
    return _on_enum(random, spec, lambda enum: enum.update(unknown=value))


@mutation("enum-growth-changed")
def _growth(random: Random, spec: Spec) -> bool:
    """Declare that the enum gets no more values, or no longer declare it."""

    def change(enum: Spec) -> None:
        if enum.pop("open", None) is None:
            enum.pop("unknown", None)
            enum["open"] = False

    return _on_enum(random, spec, change)


@mutation("enum-value-renamed")
def _renamed(random: Random, spec: Spec) -> bool:
    """It is spelt otherwise, wherever it is written."""
    names = list(spec["versions"]["v1"]["types"]["Mode"]["enum"])
    value = random.choice(names)
    spelling = random.choice((value.lower(), value.upper(), f"{value[:2]}-{value[2:]}"))
    if spelling in names:
        return False
    for version in spec["versions"].values():
        version["types"] = _spelt(version["types"], value, spelling)
    return True


@mutation("enum-value-renamed in a version that is not the hub's")
def _renamed_beside_hub(random: Random, spec: Spec) -> bool:
    types = spec["versions"].get("v1beta1", {}).get("types", {})
    names = list(types.get("Mode", {}).get("enum", {}))
    fields = [field for type_ in types.values() for field in type_.get("fields", {}).values()]
    if not names or any("[]Mode" in field["type"] for field in fields):
        return False
    value = random.choice(names)
    spec["versions"]["v1beta1"]["types"] = renamed = _spelt(types, value, value.upper())
    for field in (field for type_ in renamed.values() for field in type_.get("fields", {}).values()):
        if field["type"] == "Mode":
            field["hub"] = {**field.get("hub", {}), "enum": {value.upper(): value}}
    return value != value.upper()


def _spelt(types: Spec, value: str, spelling: str) -> Spec:
    """Types with a value in another spelling: as a value, as a default, in conditions and in rules."""
    text = json.dumps(types)
    for quote in ('"', "'"):
        text = text.replace(f"{quote}{value}{quote}", f"{quote}{spelling}{quote}")
    found: Spec = json.loads(text)
    return found
