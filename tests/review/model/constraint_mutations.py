"""Changes of what values must satisfy."""

from __future__ import annotations

from random import Random

from tests.review.model.families import FORMATS, PATTERNS, Spec, constraint
from tests.review.model.registering import CONSTRAINTS, everywhere, mutation, on_field


@mutation("constraint added")
def _constraint_added(random: Random, spec: Spec) -> bool:
    def change(field: Spec) -> None:
        field.update(constraint(random, field["type"]) or {})

    return on_field(random, spec, change)


@mutation("constraint removed")
def _constraint_removed(random: Random, spec: Spec) -> bool:
    words = CONSTRAINTS

    def change(field: Spec) -> None:
        field.pop(random.choice(sorted(words & set(field))))

    return on_field(random, spec, change, lambda field: bool(words & set(field)))


@mutation("bound moved")
def _bound_moved(random: Random, spec: Spec) -> bool:
    words = [each for each in CONSTRAINTS if each.startswith(("min", "max", "exclusive", "multiple"))]
    step = random.choice((-3, -1, 1, 3))

    def change(field: Spec) -> None:
        word = random.choice(sorted(set(words) & set(field)))
        field[word] = max(1 if word == "multipleOf" else 0, field[word] + step)

    return on_field(random, spec, change, lambda field: bool(set(words) & set(field)))


@mutation("pattern-changed")
def _pattern_changed(random: Random, spec: Spec) -> bool:
    pattern = random.choice(PATTERNS)
    return on_field(random, spec, lambda field: field.update(pattern=pattern), lambda field: field["type"] == "string")


@mutation("format changed")
def _format_changed(random: Random, spec: Spec) -> bool:
    said = random.choice(FORMATS)
    return on_field(random, spec, lambda field: field.update(format=said), lambda field: field["type"] == "string")


@mutation("alias pattern changed")
def _alias_changed(random: Random, spec: Spec) -> bool:
    pattern = random.choice(PATTERNS)
    for types in everywhere(random, spec):
        types["Name"]["pattern"] = pattern
    return True


@mutation("item constraint")
def _item_constraint(random: Random, spec: Spec) -> bool:
    said = random.choice(({"pattern": random.choice(PATTERNS)}, {"maxLength": random.randint(2, 9)}, {"minLength": 1}))
    return on_field(random, spec, lambda field: field.update(items=said), lambda field: field["type"] == "[]string")


@mutation("map constraint")
def _map_constraint(random: Random, spec: Spec) -> bool:
    said = random.choice(({"pattern": random.choice(PATTERNS)}, {"maxLength": random.randint(2, 9)}))
    where = random.choice(("keys", "values"))
    return on_field(
        random, spec, lambda field: field.update({where: said}), lambda field: field["type"] == "map[string]string"
    )


@mutation("list type changed")
def _list_type(random: Random, spec: Spec) -> bool:
    said = random.choice(("atomic", "set"))
    return on_field(random, spec, lambda field: field.update(listType=said), lambda field: field["type"] == "[]string")


@mutation("unique items")
def _unique(random: Random, spec: Spec) -> bool:
    return on_field(
        random,
        spec,
        lambda field: field.update(uniqueItems=True),
        lambda field: field["type"] in ("[]string", "[]int32"),
    )


@mutation("immutable added")
def _immutable(random: Random, spec: Spec) -> bool:
    return on_field(random, spec, lambda field: field.update(immutable=True), lambda field: "immutable" not in field)
