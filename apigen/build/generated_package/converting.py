"""Convert the objects of an input to another version, with the warnings of an API server."""

from __future__ import annotations

import traceback
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from apigen.build.generated_package.formats import Format
from apigen.build.generated_package.package import Features, NotImportable, Scheme, import_scheme
from apigen.dataclass import dataclass, field
from apigen.diagnostics import Place, Report
from apigen.diagnostics.model import shown_path
from apigen.diagnostics.suggest import did_you_mean
from apigen.language.configuration import Config

T = TypeVar("T")

STORAGE = "storage"
"""Denotes the version in which a kind is stored."""

JSON_INDENT = 4


@dataclass(frozen=True, slots=True)
class Input:
    """Objects as they were read. `name` is that of their file in messages."""

    name: str
    data: bytes
    format: Format


@dataclass(frozen=True, slots=True)
class ConversionRequest:
    """The options of a conversion. `release` is that of the API server to emulate, `series` those of other series.

    Omitted releases are those that the generated package emulates by default.
    """

    to: str
    format: Format
    release: str | None = None
    series: Mapping[str, str] = field(default_factory=dict)
    default: bool = True
    unknown: str = "warn"


@dataclass(frozen=True, slots=True)
class Converted:
    """The objects in their new versions, and the warnings of an API server, each once."""

    data: bytes
    warnings: tuple[str, ...]


def convert_objects(config: Config, source: Input, request: ConversionRequest, report: Report) -> Converted | None:
    """Convert all objects of an input to another version and format, in their order, with the package of a project.

    The documents of a stream and the items of a `List` are separate objects. The result is `None`, with diagnostics,
    if there is no generated package (AG0920), an object cannot be decoded (AG0922) or does not convert (AG0923).
    """
    try:
        scheme, api_error = import_scheme(config.output, config.package, config.handwritten)
    except NotImportable as error:
        _report_package(config, str(error), report)
        return None
    return _Run(scheme, api_error, config, source, report).convert(request)


class _Run:
    """The conversion of the objects of one input."""

    def __init__(
        self, scheme: Scheme, api_error: type[ValueError], config: Config, source: Input, report: Report
    ) -> None:
        self._scheme = scheme
        self._api_error = api_error
        self._config = config
        self._source = source
        self._report = report

    def convert(self, request: ConversionRequest) -> Converted | None:
        """Return the converted objects; None, with a diagnostic, if that fails."""
        features = self._features(request)
        if features is None:
            return None
        with warnings.catch_warnings(record=True) as noted:
            warnings.simplefilter("always")
            old = self._or_report("AG0922", lambda: self._decode(request, features))
            new = None if old is None else self._convert(old, request)
            indent = JSON_INDENT if request.format is Format.JSON else None
            data = None
            if new is not None:
                objects, media_type = new, request.format.media_type
                data = self._or_report("AG0923", lambda: self._scheme.encode_all(objects, media_type, indent=indent))
        if old is None or new is None or data is None:
            return None
        objects_before_and_after = [each for pair in zip(old, new, strict=True) for each in pair]
        deprecations = [self._scheme.deprecation_warning(each, features=features) for each in objects_before_and_after]
        words = [str(warning.message) for warning in noted]
        return Converted(data, tuple(dict.fromkeys([*filter(None, deprecations), *words])))

    def _convert(self, objects: Sequence[Any], request: ConversionRequest) -> list[Any] | None:
        converted: list[Any] = []
        for number, obj in enumerate(objects, 1):
            prefix = f"object {number}: " if len(objects) > 1 else ""
            new = self._or_report("AG0923", partial(self._convert_one, obj, request.to), prefix)
            if new is None:
                return None
            converted.append(new)
        return converted

    def _convert_one(self, obj: Any, to: str) -> Any:
        target = self._target(obj, to)
        try:
            return self._scheme.convert(obj, target)
        except self._api_error as error:
            suggestion = did_you_mean(target, self._scheme.versions(type(obj)))
            if suggestion is None or target in suggestion:
                raise
            raise self._api_error("", f"{error}; {suggestion}") from None

    def _features(self, request: ConversionRequest) -> Features | None:
        """Return the gates of the requested releases; None, with a diagnostic, if the package has no such series."""
        try:
            return self._scheme.features(request.release, series=request.series)
        except self._api_error as error:
            self._report.error("AG0902", Place("command line"), f"`--release`: {error}")
            return None

    def _decode(self, request: ConversionRequest, features: Features) -> list[Any]:
        source = self._source
        found = self._scheme.decode_all(
            source.data, source.format.media_type, default=request.default, unknown=request.unknown, features=features
        )
        objects = list(found)
        if not objects:
            raise self._api_error("", "the input contains no object")
        return objects

    def _target(self, obj: Any, to: str) -> str:
        """Return the `group/version` for a version alone, or for `storage`."""
        group, slash, _ = obj.api_version.rpartition("/")
        if to != STORAGE:
            return to if "/" in to else f"{group}{slash}{to}"
        stored = self._scheme.storage_version(type(obj))
        if stored is None:
            raise self._api_error("", f"{obj.kind} has no storage version; pass a version")
        return stored

    def _or_report(self, code: str, action: Callable[[], T], prefix: str = "") -> T | None:
        """Return the result of the generated package or a hand-written function; report an error that it raises.

        `prefix` names the object, if there are several.
        """
        try:
            return action()
        except self._api_error as error:
            self._report.error(code, Place(self._source.name), f"{prefix}{error}")
        except (ImportError, SyntaxError) as error:  # versions are imported when they are first used
            _report_package(self._config, f"the generated package cannot be imported: {error}", self._report)
        except Exception as error:
            place = self._hand_written_place(error)
            if place is None:
                raise
            self._report.error(
                code, place, f"{prefix}this hand-written function failed: {type(error).__name__}: {error}"
            )
        return None

    def _hand_written_place(self, error: Exception) -> Place | None:
        """Return the last line of a hand-written function in the traceback of an error."""
        folder = self._config.handwritten
        for frame in reversed(traceback.extract_tb(error.__traceback__)):
            path = Path(frame.filename)
            if path.is_relative_to(folder):
                return Place(shown_path(path), frame.lineno or 0, (frame.colno or 0) + 1)
        return None


def _report_package(config: Config, message: str, report: Report) -> None:
    place = Place(shown_path(config.output))
    report.error("AG0920", place, message, hint="run `apigen generate` first, or pass `--output`")
