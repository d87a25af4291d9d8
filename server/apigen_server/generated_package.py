"""The generated package that is served, seen through the names that every generated package has."""

from __future__ import annotations

import importlib
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol

log = logging.getLogger(__name__)


class UnusablePackageError(Exception):
    """A package cannot be imported, or apigen did not generate it."""


class Features(Protocol):
    """The feature gates at a release."""

    def set_text(self, text: str) -> list[str]:
        """Set gates as `A=true,B=false`; returns warnings."""
        ...


class FieldError(Protocol):
    """An error that validation reports."""

    @property
    def type(self) -> str:
        """The reason of the status cause, such as `FieldValueRequired`."""
        ...

    @property
    def path(self) -> str:
        """The path of the field."""
        ...


class Dropped(Protocol):
    """A field that was dropped because its feature gate is disabled."""

    @property
    def path(self) -> str:
        """The path of the field."""
        ...

    @property
    def gate(self) -> str:
        """The name of the feature gate."""
        ...

    @property
    def reason(self) -> str:
        """The reason, if it is not that the gate is disabled."""
        ...


class Strategy(Protocol):
    """The steps of a kind, or of a subresource of it, on hub objects."""

    def from_request(self, obj: object, old: object | None = None) -> tuple[Any, list[FieldError]]:
        """Return the hub object of a request, and the errors of a request that contradicts itself."""
        ...

    def prepare_for_create(self, obj: Any, *, features: Features) -> list[Dropped]:
        """Prepare a new object for storage, in place."""
        ...

    def prepare_for_update(self, obj: Any, old: Any, *, features: Features) -> list[Dropped]:
        """Prepare the new state of an object for storage, in place."""
        ...

    def validate(self, obj: Any, *, features: Features) -> list[FieldError]:
        """Return the errors of a new object."""
        ...

    def validate_update(self, obj: Any, old: Any, *, features: Features) -> list[FieldError]:
        """Return the errors of an update; unchanged values are not validated."""
        ...


class Scheme(Protocol):
    """The module `scheme` of a generated package."""

    def decode(
        self,
        data: bytes | str | Mapping[str, object],
        media_type: str = ...,
        *,
        default: bool = ...,
        unknown: Literal["ignore", "warn", "error"] = ...,
        missing: Literal["ignore", "error"] = ...,
        features: Any = ...,
        errors: Literal["first", "all"] = ...,
    ) -> Any:
        """Decode an object."""
        ...

    def encode(self, obj: object) -> bytes:
        """Return the compact JSON of an object."""
        ...

    def to_dict(self, obj: object) -> dict[str, Any]:
        """Return the JSON values of an object."""
        ...

    def default(self, obj: object, *, features: Any = ...) -> None:
        """Set defaults, in place."""
        ...

    def convert(self, obj: object, to: str, *, share: bool = ..., context: object = ...) -> Any:
        """Convert an object to a version, or to the hub."""
        ...

    def warnings(self, obj: object, *, features: Any = ...) -> list[str]:
        """Return the warnings about deprecated versions, fields and values."""
        ...

    def features(self, release: str | None = ..., *, series: Mapping[str, str] | None = ...) -> Features:
        """Return the feature gates at a release."""
        ...

    def strategy(self, kind: tuple[str, str, str], subresource: str = ...) -> Strategy:
        """Return the strategy of a kind, or of its subresource."""
        ...

    def kinds(self) -> tuple[str, ...]:
        """Return the names of the kinds."""
        ...

    def versions(self, kind: str) -> tuple[str, ...]:
        """Return the versions of a kind, as `group/version`."""
        ...


@dataclass(frozen=True)
class GeneratedPackage:
    """A generated package: its scheme, and the classes of its errors and warnings."""

    name: str
    scheme: Scheme
    api_error: type[Exception]
    decode_error: type[Exception]
    scheme_error: type[Exception]
    unknown_field_warning: type[Warning]
    context_of: Callable[[Mapping[str, Any]], object] | None = None
    """Returns the context of the conversion of an object, which hand-written functions may take."""

    @classmethod
    def load(cls, name: str) -> GeneratedPackage:
        """Import a generated package by its dotted name. Raises UnusablePackageError."""
        try:
            scheme: Any = importlib.import_module(f"{name}.scheme")
            errors = importlib.import_module(f"{name}.runtime.errors")
            runtime_scheme = importlib.import_module(f"{name}.runtime.scheme")
        except ImportError as error:
            missing = error.name or ""
            if name == missing or name.startswith(f"{missing}."):
                raise UnusablePackageError(
                    f"package `{name}` not found; install it, or add its parent folder to PYTHONPATH"
                ) from None
            raise UnusablePackageError(f"package `{name}` cannot be used: {error}") from error
        return cls(
            name,
            scheme,
            errors.ApiError,
            errors.DecodeError,
            errors.SchemeError,
            runtime_scheme.UnknownFieldWarning,
        )

    def with_context(self, factory: str) -> GeneratedPackage:
        """Return the package with a function `module:name` that makes contexts. Raises UnusablePackageError."""
        module, _, name = factory.partition(":")
        try:
            found = getattr(importlib.import_module(module), name)
        except (ImportError, AttributeError, ValueError) as error:
            raise UnusablePackageError(f"conversion context `{factory}` cannot be used: {error}") from error
        if not callable(found):
            raise UnusablePackageError(f"conversion context `{factory}` is not a function")
        return replace(self, context_of=found)

    def convert(self, obj: object, to: str, sent: Mapping[str, Any], *, share: bool = False) -> Any:
        """Convert an object to a version, or to the hub, with the context for the JSON object `sent`."""
        if self.context_of is None:
            return self.scheme.convert(obj, to, share=share)
        return self.scheme.convert(obj, to, share=share, context=self.context_of(sent))

    def features(self, release: str | None, series: Mapping[str, str], gates: str) -> Features:
        """Return the feature gates of a release, with the settings `gates`. Raises UnusablePackageError."""
        try:
            features = self.scheme.features(release, series=series)
            for warning in features.set_text(gates):
                log.warning(warning)
        except self.api_error as error:
            raise UnusablePackageError(f"feature gates of package `{self.name}`: {error}") from None
        return features
