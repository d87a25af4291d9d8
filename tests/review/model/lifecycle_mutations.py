"""Changes of lifecycles, and of declarations that do not appear in objects."""

from __future__ import annotations

from random import Random

from tests.review.model.families import RECURSIVE, Spec
from tests.review.model.registering import everywhere, fields_of, mutation, on_field

LATER = ("1.6", "1.9")


@mutation("deprecated")
def _deprecated(random: Random, spec: Spec) -> bool:
    said = {"deprecated": random.choice(("1.4", "1.5")), "removed": random.choice(LATER)}
    return on_field(random, spec, lambda field: field.update(said))


@mutation("undeprecated")
def _undeprecated(random: Random, spec: Spec) -> bool:
    return on_field(
        random, spec, lambda field: (field.pop("deprecated"), field.pop("removed", None)), lambda f: "deprecated" in f
    )


@mutation("removal-announced")
def _removal_announced(random: Random, spec: Spec) -> bool:
    removed = random.choice(LATER)
    return on_field(random, spec, lambda field: field.update(removed=removed), lambda field: "removed" not in field)


@mutation("past-due")
def _past_due(random: Random, spec: Spec) -> bool:
    """A field that is to be gone in the release under review, and can be dropped."""

    def droppable(field: Spec) -> bool:
        return any(field.get(each) for each in ("optional", "nullable", "omitEmpty"))

    return on_field(random, spec, lambda field: field.update(deprecated="1.2", removed="1.5"), droppable)


@mutation("deprecated version")
def _version_deprecated(random: Random, spec: Spec) -> bool:
    said = {"introduced": "1.1", "deprecated": random.choice(("1.4", "1.5")), "removed": random.choice(("1.5", "1.9"))}
    name = random.choice(list(spec["versions"]))
    spec["versions"][name].update(said, **({"replacement": "v1"} if name != "v1" else {}))
    return True


@mutation("introduced-changed")
def _introduced(random: Random, spec: Spec) -> bool:
    release = random.choice(("1.3", "1.5"))
    return on_field(random, spec, lambda field: field.update(introduced=release))


@mutation("replacement-changed")
def _replacement(random: Random, spec: Spec) -> bool:
    versions = everywhere(random, spec)
    type_, name = random.choice(list(fields_of(versions[0])))
    others = [each for each in versions[0][type_]["fields"] if each != name]
    if not others:
        return False
    replacement = random.choice(others)
    for types in versions:
        if name in types[type_]["fields"]:
            types[type_]["fields"][name].update(deprecated="1.4", replacement=replacement)
    return True


@mutation("preferred-version-moved")
def _preferred(random: Random, spec: Spec) -> bool:
    if len(spec["versions"]) < 2:
        return False
    chosen = random.choice(list(spec["versions"]))
    for name, version in spec["versions"].items():
        version["preferred"] = name == chosen
    return True


@mutation("default-removed with all of a version")
def _undefaulted(random: Random, spec: Spec) -> bool:
    version = random.choice(list(spec["versions"].values()))
    version["defaulted"] = False
    fields = [field for type_ in version["types"].values() for field in type_.get("fields", {}).values()]
    return [field.pop("default", None) for field in fields] != [None] * len(fields)


@mutation("promise-changed")
def _promise(random: Random, spec: Spec) -> bool:
    said = random.choice(("Must be set.", "Cannot be updated.", "Defaults to 3.", "Required."))
    return on_field(random, spec, lambda field: field.update(doc=f"Words. {said}"))


@mutation("tombstone-added")
def _reserved(random: Random, spec: Spec) -> bool:
    for types in everywhere(random, spec):
        types["Part"]["reserved"] = [90]
    return True


@mutation("tombstone-incomplete")
def _tombstone_incomplete(random: Random, spec: Spec) -> bool:
    versions = everywhere(random, spec)
    tombstones = [tombstone for types in versions for tombstone in types["Spec"].get("tombstones", {}).values()]
    for types in versions if not tombstones else ():
        types["Spec"]["tombstones"] = {"gone": {"protobuf": 91}}
    for tombstone in tombstones:
        tombstone.pop("reason", None)
    return True


@mutation("embedding-changed")
def _embedding(random: Random, spec: Spec) -> bool:
    """Inline the fields of a part in its parent, or no longer inline them."""

    def change(field: Spec) -> None:
        field["inline"] = not field.get("inline", False)
        for key in ("optional", "nullable", "omitEmpty", "required", "default", "featureGate"):
            field.pop(key, None)

    return on_field(random, spec, change, lambda field: field["type"] in ("Part", "Choice"))


@mutation("recursion-introduced")
def _recursion(random: Random, spec: Spec) -> bool:
    for types in everywhere(random, spec):
        types["Part"]["fields"].setdefault(RECURSIVE, {"type": "[]Part", "optional": True, "protobuf": 70})
    return True


@mutation("hub-type-changed")
def _hub_type(random: Random, spec: Spec) -> bool:
    for version in spec["versions"].values():
        version["types"]["Part"]["hub"] = "PartOfHub"
    return True


@mutation("wire-name-changed")
def _wire_name(random: Random, spec: Spec) -> bool:
    return on_field(random, spec, lambda field: field.update(protobufName="otherName"))
