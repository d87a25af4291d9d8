"""The strategy of a kind: the generated steps of an API server between decoding an object and storing it."""

from __future__ import annotations

from functools import partial

from .dataclasses import dataclass
from .errors import ApiError, SchemeError, class_name, describe
from .field_paths import ROOT
from .kinds import HUB, HubKind

TYPE_CHECKING = False  # True for type checkers, which alone need `typing`
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any, Generic, TypeAlias, TypeVar

    from .conversion_ways import Converter
    from .features import Features
    from .field_paths import FieldPath
    from .kinds import KindTable
    from .validation import FieldError

    R = TypeVar("R")
    T = TypeVar("T")
    PrepareForCreate: TypeAlias = Callable[[T, Features], "list[Dropped]"]
    PrepareForUpdate: TypeAlias = Callable[[T, T, Features], "list[Dropped]"]
    Check: TypeAlias = Callable[[T, T | None, Features], list[FieldError]]
    FromRequest: TypeAlias = Callable[[object, T | None], "tuple[T, list[FieldError]]"]
    Hook: TypeAlias = Callable[[object, T | None, T], None]
    """A function that a server adds to an operation: it gets the server's context, the old object (None on a creation)
    and the new one."""
else:
    T = object

    class Generic:
        """Base of a class that may be written with a type in brackets. Importing `typing` for it would cost as much as
        some hundred classes.
        """

        __slots__ = ()

        def __class_getitem__(cls, item: object) -> object:
            return cls if cls is Generic else type(list[int])(cls, item)


_WRAP = 1 << 63


class StrategyError(ApiError):
    """A strategy cannot be used like this."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """A field that was dropped from an object because its gate is disabled: a warning for the user."""

    path: str
    gate: str
    reason: str = ""

    def __str__(self) -> str:
        return f"{self.path}: dropped because {self.reason or f'the {self.gate} feature is disabled'}"


class Strategy(Generic[T]):
    """The steps of a kind, or of one of its subresources, on hub objects.

    A server calls `prepare_for_create` or `prepare_for_update`, then `validate` or `validate_update`, then stores. Steps
    that need a clock, the requester or arithmetic are added by `hook`, for the operations that the kind's specs declare.
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
        self._classes: tuple[type[T], ...] = ()

    @classmethod
    def of_versions(cls, parts: Mapping[type[T], Strategy[T]]) -> Strategy[T]:
        """Return the strategy of a kind whose versions have no common hub: each object is handled by its own version.

        `parts` are the strategies of the versions, by the class of their objects.
        """

        def of(obj: T) -> Strategy[T]:
            return next(part for kind, part in parts.items() if isinstance(obj, kind))

        def create(obj: T, features: Features) -> list[Dropped]:
            step = of(obj)._create
            assert step is not None  # a subresource is one in all versions
            return step(obj, features)

        first = next(iter(parts.values()))
        strategy = cls(
            first.kind,
            create=None if first._create is None else create,
            update=lambda obj, old, features: of(obj)._update(obj, old, features),
            check=lambda obj, old, features: of(obj)._check(obj, old, features),
            subresource=first.subresource,
            hooks=dict.fromkeys(
                name for part in parts.values() for name in part.operations
            ),
        )
        strategy.take_objects_of(*parts)
        return strategy

    def from_request(
        self, obj: object, old: T | None = None
    ) -> tuple[T, list[FieldError]]:
        """Return the hub object of a request, and errors if the request is contradictory.

        `obj` is the defaulted object of the request, in any version (after a patch: the patched object), `old` the stored
        object on an update. It is the conversion to the hub, except for fields that became plural (`hub: names[0]`):
        older clients only know the singular, and cannot send the plural back. Neither object is
        changed. Raises ConversionError, and StrategyError for a strategy that no scheme made.
        """
        if self._from_request is None:
            raise StrategyError("", "requests are read by strategies of a scheme only")
        if old is not None:
            self._check_class(old)
        return self._from_request(obj, old)

    def read_requests_by(self, from_request: FromRequest[T]) -> None:
        """Set the function that reads requests into hub objects; called by the scheme."""
        self._from_request = from_request

    def take_objects_of(self, *classes: type[T]) -> None:
        """Reject objects of other classes from now on, with SchemeError; called by the scheme."""
        self._classes = classes

    def _check_class(self, *objects: T) -> None:
        classes = self._classes
        if not classes:
            return
        for obj in objects:
            if isinstance(obj, classes):
                continue
            description = f"an object of {class_name(type(obj))}"
            if type(obj).__module__ == "builtins":
                description = describe(obj)
            elif any(type(obj).__name__ == cls.__name__ for cls in classes):
                description += (
                    '; convert it to the hub first: `scheme.convert(obj, "hub")`'
                )
            names = " or ".join(map(class_name, classes))
            raise SchemeError(
                "",
                f"the strategy of {self.kind} takes objects of {names}, found {description}",
            )
        if any(all(isinstance(obj, cls) for obj in objects) for cls in classes):
            return
        names = " and ".join(class_name(type(obj)) for obj in objects)
        raise SchemeError(
            "",
            f"{self.kind} has no hub, and its strategy compares objects of one version, found {names}",
        )

    def prepare_for_create(
        self, obj: T, *, features: Features, context: object = None
    ) -> list[Dropped]:
        """Prepare a new object for storage, in place; return the dropped data."""
        if self._create is None:
            raise StrategyError(
                "", f"{self.kind}/{self.subresource} cannot be created, only updated"
            )
        self._check_class(obj)
        dropped = _run_generated(partial(self._create, obj, features), obj)
        self._run("create", context, None, obj)
        return dropped

    def prepare_for_update(
        self, obj: T, old: T, *, features: Features, context: object = None
    ) -> list[Dropped]:
        """Prepare the new state of an object for storage, in place; `old` is never changed. Return the dropped data."""
        self._check_class(obj, old)
        dropped = _run_generated(partial(self._update, obj, old, features), obj, old)
        self._run(self.subresource or "update", context, old, obj)
        return dropped

    def validate(self, obj: T, *, features: Features) -> list[FieldError]:
        """Everything that is wrong with a new object."""
        self._check_class(obj)
        return _run_generated(partial(self._check, obj, None, features), obj)

    def validate_update(
        self, obj: T, old: T, *, features: Features
    ) -> list[FieldError]:
        """Return all errors of a change. Values unchanged from `old` are not validated again."""
        self._check_class(obj, old)
        return _run_generated(partial(self._check, obj, old, features), obj, old)

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


