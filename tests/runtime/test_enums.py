"""Enums whose members are made when they are first used are, from then on, enums of the standard library."""

from __future__ import annotations

import copy
import enum
import pickle
import threading
from collections.abc import Callable

import pytest

from apigen.runtime.enums import StrEnum

ASKED: tuple[tuple[str, Callable[[type[enum.StrEnum]], object]], ...] = (
    ("members", lambda e: list(e)),
    ("backwards", lambda e: list(reversed(e))),
    ("how many", lambda e: len(e)),
    ("by name", lambda e: e["RED"]),
    ("by a name that it has not", lambda e: e["BLUE"]),
    ("by value", lambda e: e("Red")),
    ("by text that is no value", lambda e: e("Blue")),
    ("by no text", lambda e: e(3)),  # type: ignore[arg-type]
    ("attribute", lambda e: e.RED),  # type: ignore[attr-defined]
    ("no attribute", lambda e: e.BLUE),  # type: ignore[attr-defined]
    ("mapping", lambda e: dict(e.__members__)),
    ("what it is called", lambda e: (e.__name__, e.__qualname__, e.__module__, e.__doc__)),
    ("text", lambda e: (str(e), f"{e('Red')}", repr(e("Red")))),
    ("contents", lambda e: sorted(vars(e))),
    ("directory", lambda e: dir(e)),
    ("truth", lambda e: bool(e)),
    ("set", lambda e: setattr(e, "RED", 1)),
    ("deleted", lambda e: delattr(e, "RED")),
    ("is in", lambda e: e("Red") in e),
    ("alternatives", lambda e: str(e | None)),
    ("bases", lambda e: [base.__name__ for base in e.__mro__]),
)


def late() -> type[enum.StrEnum]:
    class Colour(StrEnum):
        """What it looks like."""

        __qualname__ = "Colour"

        RED = "Red"
        """Like blood."""

        GREEN = "Green"

        @classmethod
        def _missing_(cls, value: object) -> Colour | None:
            return cls.GREEN if isinstance(value, str) else None

    return Colour


def early() -> type[enum.StrEnum]:
    class Colour(enum.StrEnum):
        """What it looks like."""

        __qualname__ = "Colour"

        RED = "Red"
        """Like blood."""

        GREEN = "Green"

        @classmethod
        def _missing_(cls, value: object) -> Colour | None:
            return cls.GREEN if isinstance(value, str) else None

    return Colour


def answer(ask: Callable[[type[enum.StrEnum]], object], of: type[enum.StrEnum]) -> str:
    try:
        return repr(ask(of))
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        return repr(error)


@pytest.mark.parametrize("ask", [ask for _, ask in ASKED], ids=[name for name, _ in ASKED])
def test_first_use_returns_the_same_result(ask: Callable[[type[enum.StrEnum]], object]) -> None:
    colour = late()
    assert answer(ask, colour) == answer(ask, early()) == answer(ask, colour)


class Size(StrEnum):
    SMALL = "Small"
    LARGE = "Large"


def test_type_is_enum_type() -> None:
    colour = late()
    assert isinstance(colour, enum.EnumType) and issubclass(colour, enum.StrEnum)
    red = colour("Red")
    assert type(colour) is enum.EnumType
    assert type(red) is colour and isinstance(red, str) and red is colour["RED"] and red == "Red"


def test_members_are_pickled_and_copied_as_themselves() -> None:
    assert pickle.loads(pickle.dumps(Size)) is Size
    assert pickle.loads(pickle.dumps(Size.LARGE)) is Size.LARGE is copy.deepcopy(Size.LARGE)


def test_unused_enum_cannot_be_subclassed() -> None:
    colour = late()
    with pytest.raises(TypeError, match="cannot extend"):

        class More(colour):  # type: ignore[misc, valid-type]
            BLUE = "Blue"


def test_concurrent_first_use_returns_the_same_members() -> None:
    for _ in range(20):
        colour, barrier, found = late(), threading.Barrier(8), list[int]()

        def use(colour: type[enum.StrEnum] = colour, barrier: threading.Barrier = barrier) -> None:
            barrier.wait()
            found.append(id(colour("Red")))  # noqa: B023

        threads = [threading.Thread(target=use) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(found) == 8 and set(found) == {id(colour["RED"])}
