"""A singular field and its plural: reconcile a request that sets one of them, both, or the one that an older client knows.

The rules are those of Kubernetes' API changes, "Making a singular field plural". An older client knows only the singular,
and cannot send the plural back; a newer one always sends both.
"""

from __future__ import annotations

from .equality import semantic_equal
from .field_paths import FieldPath
from .validation import FieldError, invalid

TYPE_CHECKING = False  # True for type checkers, which alone need `typing`
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import TypeVar

    T = TypeVar("T")


def reconciled(
    singular: str,
    plural: list[T] | None,
    before: tuple[str, list[T] | None] | None,
    make: Callable[[str], T],
) -> list[T] | None:
    """Return the plural that a request means; `before` are singular and plural of the old object, None on a creation.

    - Only the singular is set: the plural is a list of it (created by `make`).
    - The plural is unset and the singular unchanged: an older client, which cannot send it. The old plural is kept.
    - The singular is changed or unset, and the plural unchanged: an older client. The plural follows.
    - Everything else is unchanged, and `singular_errors` validates it.
    """
    if not plural:
        if before is not None and singular == before[0]:
            return before[1]
        return [make(singular)] if singular else plural
    if before is None or singular == before[0] or not semantic_equal(plural, before[1]):
        return plural
    return [make(singular)] if singular else None


def singular_errors(
    path: FieldPath, name: str, singular: str, plural_name: str, first: str | None
) -> Iterator[FieldError]:
    """Yield the errors of a plural and its singular; `first` is the first of the plural, `None` if it is empty."""
    if first is None or first == singular:
        return
    place = path.child(plural_name)
    if singular:
        yield invalid(place, first, f"first value must match `{name}`")
    else:
        yield invalid(place, first, f"must be empty when `{name}` is not specified")


def by_position(
    items: Sequence[T] | None, old: Sequence[T] | None
) -> Sequence[T | None]:
    """Return the old elements that are paired with those of a list without identity; none if their number changed."""
    count = len(items or ())
    return old if old is not None and len(old) == count else [None] * count
