"""Changes of rules in CEL: on fields, on elements, on structs, about values and about updates."""

from __future__ import annotations

from random import Random

from tests.review.model.families import Spec
from tests.review.model.registering import everywhere, mutation, on_field

_NUMBER = (
    "self >= 3",
    "self > 3",
    "self < 10",
    "self != 5",
    "self % 2 == 0",
    "self in [1, 3, 12]",
    "self >= 0 && self < 12",
)
_TEXT = ("self.size() <= 4", "size(self) < 4", "self.startsWith('a')", "self != 'x'", "self.matches('^[a-z]*$')")
_LIST = ("self.size() < 3", "self.size() > 0")
TEXTS = {
    "int32": _NUMBER,
    "int64": _NUMBER,
    "string": _TEXT,
    "Name": _TEXT,
    "bool": ("self", "!self"),
    "Mode": ("self == 'Always'", "self != 'Never'", "self in ['Always', 'Once']"),
    "[]string": (*_LIST, "self.all(each, each.size() < 3)", "self.exists(each, each == 'a')"),
    "[]int32": (*_LIST, "self.all(each, each > 0)", "self.exists_one(each, each == 1)"),
    "[]Part": _LIST,
    "map[string]string": (*_LIST, "self.all(key, key.size() < 4)", "!('a' in self)"),
    "map[string]Part": _LIST,
}
"""Rules about a value, by its type."""

UPDATES = {
    **dict.fromkeys(("int32", "int64"), ("self == oldSelf", "self >= oldSelf", "self > oldSelf", "self - oldSelf < 5")),
    **dict.fromkeys(
        ("string", "Name"), ("self == oldSelf", "self.size() >= oldSelf.size()", "oldSelf == '' || self != ''")
    ),
    **dict.fromkeys(("bool", "Mode"), ("self == oldSelf",)),
    **dict.fromkeys(("[]string", "[]int32", "[]Part"), ("self.size() >= oldSelf.size()",)),
}
"""Rules about an update, by the type of the value."""

STRUCTS = ("Spec", "Part", "Choice")


@mutation("rule added")
def _rule_added(random: Random, spec: Spec) -> bool:
    def change(field: Spec) -> None:
        field.setdefault("rules", []).append({"rule": random.choice(TEXTS[field["type"]])})

    return on_field(random, spec, change, lambda field: field["type"] in TEXTS)


@mutation("rule about updates added")
def _update_rule_added(random: Random, spec: Spec) -> bool:
    def change(field: Spec) -> None:
        field.setdefault("rules", []).append({"rule": random.choice(UPDATES[field["type"]])})

    return on_field(random, spec, change, lambda field: field["type"] in UPDATES)


@mutation("rule with an optional old value")
def _optional_old(random: Random, spec: Spec) -> bool:
    texts = ("oldSelf.hasValue() || self < 5", "!oldSelf.hasValue() || self >= oldSelf.value()")

    def change(field: Spec) -> None:
        field.setdefault("rules", []).append({"rule": random.choice(texts), "optionalOldSelf": True})

    return on_field(random, spec, change, lambda field: field["type"] in ("int32", "int64"))


@mutation("rule of elements")
def _of_elements(random: Random, spec: Spec) -> bool:
    def change(field: Spec) -> None:
        rules = [{"rule": random.choice(TEXTS[field["type"][2:]])}]
        field["items"] = {**field.get("items", {}), "rules": rules}

    return on_field(random, spec, change, lambda field: field["type"] in ("[]string", "[]int32"))


@mutation("rule of a struct")
def _of_struct(random: Random, spec: Spec) -> bool:
    name, versions = random.choice(STRUCTS), everywhere(random, spec)
    texts = _about_members(versions[0].get(name, {}).get("fields", {}))
    if not texts:
        return False
    text = random.choice(texts)
    for types in versions:
        types[name].setdefault("rules", []).append({"rule": text})
    return True


@mutation("rule changed")
def _rule_changed(random: Random, spec: Spec) -> bool:
    def change(field: Spec) -> None:
        rule = random.choice(field["rules"])
        among = UPDATES if "oldSelf" in rule["rule"] else TEXTS
        rule["rule"] = random.choice(among[field["type"]])
        rule.pop("optionalOldSelf", None)

    return on_field(random, spec, change, lambda field: bool(field.get("rules")) and field["type"] in UPDATES)


@mutation("rule split or joined")
def _rule_split(random: Random, spec: Spec) -> bool:
    """Says the same in another way, or a part of it."""

    def change(field: Spec) -> None:
        parts = [part for rule in field["rules"] for part in rule["rule"].split(" && ")]
        joined = " && ".join(f"({part})" for part in parts)
        field["rules"] = [{"rule": joined}] if len(field["rules"]) > 1 else [{"rule": part} for part in parts]

    def wanted(field: Spec) -> bool:
        rules = field.get("rules", [])
        return bool(rules) and not any("oldSelf" in rule["rule"] for rule in rules)

    return on_field(random, spec, change, wanted)


@mutation("rule removed")
def _rule_removed(random: Random, spec: Spec) -> bool:
    def change(field: Spec) -> None:
        field["rules"].pop(random.randrange(len(field["rules"])))
        if not field["rules"]:
            field.pop("rules")

    return on_field(random, spec, change, lambda field: bool(field.get("rules")))


@mutation("rule of a struct removed")
def _of_struct_removed(random: Random, spec: Spec) -> bool:
    versions = everywhere(random, spec)
    names = [name for name in STRUCTS if versions[0].get(name, {}).get("rules")]
    if not names:
        return False
    name = random.choice(names)
    for types in versions:
        types.get(name, {}).pop("rules", None)
    return True


def _about_members(fields: Spec) -> list[str]:
    """Rules about members of a struct, and about two of them."""
    found: list[str] = []
    names = list(fields)
    numbers = [name for name in names if fields[name]["type"] in ("int32", "int64")]
    for name in names:
        if any(fields[name].get(word) for word in ("optional", "omitEmpty")):
            found += [f"has(self.{name})", f"!has(self.{name})", f"has(self.{name}) || !has(oldSelf.{name})"]
            found += [f"!has(self.{name}) || has(self.{other})" for other in names if fields[other].get("optional")]
    for name in numbers:
        found += [f"!has(self.{name}) || self.{name} < 10", f"!has(self.{name}) || self.{name} >= 3"]
        found += [f"!has(self.{name}) || !has(self.{other}) || self.{name} <= self.{other}" for other in numbers]
    return found
