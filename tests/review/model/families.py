"""Random APIs: a kind with everything that specs can declare, as plain data."""

from __future__ import annotations

from random import Random
from typing import Any

Spec = dict[str, Any]

ABSENT = "absent"
"""In a spec: there is no such group at all."""

RECURSIVE = "parts"
"""The field of `Part` that contains more of them; elements in its default would have it, too, without end."""

GATES: dict[str, list[dict[str, Any]]] = {
    "alpha": [{"release": "1.4", "stage": "alpha"}],
    "soon": [{"release": "1.4", "stage": "alpha"}, {"release": "1.5", "stage": "beta", "default": True}],
    "beta": [{"release": "1.3", "stage": "alpha"}, {"release": "1.4", "stage": "beta", "default": True}],
    "beta off": [{"release": "1.3", "stage": "alpha"}, {"release": "1.4", "stage": "beta"}],
}
PRESENCES: tuple[dict[str, bool], ...] = ({}, {"optional": True}, {"nullable": True}, {"omitEmpty": True})
ENUM_VALUES = ("Always", "Never", "Sometimes", "Once", "OnTuesday")
PATTERNS = ("^[a-z]+$", "^[a-z0-9]*$", "^a", "[0-9]", "^.{0,5}$", "^[a-zA-Z]+$")
FORMATS = ("k8s-short-name", "k8s-long-name", "k8s-long-name-caseless", "k8s-label-value", "k8s-uuid")
SCALARS = (
    "string",
    "int32",
    "int64",
    "bool",
    "float64",
    "bytes",
    "uint32",
    "Time",
    "Duration",
    "Quantity",
    "IntOrString",
)
TYPES = (
    *("string", "string", "int32", "int32", "int64", "bool", "float64", "bytes", "Time", "Duration", "Quantity"),
    *("IntOrString", "Mode", "Mode", "Part", "Part", "Name", "[]string", "[]int32", "[]Part", "map[string]string"),
    *("map[string]Part", "[]Mode", "Choice", "Words"),
)


def family(random: Random, name: str) -> Spec:
    """A group with one kind, in one version or two."""
    gates = {f"{name}{each.title().replace(' ', '')}": {"owner": "x", "stages": GATES[each]} for each in GATES}
    made: Spec = {"group": f"{name}.example.com", "features": {}, "kinds": {"Thing": {"scope": "Namespaced"}}}
    made["gates"] = gates
    types = _types(random, made)
    made["versions"] = {"v1": {"types": types}}
    if random.random() < 0.4:
        made["versions"] = {"v1beta1": {"types": _copied(types)}, "v1": {"types": types}}
    storage = random.choice(list(made["versions"]))
    made["versions"][storage]["storage"] = True
    made["hub"] = "v1"
    return made


def _copied(types: Spec) -> Spec:
    from copy import deepcopy

    return deepcopy(types)


def _types(random: Random, made: Spec) -> Spec:
    types: Spec = {
        "Mode": {"enum": {value: {} for value in ENUM_VALUES[: random.randint(2, 4)]}},
        "Name": {"is": "string", **({"pattern": random.choice(PATTERNS)} if random.random() < 0.5 else {})},
        "Words": random.choice(({"is": "[]string", "listType": "atomic"}, {"is": "map[string]string"})),
        "Part": {"fields": {}},
        "Choice": {"fields": {}},
        "Spec": {"fields": {}},
    }
    if random.random() < 0.2:
        types["Mode"]["unknown"] = "Always"
    if random.random() < 0.3:
        types["Words"]["nullable"] = True
    for type_, number in (("Part", 3), ("Choice", 3), ("Spec", 6)):
        fields = types[type_]["fields"]
        for index in range(random.randint(2, number)):
            simple = type_ != "Spec"
            fields[f"{type_[0].lower()}{index}"] = field(random, made, index + 1, simple=simple)
    if random.random() < 0.7:
        _union(random, types)
    thing: Spec = {"metadata": {"type": "meta/v1.ObjectMeta", "required": False, "protobuf": 1}}
    thing["spec"] = {"type": "Spec", "protobuf": 2, **random.choice(({}, {"required": False}))}
    if random.random() < 0.2:
        thing["status"] = {"type": "Part", "protobuf": 3, "required": False}
        made["kinds"]["Thing"]["subresources"] = {"status": {}}
    if random.random() < 0.2:
        made["kinds"]["Gadget"] = {"scope": "Namespaced"}
        types["Gadget"] = gadget("Part")
    return {"Thing": {"fields": thing}, **types}


