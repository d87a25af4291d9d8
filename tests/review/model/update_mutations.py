"""Changes of what updates may do, of values that are excluded, and of what a field asks of those next to it."""

from __future__ import annotations

from random import Random

from tests.review.model.families import Spec
from tests.review.model.registering import can_be_absent, mutation, on_field, on_member

_NUMBERS = ("int32", "int64")
_EXCLUDED = {"string": ("x", "abc", ""), "int32": (0, 3, 12), "int64": (0, 3, 12), "bool": (True, False)}
_DEPENDENTS = ("requires", "forbids")


@mutation("monotonic changed")
def _monotonic(random: Random, spec: Spec) -> bool:
    def change(field: Spec) -> None:
        if field.pop("monotonic", None) is None:
            field["monotonic"] = True

    return on_field(random, spec, change, lambda field: field["type"] in _NUMBERS)


@mutation("update restricted")
def _update(random: Random, spec: Spec) -> bool:
    def change(field: Spec) -> None:
        words = ["noModify"]
        if can_be_absent(field):
            words += ["noSet", "noUnset"]
        if field["type"].startswith("map") or field.get("listType") in ("set", "map"):
            words += ["noAddItem", "noRemoveItem"]
        field["update"] = sorted(random.sample(words, random.randint(1, min(2, len(words)))))

    return on_field(random, spec, change)


@mutation("update freed")
def _update_freed(random: Random, spec: Spec) -> bool:
    words = ("update", "immutable", "monotonic")

    def change(field: Spec) -> None:
        field.pop(random.choice([each for each in words if each in field]))

    return on_field(random, spec, change, lambda field: any(each in field for each in words))


@mutation("immutable elements")
def _immutable_elements(random: Random, spec: Spec) -> bool:
    def change(field: Spec) -> None:
        word = "values" if field["type"].startswith("map") else "items"
        field[word] = {**field.get(word, {}), "immutable": True}

    def wanted(field: Spec) -> bool:
        return field["type"].startswith("map") or field.get("listType") in ("set", "map")

    return on_field(random, spec, change, wanted)


@mutation("value excluded")
def _excluded(random: Random, spec: Spec) -> bool:
    def change(field: Spec) -> None:
        field["not"] = random.choice(_EXCLUDED[field["type"]])

    return on_field(random, spec, change, lambda field: field["type"] in _EXCLUDED)


@mutation("value accepted")
def _accepted(random: Random, spec: Spec) -> bool:
    words = ("not", "forbidden")

    def change(field: Spec) -> None:
        for word in words:
            field.pop(word, None)

    return on_field(random, spec, change, lambda field: any(each in field for each in words))


@mutation("field forbidden")
def _forbidden(random: Random, spec: Spec) -> bool:
    def wanted(field: Spec) -> bool:
        return can_be_absent(field) and not field.get("required")

    return on_field(random, spec, lambda field: field.update(forbidden=True), wanted)


@mutation("dependents added")
def _dependents(random: Random, spec: Spec) -> bool:
    word = random.choice(_DEPENDENTS)

    def change(fields: Spec, name: str) -> None:
        said = fields[name].setdefault(word, [])
        said.append(random.choice(_beside(fields, name, said)))

    def wanted(fields: Spec, name: str) -> bool:
        return can_be_absent(fields[name]) and bool(_beside(fields, name, fields[name].get(word, [])))

    return on_member(random, spec, change, wanted)


@mutation("dependents removed")
def _dependents_removed(random: Random, spec: Spec) -> bool:
    def change(field: Spec) -> None:
        word = random.choice([each for each in _DEPENDENTS if each in field])
        field[word].pop()
        if not field[word]:
            field.pop(word)

    return on_field(random, spec, change, lambda field: any(each in field for each in _DEPENDENTS))


@mutation("dependents turned round")
def _dependents_turned(random: Random, spec: Spec) -> bool:
    """What was asked for is forbidden, and the other way round."""

    def change(field: Spec) -> None:
        requires, forbids = (field.pop(word, None) for word in _DEPENDENTS)
        field.update({word: said for word, said in zip(_DEPENDENTS, (forbids, requires), strict=True) if said})

    return on_field(random, spec, change, lambda field: any(each in field for each in _DEPENDENTS))


def _beside(fields: Spec, name: str, known: list[str]) -> list[str]:
    return [other for other, field in fields.items() if other not in (name, *known) and can_be_absent(field)]
