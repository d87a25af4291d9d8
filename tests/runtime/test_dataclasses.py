"""Dataclasses that are completed when first used: whatever is asked of them, the standard library's say the same."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import operator
import pickle
import subprocess
import sys
import threading
import typing
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import apigen.runtime
from apigen.runtime import Duration, Time
from apigen.runtime.dataclasses import PYDANTIC_HOOKS, dataclass, field


@dataclass(slots=True, kw_only=True)
class Inner:
    """A part."""

    name: str = ""


@dataclass(slots=True, kw_only=True)
class Late:
    """An example."""

    size: int = 0
    inner: Inner = field(default_factory=Inner)
    labels: dict[str, str] | None = None
    timeout: Duration = Duration(0)


@dataclass(frozen=True, slots=True, order=True)
class LatePoint:
    """An immutable one."""

    x: int
    y: int = 0


class Standard:
    """The same two, made by the standard library."""

    @dataclasses.dataclass(slots=True, kw_only=True)
    class Late:
        """An example."""

        size: int = 0
        inner: Inner = dataclasses.field(default_factory=Inner)
        labels: dict[str, str] | None = None
        timeout: Duration = Duration(0)

    @dataclasses.dataclass(frozen=True, slots=True, order=True)
    class LatePoint:
        """An immutable one."""

        x: int
        y: int = 0


def fresh() -> type[Late]:
    """A class that nothing has been asked of yet."""

    @dataclass(slots=True, kw_only=True)
    class Example:
        """An example."""

        size: int = 0
        inner: Inner = field(default_factory=Inner)

    return typing.cast(type[Late], Example)


FIRST_USES: dict[str, Callable[[type[Late]], object]] = {
    "constructor": lambda cls: cls(size=1),
    "fields": lambda cls: [(f.name, f.type, f.default, f.kw_only) for f in dataclasses.fields(cls)],
    "is_dataclass": dataclasses.is_dataclass,
    "signature": lambda cls: str(inspect.signature(cls)),
    "repr": lambda cls: cls.__repr__,
    "match arguments": lambda cls: cls.__match_args__,
    "equality": lambda cls: cls() == cls() and cls() != cls(size=1),
    "replace": lambda cls: dataclasses.replace(cls(size=1), inner=Inner(name="b")).inner,
    "hash": lambda cls: cls.__hash__,
}


@pytest.mark.parametrize("use", FIRST_USES)
def test_any_use_completes_a_class(use: str) -> None:
    cls = fresh()
    FIRST_USES[use](cls)
    made = cls(size=3)
    assert dataclasses.asdict(made) == {"size": 3, "inner": {"name": ""}}
    assert made.inner is not cls(size=3).inner
    with pytest.raises(TypeError, match="unhashable"):
        hash(made)


@pytest.mark.parametrize("name", ["Late", "LatePoint"])
def test_class_has_attributes_of_standard_dataclasses(name: str) -> None:
    late, standard = globals()[name], getattr(Standard, name)
    late(x=1) if name == "LatePoint" else late()
    assert set(vars(late)) == {*vars(standard), *PYDANTIC_HOOKS}
    assert late.__slots__ == standard.__slots__
    assert late.__match_args__ == standard.__match_args__
    assert late.__doc__ == standard.__doc__
    assert inspect.signature(late) == inspect.signature(standard)
    assert repr(late.__dataclass_params__) == repr(standard.__dataclass_params__)
    assert typing.get_type_hints(late) == typing.get_type_hints(standard)


def test_objects_are_copied_pickled_and_compared() -> None:
    made = Late(size=2, inner=Inner(name="a"), labels={"b": "c"})
    for other in (copy.copy(made), copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
        assert other == made
        assert repr(other) == (
            "Late(size=2, inner=Inner(name='a'), labels={'b': 'c'}, timeout=Duration(nanoseconds=0))"
        )
    match made:
        case Late(size=2, inner=Inner(name="a")):
            pass
        case _:
            raise AssertionError("it matches")
    with pytest.raises(AttributeError):
        made.nothing = 1  # type: ignore[attr-defined]
    with pytest.raises(TypeError, match="unexpected keyword"):
        Late(nothing=1)  # type: ignore[call-arg]


def test_frozen_object_is_ordered_hashed_and_pickled() -> None:
    assert sorted([LatePoint(2), LatePoint(1, 5), LatePoint(1)]) == [LatePoint(1), LatePoint(1, 5), LatePoint(2)]
    assert len({LatePoint(1), LatePoint(1, 0)}) == 1
    assert pickle.loads(pickle.dumps(LatePoint(3, 4))) == LatePoint(3, 4)
    with pytest.raises(dataclasses.FrozenInstanceError):
        Time(1).seconds = 2  # type: ignore[misc]


def test_unused_frozen_class_rejects_assignment() -> None:
    @dataclass(frozen=True, slots=True)
    class Point:
        x: int = 0

    point = object.__new__(Point)
    with pytest.raises(dataclasses.FrozenInstanceError):
        point.x = 2  # type: ignore[misc]


def test_subclasses_inherit_a_complete_class() -> None:
    cls = fresh()

    class Plain(cls):  # type: ignore[misc,valid-type]
        def __init__(self, size: int) -> None:
            super().__init__(size=size + 1)

    @dataclasses.dataclass(kw_only=True)
    class Wider(fresh()):  # type: ignore[misc]
        width: int = 0

    assert Plain(1).size == 2
    assert dataclasses.asdict(Wider(size=1, width=2)) == {"size": 1, "inner": {"name": ""}, "width": 2}


def test_methods_bind_to_the_class_itself_as_functions_do() -> None:
    """`inspect.signature` of Python 3.14 binds `__init__` to the class, with `type` as its owner."""

    @dataclass(slots=True)
    class Unused:
        size: int = 0

    bound = vars(Unused)["__init__"].__get__(Unused, type)
    assert list(inspect.signature(bound).parameters) == ["size"]


def test_concurrent_first_use() -> None:
    for _ in range(20):
        cls, found = fresh(), list[object]()
        barrier = threading.Barrier(8)

        def use(cls: type[Late] = cls, found: list[object] = found, barrier: threading.Barrier = barrier) -> None:
            barrier.wait()
            found.append(cls(size=1) == cls(size=1) and repr(cls(size=2)).endswith("(size=2, inner=Inner(name=''))"))

        threads = [threading.Thread(target=use) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == [True] * 8


class Shapes:
    """Classes of all shapes, each made by both; the first values are arguments that it takes."""

    @staticmethod
    def named(dataclass: Any, field: Any) -> tuple[type[Any], dict[str, object]]:
        @dataclass(slots=True, kw_only=True)
        class Shape:
            size: int
            inner: Inner = field(default_factory=Inner)
            name: str = ""
            other: Inner = field(default_factory=Inner)

        return Shape, {"size": 2, "other": Inner(name="b")}

    @staticmethod
    def placed(dataclass: Any, field: Any) -> tuple[type[Any], dict[str, object]]:
        @dataclass(slots=True)
        class Shape:
            size: int
            width: int
            name: str = ""
            inner: Inner = field(default_factory=Inner)

        return Shape, {"size": 2, "width": 3}

    @staticmethod
    def frozen(dataclass: Any, field: Any) -> tuple[type[Any], dict[str, object]]:
        @dataclass(frozen=True, slots=True, kw_only=True)
        class Shape:
            size: int
            inner: Inner = field(default_factory=Inner)

        return Shape, {"size": 2}

    @staticmethod
    def with_self(dataclass: Any, field: Any) -> tuple[type[Any], dict[str, object]]:
        @dataclass(slots=True, kw_only=True)
        class Shape:
            self: int = 1
            inner: Inner = field(default_factory=Inner)

        return Shape, {"self": 2}

    @staticmethod
    def empty(dataclass: Any, field: Any) -> tuple[type[Any], dict[str, object]]:
        @dataclass(slots=True, kw_only=True)
        class Shape:
            pass

        return Shape, {}

    @staticmethod
    def checked(dataclass: Any, field: Any) -> tuple[type[Any], dict[str, object]]:
        @dataclass(slots=True, kw_only=True)
        class Shape:
            size: int = 1

            def __post_init__(self) -> None:
                self.size += 1

        return Shape, {"size": 2}


SHAPES = ("named", "placed", "frozen", "with_self", "empty", "checked")


def values(made: object) -> list[object]:
    return [getattr(made, name) for name in vars(type(made))["__slots__"]]


def error_of(cls: Callable[..., object], *args: object, **named: object) -> str:
    with pytest.raises(TypeError) as caught:
        cls(*args, **named)
    return str(caught.value)


@pytest.mark.parametrize("shape", SHAPES)
def test_initializer_equals_that_of_the_standard_library(shape: str) -> None:
    late, given = getattr(Shapes, shape)(dataclass, field)
    standard, _ = getattr(Shapes, shape)(dataclasses.dataclass, dataclasses.field)
    assert values(late(**given)) == values(standard(**given))
    assert error_of(late, nothing=1) == error_of(standard, nothing=1)
    assert error_of(late, *range(9)) == error_of(standard, *range(9))
    assert inspect.signature(late) == inspect.signature(standard)
    for name in (
        "__name__",
        "__qualname__",
        "__module__",
        "__doc__",
        "__annotations__",
        "__defaults__",
        "__kwdefaults__",
    ):
        assert getattr(late.__init__, name) == getattr(standard.__init__, name), name
    assert typing.get_type_hints(late.__init__) == typing.get_type_hints(standard.__init__)


def test_initializer_creates_separate_default_values() -> None:
    late, given = Shapes.named(dataclass, field)
    one, two = late(**given), late(size=1)
    assert one.inner is not two.inner
    assert one.other is given["other"]


def test_required_field_after_default_field_is_rejected() -> None:
    @dataclass(slots=True)
    class Wrong:
        x: int = 0
        y: int  # type: ignore[misc]

    with pytest.raises(TypeError, match="non-default argument 'y' follows default argument"):
        Wrong(y=1)


@pytest.mark.parametrize(
    "make", [(dataclass, field), (dataclasses.dataclass, dataclasses.field)], ids=["late", "standard"]
)
def test_fields_take_part_in_comparisons_and_hashes_as_declared(make: tuple[Any, Any]) -> None:
    declare, part = make

    class Declared:
        x: int
        note: str = part(default="", compare=False)
        tag: str = part(default="", hash=False)

    class Without:
        pass

    of, empty = (declare(frozen=True, order=True)(each) for each in (Declared, Without))
    value = of(1, "a", "t")
    assert (value == of(1, "b", "t"), value == of(1, "a", "u"), value == (1, "t")) == (True, False, False)
    assert (value < of(1, "", "u"), value <= value, value > of(0), value >= of(2)) == (True, True, True, False)
    assert (hash(value) == hash(of(1, "b", "u")), hash(value) == hash((1,))) == (True, True)
    assert (empty() == empty(), empty() < empty(), hash(empty()) == hash(())) == (True, False, True)
    assert (of.__lt__.__qualname__, of.__hash__.__name__) == (f"{of.__qualname__}.__lt__", "__hash__")
    with pytest.raises(TypeError, match="'<' not supported between instances of 'Declared' and 'int'"):
        operator.lt(value, 1)


def isolated(code: str) -> str:
    """What a program prints that imports the runtime, and neither `site` nor anything that this process has loaded."""
    root = Path(apigen.runtime.__file__).parents[2]
    begin = f"import sys\nsys.path.insert(0, {str(root)!r})\n"
    run = subprocess.run([sys.executable, "-I", "-S", "-c", begin + code], capture_output=True, text=True, check=True)
    return run.stdout


def test_creating_objects_does_not_load_dataclasses() -> None:
    code = """
