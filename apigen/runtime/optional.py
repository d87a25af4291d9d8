"""orjson, if it is installed. It is not imported by name, because type checkers would then require it everywhere."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # as type checkers know the name
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Protocol

    class Orjson(Protocol):
        """The part of orjson that is used."""

        JSONEncodeError: type[Exception]
        OPT_PASSTHROUGH_DATACLASS: int
        OPT_PASSTHROUGH_DATETIME: int

        def loads(self, text: bytes | str, /) -> object:
            """Parse JSON. Raises ValueError."""

        def dumps(
            self, value: object, default: Callable[[object], object], option: int, /
        ) -> bytes:
            """Write JSON. Raises JSONEncodeError."""
            ...

        def Fragment(self, text: str, /) -> object:  # noqa: N802
            """Return a value that `dumps` writes unchanged."""


def _find() -> Orjson | None:
    try:
        library: Any = import_module("orjson")
    except ImportError:
        return None
    found: Orjson = library
    return found if hasattr(found, "Fragment") else None  # older ones have none


orjson = _find()
