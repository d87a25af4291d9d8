"""Changes of what code by hand enforces, and of constraints that go from there to generated code or the other way."""

from __future__ import annotations

from random import Random

from tests.review.model.families import Spec, constraint
from tests.review.model.hand_written_code import BY_HAND
from tests.review.model.registering import CONSTRAINTS, mutation, on_field


@mutation("enforcement-by-hand-changed")
def _changed(random: Random, spec: Spec) -> bool:
    def change(field: Spec) -> None:
        if random.random() < 0.3:
            field.pop(BY_HAND, None)
        else:
            field[BY_HAND] = _said(random, field["type"])

    return on_field(random, spec, change, lambda field: bool(_said(Random(1), field["type"])))


@mutation("enforcement-by-hand-changed of elements")
def _of_elements(random: Random, spec: Spec) -> bool:
    said = _said(random, "string")

    def change(field: Spec) -> None:
        items = {word: value for word, value in field.get("items", {}).items() if word != BY_HAND}
        field["items"] = items if random.random() < 0.3 else {**items, BY_HAND: said}
        if not field["items"]:
            field.pop("items")

    return on_field(random, spec, change, lambda field: field["type"] == "[]string")


@mutation("constraint left to code by hand")
def _left(random: Random, spec: Spec) -> bool:
    def change(field: Spec) -> None:
        word = random.choice(_rejecting(field))
        field[BY_HAND] = {**field.get(BY_HAND, {}), word: field.pop(word)}

    return on_field(random, spec, change, lambda field: bool(_rejecting(field)))


@mutation("code by hand replaced by a constraint")
def _generated(random: Random, spec: Spec) -> bool:
    return on_field(random, spec, lambda field: field.update(field.pop(BY_HAND)), lambda field: BY_HAND in field)


@mutation("constraint declared in addition to hand-written code")
def _declared(random: Random, spec: Spec) -> bool:
    """The generated constraint differs from that of the code, in either direction."""

    def change(field: Spec) -> None:
        field.update(_said(random, field["type"]))

    return on_field(random, spec, change, lambda field: BY_HAND in field)


def _rejecting(field: Spec) -> list[str]:
    """The constraints of a field, without flags that are false."""
    return sorted(word for word in CONSTRAINTS & set(field) if field[word] is not False)


def _said(random: Random, type_: str) -> Spec:
    """A constraint that a type can have; nothing where it can have none."""
    said = constraint(random, type_) or {}
    return {word: value for word, value in said.items() if word != "listType"}
