"""Changes of defaults that ask for something: a gate, a value next to it, a path, or a type above."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.review.model.families import RECURSIVE, Spec, default
from tests.review.model.registering import a_gate, can_be_absent, everywhere, mutation, on_field, on_member

Case = dict[str, Any]


def _value(random: Random, type_: str) -> Any:
    """A value that a default may give; None where a type has none."""
    return default(random, type_).get("default", {}).get("value")


def _can_have(field: Spec) -> bool:
    return not field.get("required") and _value(Random(1), field["type"]) is not None


@mutation("default by a gate")
def _by_gate(random: Random, spec: Spec) -> bool:
    gate = {"gate": a_gate(random, spec)}
    when = random.choice((gate, {"not": gate}))
    has_other = random.random() < 0.6

    def change(field: Spec) -> None:
        cases: list[Case] = [{"when": when, "value": _value(random, field["type"])}]
        if has_other:
            cases.append({"value": _value(random, field["type"])})
        field["default"] = cases

    return on_field(random, spec, change, _can_have)


@mutation("default no longer by a gate")
def _ungated(random: Random, spec: Spec) -> bool:
    def is_conditional(field: Spec) -> bool:
        return isinstance(field.get("default"), list)

    def change(field: Spec) -> None:
        kept = random.choice(field["default"])
        field["default"] = {word: said for word, said in kept.items() if word != "when"}

    return on_field(random, spec, change, is_conditional)


@mutation("default from a sibling")
def _from_beside(random: Random, spec: Spec) -> bool:
    def change(fields: Spec, name: str) -> None:
        fields[name]["default"] = {"from": random.choice(_alike(fields, name))}

    def wanted(fields: Spec, name: str) -> bool:
        return not fields[name].get("required") and bool(_alike(fields, name))

    return on_member(random, spec, change, wanted)


@mutation("default by the value of a sibling")
def _by_beside(random: Random, spec: Spec) -> bool:
    def change(fields: Spec, name: str) -> None:
        other = random.choice(_beside(fields, name))
        value = _value(random, fields[other]["type"])
        when = random.choice(({"set": other}, {"unset": other}, {other: value}))
        cases: list[Case] = [{"when": when, "value": _value(random, fields[name]["type"])}]
        if random.random() < 0.5:
            cases.append({"value": _value(random, fields[name]["type"])})
        fields[name]["default"] = cases

    return on_member(random, spec, change, lambda fields, name: _can_have(fields[name]) and bool(_beside(fields, name)))


@mutation("default overwrites")
def _overwrites(random: Random, spec: Spec) -> bool:
    word = random.choice(("overwrite", "emptyIsSet"))

    def change(field: Spec) -> None:
        if field["default"].pop(word, None) is None:
            field["default"][word] = True

    def wanted(field: Spec) -> bool:
        is_right = word == "overwrite" or field["type"].startswith(("[]", "map"))
        return is_right and isinstance(field.get("default"), dict)

    return on_field(random, spec, change, wanted)


@mutation("default into a member")
def _into(random: Random, spec: Spec) -> bool:
    parts = spec["versions"]["v1"]["types"].get("Part", {}).get("fields", {})
    member = random.choice(list(parts)) if parts else ""

    def sources(fields: Spec) -> list[str]:
        return [name for name, field in fields.items() if field["type"] == parts[member]["type"]]

    def change(fields: Spec, name: str) -> None:
        fields[name]["default"] = {"from": random.choice(sources(fields)), "into": member}

    def wanted(fields: Spec, name: str) -> bool:
        field = fields[name]
        return field["type"] == "Part" and can_be_absent(field) and not field.get("required") and bool(sources(fields))

    return bool(parts) and on_member(random, spec, change, wanted)


@mutation("default with members")
def _with_members(random: Random, spec: Spec) -> bool:
    """A struct, list or map of structs that sets a member of them."""
    part = _part(random, spec["versions"]["v1"]["types"])
    forms: dict[str, Any] = {"Part": part, "[]Part": [part], "map[string]Part": {"a": part}}
    is_gated = random.random() < 0.3

    def change(fields: Spec, name: str) -> None:
        when = {"when": {"gate": a_gate(random, spec)}} if is_gated else {}
        fields[name]["default"] = {"value": forms[fields[name]["type"]], **when}

    def wanted(fields: Spec, name: str) -> bool:
        field = fields[name]
        is_right = field["type"] in forms and name != RECURSIVE and not field.get("required")
        return is_right and (field["type"] != "Part" or can_be_absent(field))

    return bool(part) and on_member(random, spec, change, wanted)


def _part(random: Random, types: Spec) -> Spec:
    """A value of `Part` with what it must have, and one more member; empty where it has none that can have a value."""
    fields = types.get("Part", {}).get("fields", {})
    values = {name: _value(random, field["type"]) for name, field in fields.items()}
    required = [name for name, field in fields.items() if field.get("required")]
    known = [name for name, value in values.items() if value is not None]
    if not known or not set(required) <= set(known):
        return {}
    return {name: values[name] for name in dict.fromkeys((*required, random.choice(known)))}


@mutation("default by key")
def _by_key(random: Random, spec: Spec) -> bool:
    value = {random.choice("ab"): random.choice("xy")}

    def change(field: Spec) -> None:
        field["default"] = {"value": value, "byKey": True}

    def wanted(field: Spec) -> bool:
        return field["type"] == "map[string]string" and not field.get("required")

    return on_field(random, spec, change, wanted)


@mutation("default of a type above")
def _from_above(random: Random, spec: Spec) -> bool:
    """Added at a path, or taken away where there are any."""
    versions = everywhere(random, spec)
    if "defaults" in versions[0]["Thing"] and random.random() < 0.5:
        for types in versions:
            types["Thing"].pop("defaults", None)
        return True
    paths = _paths(versions[0])
    if not paths:
        return False
    path, type_ = random.choice(paths)
    value = _part(random, versions[0]) if type_ == "Part" else _value(random, type_)
    for types in versions:
        types["Thing"].setdefault("defaults", {})[f"spec.{path}"] = {"value": value}
    return True


def _paths(types: Spec) -> list[tuple[str, str]]:
    """Paths below the spec to what can have a default, and the types there."""
    found: list[tuple[str, str]] = []
    for name, field in types["Spec"]["fields"].items():
        if _can_have(field):
            found.append((name, field["type"]))
        inner = types["Part"]["fields"].items() if field["type"] in ("Part", "[]Part") and "Part" in types else ()
        step = f"{name}[]" if field["type"] == "[]Part" else name
        found += [(f"{step}.{below}", each["type"]) for below, each in inner if _can_have(each)]
    return found


def _alike(fields: Spec, name: str) -> list[str]:
    return [other for other, field in fields.items() if other != name and field["type"] == fields[name]["type"]]


def _beside(fields: Spec, name: str) -> list[str]:
    known = ("string", "int32", "int64", "bool", "Mode")
    return [other for other, field in fields.items() if other != name and field["type"] in known]
