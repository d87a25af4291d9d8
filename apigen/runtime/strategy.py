"""What an API server does to an object between decoding and storing it: the generated steps of one kind, bundled."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from .dataclasses import dataclass
from .errors import ApiError
from .features import Features
from .field_paths import FieldPath
from .generics import Generic, TypeVar
from .validation import FieldError

T = TypeVar("T")

PrepareForCreate = Callable[[T, Features], "list[Dropped]"]
PrepareForUpdate = Callable[[T, T, Features], "list[Dropped]"]
Check = Callable[[T, "T | None", Features], list[FieldError]]
FromRequest = Callable[[object, "T | None"], "tuple[T, list[FieldError]]"]
Hook = Callable[[object, "T | None", T], None]
"""What a server adds to an operation: it gets its own context, the old object (None on a creation) and the new one."""

_WRAP = 1 << 63


class StrategyError(ApiError):
    """A strategy cannot be used like this."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """Data that was taken out of an object, because the gate that it needs is off: a warning for the user."""

    path: str
    gate: str
    reason: str = ""

    def __str__(self) -> str:
        return f"{self.path}: dropped because {self.reason or f'the {self.gate} feature is disabled'}"


class Strategy(Generic[T]):
    """The steps of a kind, or of one of its subresources, on hub objects.

    A server calls `prepare_for_create` or `prepare_for_update`, then `validate` or `validate_update`, then stores. What
    needs a clock, the requester or arithmetic is added by `hook`, for the operations that the kind's specs name.
    """

    def __init__(
        self,
        kind: str,
        *,
        update: PrepareForUpdate[T],
        check: Check[T],
        create: PrepareForCreate[T] | None = None,
        subresource: str = "",
        hooks: Iterable[str] = (),
    ) -> None:
        self.kind = kind
        self.subresource = subresource
        self.operations = tuple(hooks)
        self._create = create
        self._update = update
        self._check = check
        self._hooks: dict[str, list[Hook[T]]] = {}
        self._from_request: FromRequest[T] | None = None

    def from_request(
        self, obj: object, old: T | None = None
    ) -> tuple[T, list[FieldError]]:
        """What a request means: the hub object, and where the request contradicts itself.

        `obj` is the request as it came, defaulted, in any version (after a patch: the patched object), `old` the stored
        object on an update. It is conversion to the hub, but for fields that became plural (`hub: names[0]`): there
        an older client knows the singular only, and cannot send back a plural that it does not know. Neither object is
        changed. Raises ConversionError, and StrategyError for a strategy that no scheme made.
        """
        if self._from_request is None:
            raise StrategyError("", "requests are read by strategies of a scheme only")
        return self._from_request(obj, old)

    def read_requests_by(self, from_request: FromRequest[T]) -> None:
        """Say how requests become hub objects; called by the scheme."""
        self._from_request = from_request

    def prepare_for_create(
        self, obj: T, *, features: Features, context: object = None
    ) -> list[Dropped]:
        """Make a new object ready to be stored, in place; returns what was dropped from it."""
        if self._create is None:
            raise StrategyError(
                "", f"{self.kind}/{self.subresource} cannot be created, only updated"
            )
        dropped = self._create(obj, features)
        self._run("create", context, None, obj)
        return dropped

    def prepare_for_update(
        self, obj: T, old: T, *, features: Features, context: object = None
    ) -> list[Dropped]:
        """Make the new state of an object ready to be stored, in place; `old` is never changed. Returns what was dropped."""
        dropped = self._update(obj, old, features)
        self._run(self.subresource or "update", context, old, obj)
        return dropped

    def validate(self, obj: T, *, features: Features) -> list[FieldError]:
        """Everything that is wrong with a new object."""
        return self._check(obj, None, features)

    def validate_update(
        self, obj: T, old: T, *, features: Features
    ) -> list[FieldError]:
        """Everything that is wrong with a change. What `old` has unchanged is not judged again."""
        return self._check(obj, old, features)

    def hook(self, operation: str) -> Callable[[Hook[T]], Hook[T]]:
        """Run the decorated function after the generated steps of `operation`: `hook(context, old, new)`.

        StrategyError for an operation that the kind's specs do not name in `hooks:`.
        """
        if operation not in self.operations:
            from difflib import get_close_matches

            near = get_close_matches(operation, self.operations, n=1)
            hint = (
                f", did you mean {near[0]}?"
                if near
                else f"; it has {', '.join(self.operations) or 'none'}"
            )
            raise StrategyError("", f"{self.kind} has no hook for {operation!r}{hint}")

        def register(function: Hook[T]) -> Hook[T]:
            self._hooks.setdefault(operation, []).append(function)
            return function

        return register

    def _run(self, operation: str, context: object, old: T | None, obj: T) -> None:
        for function in self._hooks.get(operation, ()):
            function(context, old, obj)


def same_place(items: Sequence[T] | None, index: int) -> T | None:
    """The element that the old list has at an index, if it has one."""
    return items[index] if items is not None and index < len(items) else None


def same_key(items: Mapping[str, T] | None, key: str) -> T | None:
    """The value that the old map has for a key, if it has one."""
    return items.get(key) if items is not None else None


def note(dropped: list[Dropped], path: FieldPath, gate: str, reason: str = "") -> None:
    """Remember what was taken out of an object."""
    dropped.append(Dropped(str(path), gate, reason))


def next_generation(generation: int) -> int:
    """The generation after this one, wrapping round as an int64 does."""
    return (generation + 1 + _WRAP) % (2 * _WRAP) - _WRAP
