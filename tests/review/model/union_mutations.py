"""Changes of unions: which fields are members, whether one must be set, and which field says so."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tests.review.model.families import Spec, discriminated
from tests.review.model.registering import everywhere, mutation


def _on_union(random: Random, spec: Spec, change: Callable[[Spec], object], *, tagged: bool | None = None) -> bool:
    """Change the types of each version whose `Choice` has a union with a member left; with `tagged`, only one with a discriminator or without."""
    found = [types for types in everywhere(random, spec) if types["Choice"].get("unions") and _members(types)]
    found = [types for types in found if tagged in (None, "discriminator" in types["Choice"]["unions"][0])]
    state = random.getstate()
    for types in found:
        random.setstate(state)
        change(types)
    return bool(found)


def _union(types: Spec) -> Spec:
    found: Spec = types["Choice"]["unions"][0]
    return found


def _members(types: Spec) -> list[str]:
    said = _union(types)["members"]
    return list(said.values()) if isinstance(said, dict) else list(said)


def _join(types: Spec, name: str) -> None:
    union = _union(types)
    if isinstance(union["members"], dict):
        union["members"][name.title()] = name
        types["Which"]["enum"].setdefault(name.title(), {})
        union["empty"] = [each for each in union.get("empty", ()) if each != name.title()]
    else:
        union["members"] = [*union["members"], name]


def _leave(types: Spec, name: str) -> None:
    union = _union(types)
    if isinstance(union["members"], dict):
        value = next(value for value, member in union["members"].items() if member == name)
        del union["members"][value]
        types["Which"]["enum"].pop(value)
    else:
        union["members"] = [each for each in union["members"] if each != name]


@mutation("union optional changed")
def _optional(random: Random, spec: Spec) -> bool:
    return _on_union(random, spec, lambda types: _union(types).update(optional=not _union(types)["optional"]))


@mutation("union-removed")
def _removed(random: Random, spec: Spec) -> bool:
    return _on_union(random, spec, lambda types: types["Choice"].pop("unions"))


@mutation("union-added")
def _added(random: Random, spec: Spec) -> bool:
    versions = [types for types in everywhere(random, spec) if not types["Choice"].get("unions")]
    for types in versions:
        fields = types["Choice"]["fields"]
        if not all(each.get("optional") for each in fields.values()):
            return False
        types["Choice"]["unions"] = [{"members": list(fields), "optional": True}]
    return bool(versions)


@mutation("union-member-added")
def _member_added(random: Random, spec: Spec) -> bool:
    def change(types: Spec) -> None:
        types["Choice"]["fields"]["another"] = {"type": "string", "optional": True, "protobuf": 31}
        _join(types, "another")

    return _on_union(random, spec, change)


@mutation("union-member-removed")
def _member_removed(random: Random, spec: Spec) -> bool:
    def change(types: Spec) -> None:
        name = random.choice(_members(types))
        _leave(types, name)
        types["Choice"]["fields"].pop(name)

    return _on_union(random, spec, change)


@mutation("union-member-moved out of it")
def _moved_out(random: Random, spec: Spec) -> bool:
    return _on_union(random, spec, lambda types: _leave(types, random.choice(_members(types))))


@mutation("union-member-moved into it")
def _moved_in(random: Random, spec: Spec) -> bool:
    """Add a sibling field to the members; both sides get the field, so that only this differs."""

    def change(types: Spec) -> None:
        beside = [each for each in types["Choice"]["fields"] if each not in (*_members(types), "which")]
        _join(types, random.choice(beside))

    has_one = all(
        set(types["Choice"]["fields"]) > {*_members(types), "which"}
        for types in (version["types"] for version in spec["versions"].values())
        if types["Choice"].get("unions")
    )
    return has_one and _on_union(random, spec, change)


@mutation("union-member-moved to another union")
def _moved_over(random: Random, spec: Spec) -> bool:
    """The union is split in two."""

    def change(types: Spec) -> None:
        name = random.choice(_members(types))
        _leave(types, name)
        types["Choice"]["fields"]["beside"] = {"type": "string", "optional": True, "protobuf": 32}
        types["Choice"]["unions"].append({"members": [name, "beside"], "optional": True})

    return _on_union(random, spec, change)


@mutation("discriminator-changed to there is one")
def _discriminator_added(random: Random, spec: Spec) -> bool:
    empty = random.random() < 0.5
    return _on_union(random, spec, lambda types: discriminated(types, empty=empty), tagged=False)


@mutation("discriminator-changed: removed")
def _discriminator_removed(random: Random, spec: Spec) -> bool:
    def change(types: Spec) -> None:
        _union(types).pop("discriminator")
        _union(types).pop("empty", None)
        _union(types)["members"] = _members(types)

    return _on_union(random, spec, change, tagged=True)


@mutation("discriminator-changed to another field")
def _discriminator_renamed(random: Random, spec: Spec) -> bool:
    def change(types: Spec) -> None:
        types["Choice"]["fields"]["tag"] = {"type": "Which", "protobuf": 41}
        _union(types)["discriminator"] = "tag"

    return _on_union(random, spec, change, tagged=True)


@mutation("discriminator-changed in the value of a member")
def _discriminator_value(random: Random, spec: Spec) -> bool:
    def change(types: Spec) -> None:
        members = _union(types)["members"]
        value = random.choice(list(members))
        name = members.pop(value)
        members["Other"] = name
        types["Which"]["enum"].pop(value)
        types["Which"]["enum"]["Other"] = {}

    return _on_union(random, spec, change, tagged=True)


@mutation("discriminator-changed so that two members swap values")
def _discriminator_swapped(random: Random, spec: Spec) -> bool:
    def change(types: Spec) -> None:
        members = _union(types)["members"]
        _union(types)["members"] = dict(zip(members, reversed(members.values()), strict=True))

    return _on_union(random, spec, change, tagged=True)


@mutation("union-empty-values-changed")
def _empty_values(random: Random, spec: Spec) -> bool:
    def change(types: Spec) -> None:
        union = _union(types)
        value = "Nothing" if "Nothing" not in types["Which"]["enum"] or random.random() < 0.5 else "Naught"
        if value in union.get("empty", ()):
            union["empty"].remove(value)
            types["Which"]["enum"].pop(value)
        else:
            union["empty"] = [*union.get("empty", ()), value]
            types["Which"]["enum"][value] = {}

    return _on_union(random, spec, change, tagged=True)
