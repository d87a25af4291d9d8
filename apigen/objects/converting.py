"""Converts one object to another version, with the warnings of an API server that is asked to."""

from __future__ import annotations

import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from apigen.dataclass import dataclass
from apigen.diagnostics import Place, Report
from apigen.objects.formats import Format
from apigen.objects.package import NotImportable, Scheme, import_scheme

T = TypeVar("T")

STORAGE = "storage"
"""What stands for the version in which a kind is stored."""

JSON_INDENT = 4


@dataclass(frozen=True, slots=True)
class Where:
    """Where the generated package and the hand-written functions are, and what an input is called."""

    output: Path
    package: str
    handwritten: Path
    shown_from: Path


@dataclass(frozen=True, slots=True)
class Input:
    """An object as it was read. `name` is that of its file as shown to people."""

    name: str
    data: bytes
    format: Format


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to become of an object. `release` is that of the API server to imitate; None is any."""

    to: str
    format: Format
    release: str | None = None
    default: bool = True
    unknown: str = "warn"


@dataclass(frozen=True, slots=True)
class Converted:
    """An object in its new version, and what an API server says to its user."""

    data: bytes
    warnings: tuple[str, ...]


def convert_object(where: Where, source: Input, wanted: Wanted, report: Report) -> Converted | None:
    """The object in another version and format.

    None, with diagnostics, if there is no generated package (AG0920), the object is not of its version (AG0922) or does
    not convert (AG0923).
    """
    try:
        scheme, api_error = import_scheme(where.output, where.package, where.handwritten)
    except NotImportable as error:
        _report_package(where, str(error), report)
        return None
    return _Run(scheme, api_error, where, source, report).convert(wanted)


class _Run:
    """The conversion of one object."""

    def __init__(
        self, scheme: Scheme, api_error: type[ValueError], where: Where, source: Input, report: Report
    ) -> None:
        self._scheme = scheme
        self._api_error = api_error
        self._where = where
        self._source = source
        self._report = report

    def convert(self, wanted: Wanted) -> Converted | None:
        """The object as it is wanted; None, with a diagnostic, if that fails."""
        with warnings.catch_warnings(record=True) as noted:
            warnings.simplefilter("always")
            obj = self._or_report("AG0922", lambda: self._decode(wanted))
            new = None if obj is None else self._or_report("AG0923", lambda: self._convert(obj, wanted))
        if new is None:
            return None
        result, data = new
        said = [self._scheme.deprecation_warning(each, wanted.release) for each in (obj, result)]
        words = [str(warning.message) for warning in noted]
        return Converted(data, tuple(dict.fromkeys([*filter(None, said), *words])))

    def _convert(self, obj: Any, wanted: Wanted) -> tuple[Any, bytes]:
        result = self._scheme.convert(obj, self._target(obj, wanted.to))
        indent = JSON_INDENT if wanted.format is Format.JSON else None
        return result, self._scheme.encode(result, wanted.format.media_type, indent=indent)

    def _decode(self, wanted: Wanted) -> Any:
        source, features = self._source, self._scheme.features(wanted.release)
        return self._scheme.decode(
            source.data, source.format.media_type, default=wanted.default, unknown=wanted.unknown, features=features
        )

    def _target(self, obj: Any, to: str) -> str:
        """The `group/version` that is meant by a version alone, or by `storage`."""
        group, slash, _ = obj.api_version.rpartition("/")
        if to != STORAGE:
            return to if "/" in to else f"{group}{slash}{to}"
        kind = obj.kind if obj.kind in self._scheme.kinds() else f"{obj.kind}.{group}"
        stored = self._scheme.storage_version(kind)
        if stored is None:
            raise self._api_error("", f"{kind} has no version in which it is stored: say which one")
        return stored

    def _or_report(self, code: str, action: Callable[[], T]) -> T | None:
        """What the generated package or a hand-written function returns; what it raises becomes a diagnostic."""
        try:
            return action()
        except self._api_error as error:
            self._report.error(code, Place(self._source.name), str(error))
        except (ImportError, SyntaxError) as error:  # versions are imported when they are first used
            _report_package(self._where, f"the generated package cannot be imported: {error}", self._report)
        except Exception as error:
            place = self._hand_written_place(error)
            if place is None:
                raise
            self._report.error(code, place, f"this hand-written function failed: {type(error).__name__}: {error}")
        return None

    def _hand_written_place(self, error: Exception) -> Place | None:
        """The last line of a hand-written function through which an error came."""
        folder = self._where.handwritten
        for frame in reversed(traceback.extract_tb(error.__traceback__)):
            path = Path(frame.filename)
            if path.is_relative_to(folder):
                return Place(_shown(path, self._where.shown_from), frame.lineno or 0, (frame.colno or 0) + 1)
        return None


def _report_package(where: Where, message: str, report: Report) -> None:
    place = Place(_shown(where.output, where.shown_from))
    report.error("AG0920", place, message, hint="run `apigen generate` first, or say `--output`")


def _shown(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.as_posix()
