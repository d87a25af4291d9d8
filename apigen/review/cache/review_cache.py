"""Cache of surfaces and reviews, with a hash of all their inputs as key."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from apigen.dataclass import replace
from apigen.diagnostics import Place, Report
from apigen.files import packing
from apigen.files.cache import Cache, cache_key
from apigen.files.packing import DamagedError
from apigen.review.finding import Review
from apigen.review.surface import TypeDef, Version


def pack(value: object) -> bytes:
    """Return a value of the review model as bytes; its surfaces are packed version by version."""
    return packing.pack(value, _SurfacePacker)


def unpack(data: bytes) -> Any:
    """Return the packed value. Raises DamagedError for other data; the caller checks the class."""
    return packing.unpack(data, _SurfaceUnpacker)


class PackedTypes(Mapping[str, TypeDef]):
    """Types of a version, by name, unpacked on the first lookup.

    A cached review reads only a few versions.
    """

    __slots__ = ("_packed", "_types")

    def __init__(self, packed: bytes) -> None:
        self._packed = packed
        self._types: dict[str, TypeDef] | None = None

    def __getitem__(self, name: str) -> TypeDef:
        return self._found()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found())

    def __len__(self) -> int:
        return len(self._found())

    def _found(self) -> dict[str, TypeDef]:
        if self._types is None:
            found = unpack(self._packed)
            if not isinstance(found, dict):
                raise DamagedError("no types")
            self._types = found
        return self._types


class _SurfacePacker(packing.Packer):
    """Packs surfaces so that each version's types can be read for themselves."""

    def persistent_id(self, value: object) -> tuple[bytes, bytes] | None:
        """A version is packed as the bytes of its types and those of the rest."""
        if type(value) is not Version:
            return None
        return packing.pack(dict(value.types)), packing.pack(replace(value, types={}))


class _SurfaceUnpacker(packing.Unpacker):
    """Reads the types of a version on first use."""

    def persistent_load(self, id_: Any) -> Version:
        """Return a version whose types are read on first use."""
        types, bare = id_
        version = unpack(bare)
        if not isinstance(version, Version):
            raise DamagedError("no version")
        return replace(version, types=PackedTypes(types))


CACHE_BYTES = 128 * 1024 * 1024
"""Maximum size of all entries together; the least recently used are evicted first."""

Parts = tuple[str | bytes, ...] | None
"""All inputs of a review; `None` if they are unknown."""


def kept_review(
    folder: Path, report: Report, make: Callable[[], Review | None], parts: Callable[[], Parts]
) -> Review | None:
    """Return the cached review of `parts`, or the result of `make`, which is cached unless it is `None`.

    Without parts, the review is computed and not cached. Diagnostics of `make` are reported only when it runs, so a review
    with errors or warnings is not cached. Nor is one computed while files changed, because it may mix old and new contents.
    A damaged entry is computed again, with the warning AG1408 in `report`. Several runs may use the folder at the same
    time, and it may be deleted at any time.
    """

    def warn(text: str) -> None:
        report.warning("AG1408", Place(str(folder)), text)

    def reported() -> int:
        return sum(each.code != "AG1408" for each in report.diagnostics)

    cache, inputs = Cache(folder / "reviews", warn), parts()
    key = None if inputs is None else cache_key("compat", Review.__name__, *inputs)
    packed = None if key is None else cache.get(key)
    if packed is not None:
        try:
            found = unpack(packed)
            if isinstance(found, Review):
                return found
        except DamagedError:
            warn("a kept review cannot be read and is computed again")
    before = reported()
    computed = make()
    if key is not None and computed is not None and reported() == before and parts() == inputs:
        cache.put(key, pack(_without_schemas(computed)))
        cache.trim(CACHE_BYTES)
    return computed


def _without_schemas(review: Review) -> Review:
    """Return the review without the schemas of both sides, which rules and the search for objects read, and reports do not."""
    old, new = (replace(side, schemas={}) for side in (review.old, review.new))
    return replace(review, old=old, new=new)
