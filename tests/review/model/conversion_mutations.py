"""Changes of how versions are converted: what one carries for another, what it loses, and what no code is generated for."""

from __future__ import annotations

from random import Random

from tests.review.model.families import SCALARS, Spec
from tests.review.model.registering import mutation

_LOST = {"drop": "no client used it"}


@mutation("annotated field in one version")
def _annotated(random: Random, spec: Spec) -> bool:
    if len(spec["versions"]) < 2:
        return False
    for version in ("v1beta1",):
        struct = spec["versions"][version]["types"]["Thing"]
        spec["versions"]["v1"]["types"]["Spec"]["fields"]["only"] = {"type": "string", "optional": True, "protobuf": 50}
        struct.setdefault("hubOnly", {})["spec.only"] = {"annotation": "x.example.com/only"}
    return True


@mutation("field renamed in the hub")
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


@mutation("lossy-conversion")
def _lossy(random: Random, spec: Spec) -> bool:
    """A version loses what it carried in an annotation, or carries what it lost."""
    carried = spec["versions"].get("v1beta1", {}).get("types", {}).get("Thing", {}).get("hubOnly", {})
    if not carried:
        return False
    path = random.choice(list(carried))
    carried[path] = {"annotation": "x.example.com/carried"} if "drop" in carried[path] else dict(_LOST)
    return True


@mutation("lossy-conversion of a field that it had")
def _field_lost(random: Random, spec: Spec) -> bool:
    if len(spec["versions"]) < 2:
        return False
    types = spec["versions"]["v1beta1"]["types"]
    found = [name for name in types["Spec"]["fields"] if name in spec["versions"]["v1"]["types"]["Spec"]["fields"]]
    if len(found) < 2:
        return False
    name = random.choice(found)
    types["Spec"]["fields"].pop(name)
    types["Thing"].setdefault("hubOnly", {})[f"spec.{name}"] = dict(_LOST)
    return True


@mutation("lossy-conversion of what the hub does not have")
def _not_in_hub(random: Random, spec: Spec) -> bool:
    """A version has a field that it does not show to others; or others have it, too."""
    fields = spec["versions"].get("v1beta1", {}).get("types", {}).get("Spec", {}).get("fields")
    if fields is None:
        return False
    if "own" in fields:
        fields["own"].pop("hub")
        spec["versions"]["v1"]["types"]["Spec"]["fields"]["own"] = {**fields["own"]}
    else:
        fields["own"] = {"type": random.choice(SCALARS), "optional": True, "protobuf": 51, "hub": dict(_LOST)}
    return True


@mutation("stable-refers-to-unstable")
def _of_unstable(random: Random, spec: Spec) -> bool:
    """A field of the stable version is of a type of the other one."""
    if len(spec["versions"]) < 2:
        return False
    found = [
        field
        for type_ in spec["versions"]["v1"]["types"].values()
        for field in type_.get("fields", {}).values()
        if field["type"] in ("Part", "Choice", "Mode")
    ]
    if not found:
        return False
    field = random.choice(found)
    field["type"] = f"{spec['group']}/v1beta1.{field['type']}"
    return True


@mutation("field-in-some-versions-only")
def _in_some_only(random: Random, spec: Spec) -> bool:
    """Versions that no generated code converts: one has a field more."""
    if not _unconverted(spec):
        return False
    version = random.choice(list(spec["versions"].values()))
    version["types"]["Spec"]["fields"]["only"] = {"type": random.choice(SCALARS), "optional": True, "protobuf": 50}
    return True


@mutation("type-differs-between-versions")
def _type_differs(random: Random, spec: Spec) -> bool:
    """Versions that no generated code converts: one has a field of another type."""
    if not _unconverted(spec):
        return False
    fields = spec["versions"]["v1beta1"]["types"]["Spec"]["fields"]
    name = random.choice(list(fields))
    fields[name] = {"type": random.choice(SCALARS), "optional": True, "protobuf": fields[name].get("protobuf", 52)}
    return True


def _unconverted(spec: Spec) -> bool:
    """Remove the hub, and all declarations of conversions to it."""
    if len(spec["versions"]) < 2:
        return False
    spec.pop("hub", None)
    for version in spec["versions"].values():
        for type_ in version["types"].values():
            for word in ("hub", "hubOnly"):
                type_.pop(word, None)
            for field in type_.get("fields", {}).values():
                field.pop("hub", None)
    return True
