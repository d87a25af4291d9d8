"""Classes of `apigen.dataclass` are what the standard library would make of them."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Callable
from operator import ge, gt, le, lt
from typing import Any

import pytest

from apigen.dataclass import dataclass, field, replace

OPTIONS: tuple[dict[str, bool], ...] = (
    {"frozen": True, "slots": True},
    {"frozen": True, "slots": True, "order": True},
    {"frozen": True, "slots": True, "eq": False},
    {"frozen": True},
    {"slots": True},
    {},
)
BOTH = ((dataclass, field), (dataclasses.dataclass, dataclasses.field))


def point(decorator: Callable[..., Any], field: Any, options: dict[str, bool]) -> Any:
    @decorator(**options)
    class Point:
        """A point."""

        x: int
        y: int = 0
        tags: list[str] = field(default_factory=list, compare=False)
        hidden: int = field(default=7, repr=False)
        made: dict[str, int] = field(default_factory=dict, init=False, compare=False)

    return Point


@dataclass(frozen=True, slots=True)
class Whole:
    """Importable, for pickle."""

    name: str
    parts: tuple[Whole, ...] = ()


@dataclass(frozen=True, slots=True)
class Named(Whole):
    """One that has a base."""

    alias: str = ""


@dataclass(frozen=True)
class Checked:
    """One that looks at what it got."""

    size: int

    def __post_init__(self) -> None:
        if self.size < 0:
            raise ValueError("negative")


@pytest.fixture(params=OPTIONS, ids=lambda options: "-".join(options) or "plain")
def pair(request: pytest.FixtureRequest) -> tuple[Any, Any]:
    ours, theirs = (point(decorator, field, request.param) for decorator, field in BOTH)
    return ours, theirs


def told(action: Callable[[], object]) -> object:
    """What an action gives, or which error."""
    try:
        return action()
    except (TypeError, AttributeError) as error:
        return type(error), str(error).replace("made.<locals>.", "")


def test_values_have_the_same_repr(pair: tuple[Any, Any]) -> None:
    ours, theirs = pair
    assert repr(ours(1, tags=["a"])) == repr(theirs(1, tags=["a"]))
    assert [field.name for field in dataclasses.fields(ours)] == [field.name for field in dataclasses.fields(theirs)]
    assert ours.__match_args__ == theirs.__match_args__
    assert getattr(ours, "__slots__", None) == getattr(theirs, "__slots__", None)
    assert ours.__doc__ == "A point."
    assert dataclasses.asdict(ours(1, 2)) == dataclasses.asdict(theirs(1, 2))


def test_nothing_is_shared(pair: tuple[Any, Any]) -> None:
    first, second = pair[0](1), pair[0](1)
    first.tags.append("a")
    first.made["a"] = 1
    assert second.tags == [] and second.made == {}


def test_values_compare_identically(pair: tuple[Any, Any]) -> None:
    for class_ in pair:
        a, b, other = class_(1, 2), class_(1, 2, ["tag"]), class_(1, 3)
        assert (a == b) is (pair[1](1, 2) == pair[1](1, 2))
        assert a != other and a != (1, 2) and a.__eq__(1) is NotImplemented
        for compare in (lt, le, gt, ge):
            expected = told(lambda compare=compare: compare(pair[1](1, 2), pair[1](1, 3)))
            assert told(lambda compare=compare, a=a, other=other: compare(a, other)) == expected
    assert told(lambda: hash(pair[0](1, 2)) == hash(pair[0](1, 2))) == told(
        lambda: hash(pair[1](1, 2)) == hash(pair[1](1, 2))
    )


def test_nan_is_equal_to_itself_as_in_dataclasses() -> None:
    not_a_number = float("nan")

    @dataclass(frozen=True, slots=True)
    class One:
        """One field."""

        value: float

    assert One(not_a_number) == One(not_a_number)


@pytest.mark.parametrize("arguments", [(), (1, 2, [], 7, 5), ("x",)])
def test_wrong_arguments_raise_the_same_error(pair: tuple[Any, Any], arguments: tuple[Any, ...]) -> None:
    ours, theirs = (told(lambda class_=class_: repr(class_(*arguments))) for class_ in pair)
    assert ours == theirs
    ours, theirs = (told(lambda class_=class_: class_(*arguments, z=1)) for class_ in pair)
    assert ours == theirs


def test_frozen_values_behave_identically(pair: tuple[Any, Any]) -> None:
    def assign(value: Any, name: str) -> object:
        setattr(value, name, 5)
        return getattr(value, name)

    ours, theirs = (told(lambda class_=class_: assign(class_(1), "x")) for class_ in pair)
    assert ours == theirs
    ours, theirs = (told(lambda class_=class_: assign(class_(1), "new")) for class_ in pair)
    assert isinstance(ours, int) is isinstance(theirs, int)
    ours, theirs = (told(lambda class_=class_: delattr(class_(1), "x")) for class_ in pair)
    assert ours == theirs


def test_values_can_be_replaced_copied_and_pickled() -> None:
    whole = Whole("a", (Whole("b"),))
    for replaced in (replace, dataclasses.replace):
        assert replaced(whole, name="c") == Whole("c", (Whole("b"),))
        with pytest.raises(TypeError, match="unexpected keyword argument 'size'"):
            replaced(whole, size=1)
    assert copy.deepcopy(whole) == whole and copy.copy(whole) == whole
    assert pickle.loads(pickle.dumps(whole)) == whole


def test_subclass_has_fields_of_its_base() -> None:
    assert repr(Named("a", (), "b")) == "Named(name='a', parts=(), alias='b')"
    assert Named("a") != Whole("a") and Named("a").__slots__ == ("alias",)
    assert hash(Named("a", alias="x")) == hash(Named("a", alias="x"))


def test_post_init_runs_after_construction() -> None:
    assert Checked(1).size == 1
    with pytest.raises(ValueError, match="negative"):
        Checked(-1)


def test_own_methods_are_preserved() -> None:
    @dataclass(frozen=True, slots=True)
    class Spoken:
        """It has words of its own."""

        name: str

        def __repr__(self) -> str:
            return self.name

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 1

    assert repr(Spoken("x")) == "x" and Spoken("x") == 3 and hash(Spoken("y")) == 1


def test_signature_has_fields_of_bases() -> None:
    assert list(inspect.signature(Named).parameters) == ["name", "parts", "alias"]
    assert list(inspect.signature(Whole).parameters) == ["name", "parts"]


def test_fields_without_parameter_have_their_defaults() -> None:
    @dataclass(slots=True)
    class Counted:
        label: str = field(default="none", init=False)
        parts: list[int] = field(default_factory=list)
        total: int = field(default=7, init=False)

    first, second = Counted(), Counted([1])
    assert (first.label, first.parts, first.total) == ("none", [], 7)
    assert (second.label, second.parts, second.total) == ("none", [1], 7)
