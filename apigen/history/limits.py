"""Which values a field takes now that it did not take before."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from apigen.ir.model import Field
from apigen.spec.model import Constraints

_LOWER_BOUNDS = ("minimum", "exclusive_minimum", "min_length", "min_items", "min_properties")
_UPPER_BOUNDS = ("maximum", "exclusive_maximum", "max_length", "max_bytes", "max_items", "max_properties")
_FORMS = ("pattern", "format", "multiple_of")
"""Of these nobody can say in general which takes more: another one is taken for a wider one."""


def loosened(now: Field, before: Field) -> Iterator[str]:
    """What a field allows now and did not allow before, a sentence each."""
    if before.required and not now.required:
        yield "it asks for the field"
    for what, mine, theirs in (
        ("", now.constraints, before.constraints),
        ("of its elements ", now.item_constraints, before.item_constraints),
        ("of its keys ", now.key_constraints, before.key_constraints),
        ("of its values ", now.value_constraints, before.value_constraints),
    ):
        yield from (f"{what}it allows {detail}" for detail in _wider(mine, theirs))


def _wider(now: Constraints, before: Constraints) -> Iterator[str]:
    yield from _moved(now, before, _LOWER_BOUNDS, lambda mine, theirs: mine < theirs)
    yield from _moved(now, before, _UPPER_BOUNDS, lambda mine, theirs: mine > theirs)
    for name in _FORMS:
        mine, theirs = getattr(now, name), getattr(before, name)
        if theirs is not None and (mine is None or mine.value != theirs.value):
            yield f"{_word(name)} {theirs.value} only"
    if before.unique_items is not None and before.unique_items.value and now.unique_items is None:
        yield "no element twice"


def _moved(
    now: Constraints, before: Constraints, names: tuple[str, ...], is_wider: Callable[[float, float], bool]
) -> Iterator[str]:
    for name in names:
        mine, theirs = getattr(now, name), getattr(before, name)
        if theirs is not None and (mine is None or is_wider(mine.value, theirs.value)):
            yield f"{_word(name)} {theirs.value}"


def _word(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(other.capitalize() for other in others)
