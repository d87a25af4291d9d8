"""Dataclasses that are completed when first used: whatever is asked of them, the standard library's say the same."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import subprocess
import sys
import threading
import typing
from collections.abc import Callable
from pathlib import Path

import pytest

import apigen.runtime
from apigen.runtime import Duration, Time
from apigen.runtime.dataclasses import dataclass, field


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
def test_a_class_has_what_one_of_the_standard_library_has(name: str) -> None:
    late, standard = globals()[name], getattr(Standard, name)
    late(x=1) if name == "LatePoint" else late()
    assert set(vars(late)) == set(vars(standard))
    assert late.__slots__ == standard.__slots__
    assert late.__match_args__ == standard.__match_args__
    assert late.__doc__ == standard.__doc__
    assert inspect.signature(late) == inspect.signature(standard)
    assert repr(late.__dataclass_params__) == repr(standard.__dataclass_params__)
    assert typing.get_type_hints(late) == typing.get_type_hints(standard)


def test_what_is_made_is_copied_pickled_and_compared() -> None:
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


def test_an_immutable_one_is_ordered_hashed_pickled_and_stays_as_it_is() -> None:
    assert sorted([LatePoint(2), LatePoint(1, 5), LatePoint(1)]) == [LatePoint(1), LatePoint(1, 5), LatePoint(2)]
    assert len({LatePoint(1), LatePoint(1, 0)}) == 1
    assert pickle.loads(pickle.dumps(LatePoint(3, 4))) == LatePoint(3, 4)
    with pytest.raises(dataclasses.FrozenInstanceError):
        Time(1).seconds = 2  # type: ignore[misc]


def test_an_immutable_one_that_nothing_was_asked_of_cannot_be_changed() -> None:
    @dataclass(frozen=True, slots=True)
    class Point:
        x: int = 0

    point = object.__new__(Point)
    with pytest.raises(dataclasses.FrozenInstanceError):
        point.x = 2  # type: ignore[misc]


def test_subclasses_find_it_complete() -> None:
    cls = fresh()

    class Plain(cls):  # type: ignore[misc,valid-type]
        def __init__(self, size: int) -> None:
            super().__init__(size=size + 1)

    @dataclasses.dataclass(kw_only=True)
    class Wider(fresh()):  # type: ignore[misc]
        width: int = 0

    assert Plain(1).size == 2
    assert dataclasses.asdict(Wider(size=1, width=2)) == {"size": 1, "inner": {"name": ""}, "width": 2}


def test_many_threads_may_be_the_first() -> None:
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


def test_declaring_classes_does_not_load_the_standard_librarys_module() -> None:
    root = Path(apigen.runtime.__file__).parents[2]
    code = f"""
import sys
sys.path.insert(0, {str(root)!r})
from apigen.runtime import Duration, FieldsV1, MicroTime, Quantity, RawExtension, Time
print([name for name in ("dataclasses", "inspect", "re", "typing", "decimal") if name in sys.modules])
print(Duration(5), "dataclasses" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n5ns True\n"
