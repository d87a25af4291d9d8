"""What happens while the extension works, and what stays of it: changes, threads, no stack, no memory, other interpreters."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest

from generated.autoscaling.v2 import types as hpa
from generated.runtime.quantity import Quantity
from tests.native.both import compiled, native, outcome, pure
from tests.native.building import ROOT, built
from tests.native.kinds import JSON, KINDS, PROTOBUF
from tests.native.sanitized.bending import Bender

ROUNDS = 100_000


@pytest.fixture(autouse=True)
def few_objects_to_collect() -> Iterator[None]:
    """Leave what other tests hold in memory out of the collections: looking through all of it takes seconds each time."""
    gc.freeze()
    yield
    gc.unfreeze()


class Changing:
    """A quantity whose text is computed by Python, which changes the object that holds it."""

    def __init__(self, change: Callable[[], object]) -> None:
        self._change = change

    def __str__(self) -> str:
        self._change()
        return "1"

    def __eq__(self, other: object) -> bool:
        self._change()
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]


def autoscaler() -> tuple[Any, Any]:
    """One with several metrics, and what an odd value is to be put into."""
    made: Any = hpa.HorizontalPodAutoscaler(api_version="autoscaling/v2", kind="HorizontalPodAutoscaler")
    made.spec.metrics = []
    for number in range(5):
        target = hpa.MetricTarget(type="Value", value=Quantity(str(number)))
        source = hpa.ResourceMetricSource(name=f"metric {number}", target=target)
        made.spec.metrics.append(hpa.MetricSpec(type="Resource", resource=source))
    made.metadata.labels = {f"label {number}": "x" for number in range(30)}
    return made, made.spec.metrics[2].resource.target


CHANGES: dict[str, Callable[[Any], object]] = {
    "the list is emptied": lambda obj: obj.spec.metrics.clear(),
    "the list ends": lambda obj: setattr(obj.spec, "metrics", None),
    "the list grows": lambda obj: obj.spec.metrics.extend(obj.spec.metrics[: 100 - len(obj.spec.metrics)]),
    "items are others": lambda obj: obj.spec.metrics.__setitem__(slice(None), [None] * 5),
    "a struct ends": lambda obj: setattr(obj, "spec", None),
    "an attribute is gone": lambda obj: vars(hpa.HorizontalPodAutoscaler)["spec"].__delete__(obj),
    "a map is emptied": lambda obj: obj.metadata.labels.clear(),
    "the class is another one": lambda obj: setattr(obj.spec, "__class__", hpa.HPAScalingRules),
    "it fails": lambda obj: 1 // 0,
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_objects_modified_during_encoding(change: Callable[[Any], object]) -> None:
    """For any result: released objects are not accessed, and later results are correct."""
    made = compiled()
    uses: tuple[Callable[[Any], object], ...] = (
        lambda obj: made.encode(obj, JSON),
        lambda obj: made.encode(obj, PROTOBUF),
        made.copy,
        lambda obj: made.convert(obj, "hub"),
        lambda obj: made.convert(obj, "autoscaling/v1"),
    )
    for use in uses:
        obj, target = autoscaler()
        target.value = Changing(partial(change, obj))
        outcome(use, obj)
        gc.collect()
    obj, _ = autoscaler()
    assert made.encode(obj, JSON) == pure().encode(obj, JSON)
    assert made.convert(obj, "autoscaling/v1") == pure().convert(obj, "autoscaling/v1")


def test_several_threads() -> None:
    """All work on the same objects, and one bends others meanwhile."""
    obj, _ = autoscaler()
    text, message = pure().encode(obj, JSON), pure().encode(obj, PROTOBUF)
    other = pure().convert(obj, "autoscaling/v1")
    bender = Bender(compiled(), native(), seed=3)
    wrong: list[object] = []

    def work() -> None:
        for _ in range(300):
            found = compiled().decode(text, default=False)
            if compiled().encode(found, PROTOBUF) != message or compiled().copy(found) != obj:
                wrong.append(found)
            if compiled().convert(compiled().convert(found, "hub"), "autoscaling/v1") != other:
                wrong.append(found)

    def bend() -> None:
        for entry in KINDS * 5:
            bender.bend(entry)

    threads = [threading.Thread(target=target) for target in (work, work, work, bend)]
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(before)
    assert not wrong


def test_nearly_full_stack() -> None:
    """Where Python code has no room left for a call, the extension leaves the work to Python, which says so."""
    obj, _ = autoscaler()
    text = pure().encode(obj, JSON)
    hub = pure().convert(obj, "hub")
    expected = pure().convert(hub, "autoscaling/v1")

    def deeper(levels: int) -> None:
        if levels:
            deeper(levels - 1)
        else:
            assert compiled().decode(text, default=False) == obj
            assert compiled().convert(hub, "autoscaling/v1") == expected

    failed = 0
    for levels in range(sys.getrecursionlimit()):
        try:
            deeper(levels)
        except RecursionError:
            failed += 1
    assert 0 < failed < 500


def run(script: str) -> str:
    """What a script prints that finds the extension; fails where it ends by itself."""
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{built()}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


WITHOUT_MEMORY = """
import _testcapi, sys
from tests.native import both, test_hostile_moments as moments
codec, (obj, _) = both.native(), moments.autoscaler()
hub = both.compiled().convert(obj, "hub")
text, message = (both.pure().encode(obj, media) for media in (moments.JSON, moments.PROTOBUF))
uses = (
    (codec.decode, text, moments.JSON, None), (codec.decode, message, moments.PROTOBUF, None),
    (codec.encode, obj, moments.JSON), (codec.encode, obj, moments.PROTOBUF),
    (codec.copy, obj), (codec.convert, obj, "hub", False), (codec.convert, hub, "autoscaling/v2", False),
)
failed = 0
for use, *arguments in uses:
    expected = use(*arguments)
    assert expected is not None
    for number in range(400):
        try:
            _testcapi.set_nomemory(number, number + 1)
            try:
                found = use(*arguments)
            finally:
                _testcapi.remove_mem_hooks()
        except MemoryError:
            failed += 1
            continue
        assert found is None or found == expected, (use, number)
        del found
    assert use(*arguments) == expected
