"""`Generic` and `TypeVar` for classes that only type checkers must know as generic, without importing `typing`.

That would cost an import as much as some hundred classes. Type checkers see the standard library's own.
"""

from __future__ import annotations

__all__ = ["Generic", "TypeVar"]

TYPE_CHECKING = False  # as type checkers know the name
if TYPE_CHECKING:
    from typing import Generic as Generic
    from typing import TypeVar as TypeVar
else:

    class TypeVar:
        """A variable, by its name."""

        __slots__ = ("__name__",)

        def __init__(self, name: str) -> None:
            self.__name__ = name

        def __repr__(self) -> str:
            return f"~{self.__name__}"

    class Generic:
        """Base of classes that may be written with a type in brackets."""

        __slots__ = ()

        def __class_getitem__(cls, item: object) -> object:
            return cls if cls is Generic else type(list[int])(cls, item)