def _run_generated(step: Callable[[], R], *objects: object) -> R:
    """Return the result of a generated step. Raises ApiError with the path of the part of an object that stops it."""
    try:
        return step()
    except Exception as error:
        from .checking import raise_for_part

        raise_for_part(error, ApiError, *objects)
        raise


def same_place(items: Sequence[T] | None, index: int) -> T | None:
    """The element that the old list has at an index, if it has one."""
    return items[index] if items is not None and index < len(items) else None


def same_key(items: Mapping[str, T] | None, key: str) -> T | None:
    """The value that the old map has for a key, if it has one."""
    return items.get(key) if items is not None else None


def note(dropped: list[Dropped], path: FieldPath, gate: str, reason: str = "") -> None:
    """Record a value that was dropped from an object."""
    dropped.append(Dropped(str(path), gate, reason))


def next_generation(generation: int) -> int:
    """The generation after this one, wrapping round as an int64 does."""
    return (generation + 1 + _WRAP) % (2 * _WRAP) - _WRAP


def strategy_of_kind(
    scheme: Converter, kinds: KindTable, hubs: Sequence[HubKind], subresource: str
) -> Strategy[Any]:
    """Return the strategy for hub objects of a kind, or of its subresource.

    `hubs` are the hubs of the versions of the kind: one if they share a hub, each version itself without a hub.
    """
    if len(hubs) == 1:
        return _strategy_of_hub(scheme, kinds, hubs[0], subresource)
    parts = {hub.key: _strategy_of_hub(scheme, kinds, hub, subresource) for hub in hubs}

    def from_request(obj: object, old: object) -> tuple[Any, list[FieldError]]:
        part = parts.get(kinds.hub_key(kinds.place(obj)), parts[hubs[0].key])
        return part.from_request(obj, old)

    strategy = Strategy.of_versions(
        {_hub_class(kinds, hub): parts[hub.key] for hub in hubs}
    )
    strategy.read_requests_by(from_request)
    return strategy


def _hub_class(kinds: KindTable, hub: HubKind) -> type[Any]:
    cls: type[Any] = getattr(kinds.module(hub, "types"), hub.kind)
    return cls


def _strategy_of_hub(
    scheme: Converter, kinds: KindTable, hub: HubKind, subresource: str
) -> Strategy[Any]:
    suffix = f"_for_{subresource}" if subresource else ""
    make = getattr(kinds.module(hub, "strategies"), f"{hub.functions}_strategy{suffix}")
    strategy: Strategy[Any] = make()
    strategy.take_objects_of(_hub_class(kinds, hub))
    strategy.read_requests_by(
        lambda obj, old: _from_request(scheme, kinds, hub, suffix, obj, old)
    )
    return strategy


def _from_request(
    scheme: Converter,
    kinds: KindTable,
    hub: HubKind,
    suffix: str,
    obj: object,
    old: object,
) -> tuple[Any, list[FieldError]]:
    """Return the hub object of a request; parts that the subresource does not write are only converted."""
    entry = kinds.place(obj)
    if kinds.hub_key(entry) != hub.key:
        raise SchemeError(
            "", f"expected a {hub.kind}, found an object of {class_name(type(obj))}"
        )
    if isinstance(entry, HubKind) or not entry.has_singulars:
        return scheme.convert(obj, HUB), []
    module = kinds.module(entry, "singulars")
    errors: list[FieldError] = []
    normalize = getattr(module, f"normalize_{entry.functions}{suffix}", None)
    if normalize is not None:
        before = None
        if old is not None:
            before = scheme.convert(old, entry.api_version)
        obj = scheme.copy(obj)
        normalize(obj, before, ROOT, errors)
    found = scheme.convert(obj, HUB)
    restore = getattr(module, f"restore_{entry.functions}{suffix}", None)
    if restore is not None and old is not None:
        restore(found, scheme.copy(old))
    return found, errors