def gadget(spec: str) -> Spec:
    """The type of a second kind, which has a type of the first one as its spec."""
    metadata = {"type": "meta/v1.ObjectMeta", "required": False, "protobuf": 1}
    return {"fields": {"metadata": metadata, "spec": {"type": spec, "protobuf": 2, "required": False}}}


def _union(random: Random, types: Spec) -> None:
    """Make the fields of `Choice` members of a union, now and then one with a discriminator."""
    choice = types["Choice"]
    names = list(choice["fields"])
    for number, each in enumerate(names, 1):
        type_ = random.choice(("string", "int32", "bool"))
        choice["fields"][each] = {"type": type_, "optional": True, "protobuf": number}
    choice["unions"] = [{"members": names, "optional": random.random() < 0.5}]
    if random.random() < 0.3:
        discriminated(types, empty=random.random() < 0.5)


def discriminated(types: Spec, *, empty: bool) -> None:
    """Let a new field of `Choice` say which member of its union is set; `empty`: there is a value for none of them."""
    union = types["Choice"]["unions"][0]
    members = {each.title(): each for each in union["members"]}
    types["Which"] = {"enum": {each: {} for each in (*members, *(["Nothing"] if empty else []))}}
    types["Choice"]["fields"]["which"] = {"type": "Which", "protobuf": 40}
    union.update(discriminator="which", members=members, **({"empty": ["Nothing"]} if empty else {}))


def field(random: Random, made: Spec, number: int, *, simple: bool = False, type_: str | None = None) -> Spec:
    """A field: type, presence, constraints, now and then a default or a gate."""
    type_ = type_ or random.choice(SCALARS + ("Mode",) if simple else TYPES)
    found: Spec = {"type": type_, **random.choice(PRESENCES), "protobuf": number}
    if random.random() < 0.15:
        found["required"] = random.random() < 0.5
    if random.random() < 0.35:
        found.update(constraint(random, type_) or {})
    if random.random() < 0.2 and not found.get("required"):
        found.update(default(random, type_))
    if random.random() < 0.1 and any(found.get(key) for key in ("optional", "nullable", "omitEmpty")):
        gate = random.choice([each for each in made["gates"] if not each.endswith("Soon")])
        found["featureGate"] = gate
        made["features"][gate] = made["gates"][gate]
    return found


def constraint(random: Random, type_: str) -> Spec | None:
    """A constraint that a type can have."""
    low, high = random.randint(0, 5), random.randint(6, 20)
    if type_ in ("int32", "int64", "uint32"):
        return random.choice(
            (
                {"minimum": low},
                {"maximum": high},
                {"minimum": low, "maximum": high},
                {"multipleOf": random.choice((2, 3))},
            )
        )
    if type_ == "float64":
        return random.choice(({"minimum": low}, {"maximum": high}, {"exclusiveMinimum": low}))
    if type_ == "string":
        return random.choice(
            (
                {"minLength": random.randint(0, 3)},
                {"maxLength": high},
                {"pattern": random.choice(PATTERNS)},
                {"immutable": True},
            )
        )
    if type_.startswith("[]"):
        return random.choice(({"minItems": random.randint(0, 2)}, {"maxItems": low + 1}, {"listType": "atomic"}))
    if type_.startswith("map"):
        return random.choice(({"minProperties": random.randint(0, 2)}, {"maxProperties": low + 1}))
    return None


def default(random: Random, type_: str) -> Spec:
    """A default that a type can have."""
    values: dict[str, tuple[Any, ...]] = {
        "string": ("abc", "x", ""),
        "int32": (0, 3, 12),
        "int64": (0, 3, 12),
        "bool": (True, False),
        "Mode": ("Always", "Never"),
        "IntOrString": (1, "50%"),
        "Quantity": ("1", "0"),
        "Duration": ("30s",),
        "Name": ("abc",),
        "[]string": (["a"],),
    }
    if type_ in values:
        return {"default": {"value": random.choice(values[type_])}}
    return {"default": {"value": {}}} if type_ in ("Part", "Choice") else {}
