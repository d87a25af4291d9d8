"""`dataclass` and `field` of the runtime, for the compiler, with a `replace` and an `is_dataclass` that need no more than they create.

The standard library's functions work, too, but have the remaining methods of a class created, and take 15 ms to import.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from apigen.runtime.dataclasses import dataclass, field

__all__ = ["argument_names", "dataclass", "field", "is_dataclass", "replace"]


@cache
def _values_of(class_: Any) -> Callable[[Any], tuple[Any, ...]]:
    """Return the function that reads all fields of a value of a class at once."""
    names: tuple[str, ...] = class_.__match_args__
    return attrgetter(*names) if len(names) > 1 else lambda value: tuple(getattr(value, name) for name in names)


if TYPE_CHECKING:
    from dataclasses import replace
else:

    def replace(value, /, **changes):
        """Return a value with other fields, as the standard library's function does."""
        class_ = value.__class__
        values = zip(class_.__match_args__, _values_of(class_)(value), strict=True)
        return class_(**{**dict(values), **changes})


def is_dataclass(value: object) -> bool:
    """Return whether a value is a class that `dataclass` returned."""
    return isinstance(value, type) and "__dataclass_fields__" in vars(value)


def argument_names(class_: Any) -> tuple[str, ...] | None:
    """Return the fields of a class in the order in which it takes them, or `None` if it does not take all of them.

    `class_` is a class that `dataclass` returned, without `kw_only`.
    """
    fields = {name for base in class_.__mro__ if is_dataclass(base) for name in base.__annotations__}
    names: tuple[str, ...] = class_.__match_args__
    return names if fields == set(names) else None
