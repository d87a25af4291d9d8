"""Import a generated package from its folder, independent of `sys.path`, and no other modules of that folder."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol, cast


class Features(Protocol):
    """Feature gates as of a release."""


class Scheme(Protocol):
    """The methods of a generated package's `scheme` that are used here."""

    def decode_all(
        self, data: bytes, media_type: str, *, default: bool, unknown: str, features: Features | None
    ) -> Iterator[Any]:
        """Decode bytes to versioned objects."""
        ...

    def convert(self, obj: object, to: str) -> Any:
        """Convert an object to another version."""
        ...

    def encode_all(self, objects: Iterable[object], media_type: str, *, indent: int | None) -> bytes:
        """Encode versioned objects."""
        ...

    def versions(self, kind: type) -> tuple[str, ...]:
        """Return the versions of the kind of a class."""
        ...

    def storage_version(self, kind: type) -> str | None:
        """Return the version in which the kind of a class is stored."""
        ...

    def deprecation_warning(self, obj: object, *, features: Features | None) -> str | None:
        """Return the warning that an API server of a release sends to users of an object."""
        ...

    def features(self, release: str | None, *, series: Mapping[str, str]) -> Features:
        """Return the feature gates of a release, and of releases of other series."""
        ...


class NotImportable(Exception):
    """The generated package is missing or cannot be imported; the text is the reason."""


def import_scheme(output: Path, package: str, handwritten: Path) -> tuple[Scheme, type[ValueError]]:
    """Return the scheme of the package generated in `output`, and the class of the errors that it raises.

    Modules below `package` and below the hand-written folder are imported from there; `sys.path` is unchanged,
    so that no module next to them is treated as one of the standard library. Raises NotImportable.
    """
    if not (output / "scheme.py").is_file():
        raise NotImportable("no generated package in this folder")
    finder = _Finder({package: output, handwritten.name: handwritten})
    sys.meta_path.insert(0, finder)
    try:
        scheme = import_module(f"{package}.scheme")
        errors = import_module(f"{package}.runtime.errors")
    except Exception as error:  # the package is code, and may have been edited in any way
        raise NotImportable(f"the generated package cannot be imported: {type(error).__name__}: {error}") from error
    return cast(Scheme, scheme), cast("type[ValueError]", errors.ApiError)


class _Finder(MetaPathFinder):
    """Finder of some packages in given folders; their parent packages are empty."""

    def __init__(self, folders: Mapping[str, Path]) -> None:
        self._folders = folders

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None, /
    ) -> ModuleSpec | None:
        """Return the spec of a package in the generated code; None for other modules."""
        folder = self._folders.get(fullname)
        if folder is not None:
            return _package_spec(fullname, folder)
        if any(name.startswith(f"{fullname}.") for name in self._folders):
            return _namespace_spec(fullname, [])
        return None


def _package_spec(name: str, folder: Path) -> ModuleSpec | None:
    init = folder / "__init__.py"
    if not init.is_file():
        return _namespace_spec(name, [str(folder)])
    return spec_from_file_location(name, init, submodule_search_locations=[str(folder)])


def _namespace_spec(name: str, folders: list[str]) -> ModuleSpec:
    spec = ModuleSpec(name, None, is_package=True)
    spec.submodule_search_locations = folders
    return spec
