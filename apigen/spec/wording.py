"""Whether two specs say the same in other words: what they document, and where it stands in their files, are put aside."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from operator import attrgetter

from apigen.diagnostics import Place

_WORDS = "doc"


def differ_in_words_only(one: object, other: object) -> bool:
    """Whether two values of the spec model are the same but for documentation and places."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, Place):
        return True
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(differ_in_words_only, one, other))
    parts = _PARTS[type(one)]
    return repr(one) == repr(other) if parts is None else differ_in_words_only(parts(one), parts(other))


class _Parts(dict[type, Callable[[object], tuple[object, ...]] | None]):
    """What gives all of a value of a dataclass but its documentation, by class; None for what is no dataclass."""

    def __missing__(self, class_: type) -> Callable[[object], tuple[object, ...]] | None:
        names = [field.name for field in fields(class_) if field.name != _WORDS] if is_dataclass(class_) else []
        self[class_] = _getter(names) if names else None
        return self[class_]


def _getter(names: list[str]) -> Callable[[object], tuple[object, ...]]:
    if len(names) > 1:
        return attrgetter(*names)
    return lambda value: (getattr(value, names[0]),)


_PARTS = _Parts()
