"""Changes of lifecycles: of removals, their announcements, and restored elements."""

from __future__ import annotations

from random import Random

from tests.review.model.families import ENUM_VALUES, SCALARS, Spec
from tests.review.model.registering import everywhere, mutation, on_field

_ENDS = ("removed", "replacement")


@mutation("deprecated-without-end")
def _without_end(random: Random, spec: Spec) -> bool:
    def change(said: Spec) -> None:
        said["deprecated"] = random.choice(("1.4", "1.5"))
        for word in _ENDS:
            said.pop(word, None)

    drawn = random.random()
    if drawn < 0.6:
        return on_field(random, spec, change)
    if drawn < 0.8:
        change(random.choice(list(spec["versions"].values())))
        return True
    value = random.choice(ENUM_VALUES)
    found = [types["Mode"]["enum"][value] for types in everywhere(random, spec) if value in types["Mode"]["enum"]]
    for each in found:
        change(each)
    return bool(found)


@mutation("replacement-is-less-stable")
def _less_stable(random: Random, spec: Spec) -> bool:
    """Who uses the stable version, or its kind, is sent to the other one."""
    if len(spec["versions"]) < 2:
        return False
    version = spec["versions"]["v1"]
    if random.random() < 0.5:
        version.update(introduced="1.1", deprecated=random.choice(("1.4", "1.5")), replacement="v1beta1")
    else:
        replacement = f"{spec['group']}/v1beta1.Thing"
        version["types"]["Thing"].update(deprecated=random.choice(("1.4", "1.5")), replacement=replacement)
    return True


@mutation("field has a tombstone of long ago")
def _tombstone(random: Random, spec: Spec) -> bool:
    name = random.choice(("Spec", "Part"))
    for types in everywhere(random, spec):
        if "given" in types.get(name, {}).get("fields", {"given": {}}):
            return False
        types[name].setdefault("tombstones", {})["given"] = {"protobuf": 92, "removed": "1.2", "reason": "given up"}
    return True


@mutation("tombstone-returned")
def _returned(random: Random, spec: Spec) -> bool:
    """What had a tombstone is there again."""
    versions = [version["types"] for version in spec["versions"].values()]
    found = [(type_, name) for types in versions for type_ in types for name in types[type_].get("tombstones", {})]
    found = [(type_, name) for type_, name in found if type_ in ("Spec", "Part")]
    if not found:
        return False
    type_, name = random.choice(found)
    back = {"type": random.choice(SCALARS), "optional": True, "returned": random.choice(("1.4", "1.5"))}
    for types in versions:
        tombstone = types.get(type_, {}).get("tombstones", {}).pop(name, None)
        if tombstone is not None:
            types[type_]["fields"][name] = {**back, "protobuf": tombstone["protobuf"]}
    return True


@mutation("migration-undeclared")
def _migration(random: Random, spec: Spec) -> bool:
    """The tombstone of a version says otherwise since when no object is stored in it, or no longer; or there is one now."""
    tombstones = spec.setdefault("tombstones", {}).setdefault("versions", {})
    tombstone = tombstones.setdefault("v1alpha1", {"removed": "1.3", "reason": "v1 took its place", "migrated": "1.2"})
    migrated = random.choice(("1.2", "1.4", None))
    tombstone.pop("migrated", None)
    tombstone.update({"migrated": migrated} if migrated else {})
    return True
