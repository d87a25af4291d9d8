"""Changes of made-up APIs, each under the name of the rule that is to judge it, or of what it does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random
from typing import Any

from tests.compat.model.families import (
    ENUM_VALUES,
    GATES,
    PATTERNS,
    PRESENCES,
    SCALARS,
    TYPES,
    Spec,
    constraint,
    default,
    field,
)

Mutation = Callable[[Random, Spec], bool]

MUTATIONS: dict[str, Mutation] = {}
"""Name -> function that changes an API in place; False where there is nothing to be changed so."""


def mutated(random: Random, spec: Spec, number: int) -> tuple[Spec, list[str]]:
    """A copy with so many changes, and their names."""
    made, names = deepcopy(spec), []
    for _ in range(50):
        if len(names) == number:
            break
        name = random.choice(list(MUTATIONS))
        trial = deepcopy(made)
        if MUTATIONS[name](random, trial) and (trial != made or name.startswith("no-op")):
            made = trial
            names.append(name)
    return made, names


def _mutation(name: str) -> Callable[[Mutation], Mutation]:
    def register(function: Mutation) -> Mutation:
        MUTATIONS[name] = function
        return function

    return register


def _everywhere(random: Random, spec: Spec) -> list[Spec]:
    """The types of all versions; now and then of one alone."""
    found = [version["types"] for version in spec["versions"].values()]
    return found if random.random() < 0.8 else [random.choice(found)]


def _fields(types: Spec) -> Iterator[tuple[str, str]]:
    for name in ("Spec", "Part", "Choice"):
        yield from ((name, each) for each in types.get(name, {}).get("fields", {}))


def _on_field(
    random: Random, spec: Spec, change: Callable[[Spec], object], wanted: Callable[[Spec], bool] = lambda _: True
) -> bool:
    """Change a field of a struct, in all versions alike."""
    versions = _everywhere(random, spec)
    found = [(type_, name) for type_, name in _fields(versions[0]) if wanted(versions[0][type_]["fields"][name])]
    if not found:
        return False
    type_, name = random.choice(found)
    state = random.getstate()
    for types in versions:
        if name in types[type_]["fields"]:
            random.setstate(state)
            change(types[type_]["fields"][name])
    return True


def _plain_constraints(type_: str) -> frozenset[str]:
    return frozenset(
        {
            *("minimum", "maximum", "exclusiveMinimum", "multipleOf", "minLength", "maxLength", "pattern", "minItems"),
            *("maxItems", "minProperties", "maxProperties", "immutable", "format", "uniqueItems"),
        }
    )


def _numbers(struct: Spec) -> set[int]:
    used = {each.get("protobuf", 0) for each in struct["fields"].values()}
    return used | {each.get("protobuf", 0) for each in struct.get("tombstones", {}).values()}


def _add(random: Random, spec: Spec, extra: Spec | None, type_: str | None = None) -> bool:
    versions = _everywhere(random, spec)
    struct = random.choice(("Spec", "Part"))
    number = max((n for types in versions for n in _numbers(types[struct])), default=0) + 1
    made = field(random, spec, number, simple=struct == "Part", type_=type_)
    if extra is not None:
        for key in ("optional", "nullable", "omitEmpty", "required", "default", "featureGate"):
            made.pop(key, None)
        made.update(extra)
    for types in versions:
        types[struct]["fields"][f"new{number}"] = deepcopy(made)
    return True


@_mutation("field-added")
def _field_added(random: Random, spec: Spec) -> bool:
    return _add(random, spec, None)


@_mutation("field-added optional")
def _field_added_optional(random: Random, spec: Spec) -> bool:
    return _add(random, spec, {"optional": True})


@_mutation("field-added-required")
def _field_added_required(random: Random, spec: Spec) -> bool:
    return _add(random, spec, {"required": True})


@_mutation("field-added with default")
def _field_added_default(random: Random, spec: Spec) -> bool:
    type_ = random.choice(("string", "int32", "bool"))
    return _add(random, spec, {"optional": True, **default(random, type_)}, type_)


@_mutation("field-added gated")
def _field_added_gated(random: Random, spec: Spec) -> bool:
    gate = random.choice(list(spec["gates"]))
    spec["features"][gate] = spec["gates"][gate]
    return _add(random, spec, {"optional": True, "featureGate": gate})


def _remove(random: Random, spec: Spec, *, tombstone: bool, rename: bool = False, reuse: bool = False) -> bool:
    versions = _everywhere(random, spec)
    found = [(t, n) for t, n in _fields(versions[0]) if len(versions[0][t]["fields"]) > 1 and t != "Choice"]
    if not found:
        return False
    type_, name = random.choice(found)
    other = random.choice(SCALARS)
    for types in versions:
        struct = types[type_]
        if name not in struct["fields"]:
            continue
        gone = struct["fields"].pop(name)
        if rename:
            struct["fields"][f"{name}Renamed"] = gone
        elif reuse:
            struct["fields"][f"{name}Other"] = {"type": other, "optional": True, "protobuf": gone["protobuf"]}
        elif tombstone:
            struct.setdefault("tombstones", {})[name] = {"protobuf": gone["protobuf"], "removed": "1.5", "reason": "gone"}
    return True


@_mutation("field-removed")
def _field_removed(random: Random, spec: Spec) -> bool:
    return _remove(random, spec, tombstone=False)


@_mutation("field-removed-with-tombstone")
def _field_removed_tombstone(random: Random, spec: Spec) -> bool:
    return _remove(random, spec, tombstone=True)


@_mutation("field-renamed")
def _field_renamed(random: Random, spec: Spec) -> bool:
    return _remove(random, spec, tombstone=False, rename=True)


@_mutation("field-number-reused")
def _field_number_reused(random: Random, spec: Spec) -> bool:
    return _remove(random, spec, tombstone=False, reuse=True)


@_mutation("field-number-changed")
def _field_number_changed(random: Random, spec: Spec) -> bool:
    number = random.randint(20, 40)
    return _on_field(random, spec, lambda field: field.update(protobuf=number))


@_mutation("field-order-changed")
def _field_order_changed(random: Random, spec: Spec) -> bool:
    for types in _everywhere(random, spec):
        fields = types["Spec"]["fields"]
        types["Spec"]["fields"] = {name: fields[name] for name in reversed(fields)}
    return True


def _retype(field: Spec, type_: str) -> None:
    for key in (*_plain_constraints(""), "default", "listType", "listMapKeys"):
        field.pop(key, None)
    field["type"] = type_


@_mutation("type-changed")
def _type_changed(random: Random, spec: Spec) -> bool:
    type_ = random.choice(TYPES)
    return _on_field(random, spec, lambda field: _retype(field, type_), lambda field: field["type"] != type_)


def _swap(one: str, other: str) -> Mutation:
    def swap(random: Random, spec: Spec) -> bool:
        first, second = (one, other) if random.random() < 0.5 else (other, one)
        return _on_field(random, spec, lambda field: field.update(type=second), lambda field: field["type"] == first)

    return swap


for _one, _other in (
    ("int32", "int64"),
    ("int32", "uint32"),
    ("int64", "float64"),
    ("string", "bytes"),
    ("string", "Mode"),
    ("string", "Name"),
    ("Part", "[]Part"),
    ("string", "[]string"),
    ("Part", "map[string]string"),
    ("string", "Quantity"),
    ("string", "IntOrString"),
    ("int32", "IntOrString"),
    ("string", "Duration"),
    ("string", "Time"),
    ("int32", "bool"),
    ("[]string", "[]Mode"),
    ("map[string]string", "map[string]Part"),
    ("[]int32", "[]string"),
):
    MUTATIONS[f"type {_one} and {_other}"] = _swap(_one, _other)


@_mutation("presence changed")
def _presence_changed(random: Random, spec: Spec) -> bool:
    presence = random.choice(PRESENCES)

    def change(field: Spec) -> None:
        for key in ("optional", "nullable", "omitEmpty"):
            field.pop(key, None)
        field.update(presence)

    return _on_field(random, spec, change)


@_mutation("required changed")
def _required_changed(random: Random, spec: Spec) -> bool:
    required = random.random() < 0.5
    return _on_field(random, spec, lambda field: field.update(required=required))


@_mutation("default changed")
def _default_changed(random: Random, spec: Spec) -> bool:
    return _on_field(
        random, spec, lambda field: field.update(default(random, field["type"])), lambda field: "default" in field
    )


@_mutation("default-added")
def _default_added(random: Random, spec: Spec) -> bool:
    return _on_field(
        random, spec, lambda field: field.update(default(random, field["type"])), lambda field: "default" not in field
    )


@_mutation("default-removed")
def _default_removed(random: Random, spec: Spec) -> bool:
    return _on_field(random, spec, lambda field: field.pop("default"), lambda field: "default" in field)


@_mutation("default computed")
def _default_computed(random: Random, spec: Spec) -> bool:
    def change(field: Spec) -> None:
        field["default"] = [{"value": "given", "when": {"set": "s0"}}, {"value": "other"}]

    return _on_field(random, spec, change, lambda field: field["type"] == "string" and not field.get("required"))


@_mutation("constraint added")
def _constraint_added(random: Random, spec: Spec) -> bool:
    def change(field: Spec) -> None:
        field.update(constraint(random, field["type"]) or {})

    return _on_field(random, spec, change)


@_mutation("constraint removed")
def _constraint_removed(random: Random, spec: Spec) -> bool:
    words = _plain_constraints("")

    def change(field: Spec) -> None:
        field.pop(random.choice(sorted(words & set(field))))

    return _on_field(random, spec, change, lambda field: bool(words & set(field)))


@_mutation("bound moved")
def _bound_moved(random: Random, spec: Spec) -> bool:
    words = [each for each in _plain_constraints("") if each.startswith(("min", "max", "exclusive", "multiple"))]
    step = random.choice((-3, -1, 1, 3))

    def change(field: Spec) -> None:
        word = random.choice(sorted(set(words) & set(field)))
        field[word] = max(1 if word == "multipleOf" else 0, field[word] + step)

    return _on_field(random, spec, change, lambda field: bool(set(words) & set(field)))


@_mutation("pattern-changed")
def _pattern_changed(random: Random, spec: Spec) -> bool:
    pattern = random.choice(PATTERNS)
    return _on_field(random, spec, lambda field: field.update(pattern=pattern), lambda field: field["type"] == "string")


@_mutation("format changed")
def _format_changed(random: Random, spec: Spec) -> bool:
    said = random.choice(("dns-label", "dns-subdomain", "k8s-short-name", "k8s-uuid"))
    return _on_field(random, spec, lambda field: field.update(format=said), lambda field: field["type"] == "string")


@_mutation("alias pattern changed")
def _alias_changed(random: Random, spec: Spec) -> bool:
    pattern = random.choice(PATTERNS)
    for types in _everywhere(random, spec):
        types["Name"]["pattern"] = pattern
    return True


@_mutation("item constraint")
def _item_constraint(random: Random, spec: Spec) -> bool:
    said = random.choice(({"pattern": random.choice(PATTERNS)}, {"maxLength": random.randint(2, 9)}, {"minLength": 1}))
    return _on_field(random, spec, lambda field: field.update(items=said), lambda field: field["type"] == "[]string")


@_mutation("map constraint")
def _map_constraint(random: Random, spec: Spec) -> bool:
    said = random.choice(({"pattern": random.choice(PATTERNS)}, {"maxLength": random.randint(2, 9)}))
    where = random.choice(("keys", "values"))
    return _on_field(
        random, spec, lambda field: field.update({where: said}), lambda field: field["type"] == "map[string]string"
    )


@_mutation("list type changed")
def _list_type(random: Random, spec: Spec) -> bool:
    said = random.choice(("atomic", "set"))
    return _on_field(random, spec, lambda field: field.update(listType=said), lambda field: field["type"] == "[]string")


@_mutation("unique items")
def _unique(random: Random, spec: Spec) -> bool:
    return _on_field(
        random, spec, lambda field: field.update(uniqueItems=True), lambda field: field["type"] in ("[]string", "[]int32")
    )


@_mutation("immutable added")
def _immutable(random: Random, spec: Spec) -> bool:
    return _on_field(random, spec, lambda field: field.update(immutable=True), lambda field: "immutable" not in field)


@_mutation("gate added to field")
def _gate_added(random: Random, spec: Spec) -> bool:
    gate = random.choice(list(spec["gates"]))
    spec["features"][gate] = spec["gates"][gate]

    def droppable(field: Spec) -> bool:
        return "featureGate" not in field and any(field.get(each) for each in ("optional", "nullable", "omitEmpty"))

    return _on_field(random, spec, lambda field: field.update(featureGate=gate), droppable)


@_mutation("gate mark removed")
def _gate_mark_removed(random: Random, spec: Spec) -> bool:
    return _on_field(random, spec, lambda field: field.pop("featureGate"), lambda field: "featureGate" in field)


@_mutation("gate stages changed")
def _gate_stages(random: Random, spec: Spec) -> bool:
    if not spec["features"]:
        return False
    gate = random.choice(list(spec["features"]))
    spec["features"][gate] = {"owner": "x", "stages": deepcopy(random.choice(list(GATES.values())))}
    return True


def _on_enum(random: Random, spec: Spec, change: Callable[[Spec], object]) -> bool:
    for types in _everywhere(random, spec):
        change(types["Mode"])
    return True


@_mutation("enum-value-added")
def _enum_value_added(random: Random, spec: Spec) -> bool:
    value = random.choice(ENUM_VALUES)
    return _on_enum(random, spec, lambda enum: enum["enum"].setdefault(value, {}))


@_mutation("enum-value-added gated")
def _enum_value_gated(random: Random, spec: Spec) -> bool:
    value, gate = random.choice(ENUM_VALUES), random.choice(list(spec["gates"]))
    spec["features"][gate] = spec["gates"][gate]
    return _on_enum(random, spec, lambda enum: enum["enum"].update({value: {"featureGate": gate}}))


@_mutation("enum-value-removed")
def _enum_value_removed(random: Random, spec: Spec) -> bool:
    value = random.choice(ENUM_VALUES[1:])
    return _on_enum(random, spec, lambda enum: enum["enum"].pop(value, None))


@_mutation("enum open changed")
def _enum_open(random: Random, spec: Spec) -> bool:
    return _on_enum(random, spec, lambda enum: enum.pop("open") if "open" in enum else enum.update(open=True))


@_mutation("enum unknown changed")
def _enum_unknown(random: Random, spec: Spec) -> bool:
    value = random.choice(ENUM_VALUES[:2])
    return _on_enum(random, spec, lambda enum: enum.update(unknown=value))


def _on_union(random: Random, spec: Spec, change: Callable[[Spec], object]) -> bool:
    versions = [types for types in _everywhere(random, spec) if types["Choice"].get("unions")]
    for types in versions:
        change(types["Choice"])
    return bool(versions)


@_mutation("union optional changed")
def _union_optional(random: Random, spec: Spec) -> bool:
    return _on_union(random, spec, lambda type_: type_["unions"][0].update(optional=not type_["unions"][0]["optional"]))


@_mutation("union removed")
def _union_removed(random: Random, spec: Spec) -> bool:
    return _on_union(random, spec, lambda type_: type_.pop("unions"))


@_mutation("union member added")
def _union_member(random: Random, spec: Spec) -> bool:
    def change(type_: Spec) -> None:
        type_["fields"]["another"] = {"type": "string", "optional": True, "protobuf": 31}
        type_["unions"][0]["members"] = [*type_["unions"][0]["members"], "another"]

    return _on_union(random, spec, change)


@_mutation("union member left out")
def _union_left_out(random: Random, spec: Spec) -> bool:
    def change(type_: Spec) -> None:
        type_["unions"][0]["members"] = type_["unions"][0]["members"][1:]

    return _on_union(random, spec, change)


@_mutation("union added")
def _union_added(random: Random, spec: Spec) -> bool:
    versions = [types for types in _everywhere(random, spec) if not types["Choice"].get("unions")]
    for types in versions:
        fields = types["Choice"]["fields"]
        if not all(each.get("optional") for each in fields.values()):
            return False
        types["Choice"]["unions"] = [{"members": list(fields), "optional": True}]
    return bool(versions)


@_mutation("no-op type renamed")
def _type_renamed(random: Random, spec: Spec) -> bool:
    for version in spec["versions"].values():
        renamed: dict[str, Any] = {}
        for name, type_ in version["types"].items():
            renamed["Piece" if name == "Part" else name] = type_
            for each in type_.get("fields", {}).values():
                each["type"] = each["type"].replace("Part", "Piece")
        version["types"] = renamed
        if "Part" not in renamed:
            renamed["Part"] = {"fields": {"unused": {"type": "string", "protobuf": 1}}}
    return True


@_mutation("no-op docs")
def _docs(random: Random, spec: Spec) -> bool:
    return _on_field(random, spec, lambda field: field.update(doc=f"Words {random.randint(0, 9)}."))


@_mutation("no-op nothing")
def _nothing(random: Random, spec: Spec) -> bool:
    return True


@_mutation("no-op alias unfolded")
def _alias_unfolded(random: Random, spec: Spec) -> bool:
    def change(field: Spec) -> None:
        field["type"] = "string"
        pattern = spec["versions"]["v1"]["types"]["Name"].get("pattern") if "v1" in spec["versions"] else None
        field.update({"pattern": pattern} if pattern else {})

    return _on_field(random, spec, change, lambda field: field["type"] == "Name")


@_mutation("version-removed")
def _version_removed(random: Random, spec: Spec) -> bool:
    if len(spec["versions"]) < 2:
        return False
    spec["versions"].pop("v1beta1")
    spec["versions"]["v1"]["storage"] = True
    return True


@_mutation("version-added")
def _version_added(random: Random, spec: Spec) -> bool:
    if "v1beta1" in spec["versions"]:
        return False
    types = deepcopy(spec["versions"]["v1"]["types"])
    spec["versions"] = {"v1beta1": {"types": types}, **spec["versions"]}
    return True


@_mutation("version not served")
def _version_unserved(random: Random, spec: Spec) -> bool:
    if len(spec["versions"]) < 2:
        return False
    spec["versions"]["v1beta1"]["served"] = False
    return True


@_mutation("storage-version-moved")
def _storage_moved(random: Random, spec: Spec) -> bool:
    if len(spec["versions"]) < 2:
        return False
    for version in spec["versions"].values():
        if not version.pop("storage", False):
            version["storage"] = True
    return True


@_mutation("scope-changed")
def _scope(random: Random, spec: Spec) -> bool:
    spec["kinds"]["Thing"]["scope"] = "Cluster"
    return True


@_mutation("status subresource")
def _status(random: Random, spec: Spec) -> bool:
    kind = spec["kinds"]["Thing"]
    if kind.pop("subresources", None) is None:
        kind["subresources"] = {"status": {}}
    return all("status" in version["types"]["Thing"]["fields"] for version in spec["versions"].values())


@_mutation("annotated field in one version")
def _annotated(random: Random, spec: Spec) -> bool:
    if len(spec["versions"]) < 2:
        return False
    for version in ("v1beta1",):
        struct = spec["versions"][version]["types"]["Thing"]
        spec["versions"]["v1"]["types"]["Spec"]["fields"]["only"] = {"type": "string", "optional": True, "protobuf": 50}
        struct.setdefault("hubOnly", {})["spec.only"] = {"annotation": "x.example.com/only"}
    return True


@_mutation("field renamed in the hub")
def _lens(random: Random, spec: Spec) -> bool:
    if len(spec["versions"]) < 2:
        return False
    fields = spec["versions"]["v1beta1"]["types"]["Spec"]["fields"]
    name = random.choice(list(fields))
    spec["versions"]["v1beta1"]["types"]["Spec"]["fields"] = {
        (f"{each}Old" if each == name else each): ({**said, "hub": name} if each == name else said)
        for each, said in fields.items()
    }
    return True
