"""What a trial uses of generated packages."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Protocol, cast


class Features(Protocol):
    """Feature gates of a release."""

    def set(self, name: str, value: bool) -> object:
        """Switch a gate. Raises the errors of the package where that is not possible."""


class Strategy(Protocol):
    """What a server does to objects of a kind before it stores them."""

    def from_request(self, obj: object, old: object | None = None) -> tuple[object, Sequence[object]]:
        """The hub object that a request means, and what is wrong with the request."""
        ...

    def prepare_for_create(self, obj: object, *, features: Features) -> Sequence[object]:
        """Make a new object ready; returns what was dropped."""
        ...

    def prepare_for_update(self, obj: object, old: object, *, features: Features) -> Sequence[object]:
        """Make a new state ready; returns what was dropped."""
        ...

    def validate(self, obj: object, *, features: Features) -> Sequence[object]:
        """What is wrong with a new object."""
        ...

    def validate_update(self, obj: object, old: object, *, features: Features) -> Sequence[object]:
        """What is wrong with a change."""
        ...


class Scheme(Protocol):
    """The functions of a generated package's scheme."""

    def decode(
        self,
        data: bytes,
        media_type: str,
        *,
        default: bool = True,
        unknown: str = "ignore",
        features: Features | None = None,
    ) -> object:
        """The object that bytes hold."""

    def encode(self, obj: object, media_type: str) -> bytes:
        """The bytes of an object."""
        ...

    def convert(self, obj: object, to: str) -> object:
        """An object in another version, or as `hub`."""
        ...

    def copy(self, obj: object) -> object:
        """A deep copy."""
        ...

    def equal(self, a: object, b: object) -> bool:
        """Whether two objects mean the same."""
        ...

    def kinds(self) -> tuple[str, ...]:
        """The kinds."""
        ...

    def versions(self, kind: str) -> tuple[str, ...]:
        """The versions of a kind."""
        ...

    def served_versions(self, kind: str, release: str | None = None) -> tuple[str, ...]:
        """Those that are served in a release."""
        ...

    def storage_version(self, kind: str, *, features: Features | None = None) -> str | None:
        """The version in which a kind is stored."""
        ...

    def features(self, release: str | None = None) -> Features:
        """The gates of a release."""
        ...

    def strategy(self, kind: str, subresource: str = "") -> Strategy:
        """The strategy of a kind."""
        ...


def load_scheme(package: str) -> tuple[Scheme, type[Exception]]:
    """The scheme of an importable package, and the base of all errors that its code raises on bad input."""
    scheme = cast(Scheme, import_module(f"{package}.scheme"))
    errors = import_module(f"{package}.runtime.errors")
    return scheme, cast(type[Exception], errors.ApiError)