print(failed)
"""


@pytest.mark.slow
def test_failing_memory_allocations() -> None:
    """Each allocation can fail: the result is a MemoryError or that of Python, and no state is damaged."""
    pytest.importorskip("_testcapi")
    assert int(run(WITHOUT_MEMORY)) > 50


IN_ANOTHER_INTERPRETER = """
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
script = '''
from generated import scheme
from generated.autoscaling.v2.types import HorizontalPodAutoscaler, MetricSpec
for _ in range(300):
    obj = HorizontalPodAutoscaler(api_version="autoscaling/v2", kind="HorizontalPodAutoscaler")
    obj.spec.metrics = [MetricSpec(type="Resource"), MetricSpec(type="Pods")]
    hub = scheme.convert(scheme.decode(scheme.encode(obj), default=False), "hub")
    assert scheme.convert(hub, "autoscaling/v2") == obj == scheme.copy(obj)
'''
exec(script)
for _ in range(3):
    other = interpreters.create()
    failed = interpreters.run_string(other, script)
    assert failed is None, failed
    interpreters.destroy(other)
    exec(script)
print("done")
"""


def test_subinterpreters() -> None:
    """A process may have several: they work, with the extension or without."""
    assert run(IN_ANOTHER_INTERPRETER) == "done\n"


@pytest.mark.slow
def test_repeated_operations_do_not_leak_memory() -> None:
    """Neither references nor memory, of good and of bad documents."""
    obj, _ = autoscaler()
    obj.metadata.labels = {"a": "b"}
    text, message = pure().encode(obj, JSON), pure().encode(obj, PROTOBUF)
    hub, codec = compiled().convert(obj, "hub"), native()

    def rounds(count: int) -> tuple[int, ...]:
        for number in range(count):
            codec.copy(codec.decode(text, JSON, None))
            codec.decode(text[: number % len(text)], JSON, None)
            codec.decode(message, PROTOBUF, None)
            codec.decode(message[: number % len(message)], PROTOBUF, None)
            codec.encode(obj, JSON if number % 2 else PROTOBUF)
            codec.convert(obj, "hub", number % 2 == 0)
        gc.collect()
        held = (obj, hub, obj.spec, obj.spec.metrics, type(obj), type(hub), type(obj.spec), True, False, "", 0)
        return sys.getallocatedblocks(), sys.getrefcount(None), *map(sys.getrefcount, held)

    rounds(2_000)
    before, after = rounds(1_000), rounds(ROUNDS)
    assert all(abs(one - other) < 200 for one, other in zip(before, after, strict=True)), (before, after)