from apigen.runtime import Duration, FieldsV1, MicroTime, Quantity, RawExtension, Time
print(Duration(5), Time(5), Quantity("0"), Quantity("12"), RawExtension(b"{}").raw, [
    name for name in ("dataclasses", "inspect", "re", "typing", "decimal") if name in sys.modules])
print(Time(5), Duration(5) == Duration(5), Duration(5) < Duration(6), len({Duration(5), Duration(5)}), "dataclasses" in sys.modules)
print(repr(Duration(5)), "dataclasses" in sys.modules)
"""
    assert isolated(code).splitlines() == [
        "5ns 1970-01-01T00:00:05Z 0 12 b'{}' []",
        "1970-01-01T00:00:05Z True True 1 False",
        "Duration(nanoseconds=5) True",
    ]


def test_signatures_are_equal_before_dataclasses_is_loaded() -> None:
    code = """
from __future__ import annotations
from apigen.runtime.dataclasses import dataclass, field
@dataclass(slots=True, kw_only=True)
class Late:
    size: int = 0
    items: list = field(default_factory=list)
init = Late.__init__
print("dataclasses" in sys.modules, Late().items)
import dataclasses, inspect
@dataclasses.dataclass(slots=True, kw_only=True)
class Standard:
    size: int = 0
    items: list = dataclasses.field(default_factory=list)
print(str(inspect.signature(Late)) == str(inspect.signature(Standard)), Late() == Late(), Late.__init__ is init)
"""
    assert isolated(code.replace("from __future__ import annotations\n", "")) == "False []\nTrue True True\n"
