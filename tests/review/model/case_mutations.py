"""Changes of what holds under a condition, or for a part: by a gate, by the value of a field next to it, of a field below."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.review.model.families import ENUM_VALUES, Spec, constraint
from tests.review.model.registering import a_gate, can_be_absent, mutation, on_field, on_member

BY_GATE = ("ifEnabled", "ifDisabled")
CASES = (*BY_GATE, "ifMode", "subfields")


@mutation("constraint by a gate")
def _by_gate(random: Random, spec: Spec) -> bool:
    gate, word = a_gate(random, spec), random.choice(BY_GATE)

    def change(field: Spec) -> None:
        field.setdefault(word, {})[gate] = _case(random, field)

    return on_field(random, spec, change, lambda field: bool(_case(Random(1), field)))


@mutation("constraint by a mode")
def _by_mode(random: Random, spec: Spec) -> bool:
    modes = random.sample(ENUM_VALUES[:2], random.randint(1, 2))

    def change(fields: Spec, name: str) -> None:
        fields[name]["ifMode"] = {_mode_of(fields): {mode: _case(random, fields[name]) for mode in modes}}

    def wanted(fields: Spec, name: str) -> bool:
        return can_be_absent(fields[name]) and _mode_of(fields) not in (None, name)

    return on_member(random, spec, change, wanted)


@mutation("constraint of a subfield")
def _of_subfield(random: Random, spec: Spec) -> bool:
    parts = spec["versions"]["v1"]["types"].get("Part", {}).get("fields", {})
    if not parts:
        return False
    name = random.choice(list(parts))
    said = _case(random, parts[name])
    return bool(said) and on_field(
        random, spec, lambda field: field.update(subfields={name: said}), lambda field: field["type"] == "Part"
    )


@mutation("constraint of a case changed")
def _case_changed(random: Random, spec: Spec) -> bool:
    def change(field: Spec) -> None:
        blocks = _blocks(field)
        block, name = random.choice(blocks)
        block[name] = {} if random.random() < 0.2 else _case(random, field)

    return on_field(random, spec, change, lambda field: bool(_blocks(field)))


@mutation("constraint of a case removed")
def _case_removed(random: Random, spec: Spec) -> bool:
    def change(field: Spec) -> None:
        word = random.choice([each for each in CASES if each in field])
        block = field[word]
        block.pop(random.choice(list(block)))
        if not block or random.random() < 0.3:
            field.pop(word)

    return on_field(random, spec, change, lambda field: any(each in field for each in CASES))


@mutation("case turned round")
def _turned(random: Random, spec: Spec) -> bool:
    """What held while a gate was on holds while it is off."""

    def change(field: Spec) -> None:
        on, off = (field.pop(word, None) for word in BY_GATE)
        field.update({word: said for word, said in zip(BY_GATE, (off, on), strict=True) if said})

    return on_field(random, spec, change, lambda field: any(each in field for each in BY_GATE))


@mutation("case made general")
def _general(random: Random, spec: Spec) -> bool:
    """What held while a gate was on, or off, holds always."""

    def change(field: Spec) -> None:
        word = random.choice([each for each in BY_GATE if field.get(each)])
        said: Spec = next(iter(field.pop(word).values()))
        field.update({key: value for key, value in said.items() if key != "required"})

    return on_field(random, spec, change, lambda field: any(field.get(each) for each in BY_GATE))


def _case(random: Random, field: Spec) -> Spec:
    """What a case says of a field; nothing where it can say nothing."""
    drawn = random.random()
    if drawn < 0.15 and can_be_absent(field):
        return {"forbidden": True}
    if drawn < 0.25 and can_be_absent(field):
        return {"required": True}
    said = constraint(random, field["type"]) or {}
    return {} if "listType" in said else said


def _mode_of(fields: Spec) -> str | None:
    return next((name for name, field in fields.items() if field["type"] == "Mode"), None)


def _blocks(field: Spec) -> list[tuple[dict[str, Any], str]]:
    """The cases of a field, each with what holds it; those of subfields are about other types."""
    found = [(field[word], name) for word in BY_GATE for name in field.get(word, {})]
    return found + [(modes, mode) for modes in field.get("ifMode", {}).values() for mode in modes]
