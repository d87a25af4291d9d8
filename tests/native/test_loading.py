"""The first use of a kind, in which the extension learns its layouts: interrupted anywhere, repeated, from several threads.

Whatever happens, the next call gives what Python code gives, and the extension does the work again.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from types import FrameType, ModuleType
from typing import Any

import pytest

from generated.runtime import native as native_module
from generated.runtime.native import NativeCodec, native_codec
from generated.runtime.scheme import Scheme
from tests.native.both import outcome, pure
from tests.native.building import extension
from tests.native.kinds import JSON, PROTOBUF, made_scheme
from tests.native.test_hostile_moments import autoscaler, run

ADDING = ("add", "add_well_known", "add_kind", "add_conversion", "add_route")


class Interrupted(BaseException):
    """What a signal handler may raise at any point."""


def uses() -> list[tuple[str, tuple[Any, ...]]]:
    """Calls of a scheme that need layouts, kinds and routes."""
    obj, _ = autoscaler()
    text, message = pure().encode(obj, JSON), pure().encode(obj, PROTOBUF)
    hub = pure().convert(obj, "hub")
    return [
        ("decode", (text, JSON)),
        ("decode", (message, PROTOBUF)),
        ("encode", (obj, JSON)),
        ("encode", (obj, PROTOBUF)),
        ("copy", (obj,)),
        ("convert", (obj, "autoscaling/v1")),
        ("convert", (hub, "autoscaling/v2")),
    ]


USES = uses()
EXPECTED = [outcome(getattr(pure(), name), *arguments) for name, arguments in USES]


def check_works(made: Scheme) -> None:
    """All calls give what Python gives, and the extension does them all."""
    for (name, arguments), expected in zip(USES, EXPECTED, strict=True):
        assert outcome(getattr(made, name), *arguments) == expected, name
    codec = vars(made)["_native"]
    left = [name for name, arguments in USES if getattr(codec, name)(*arguments, *MORE.get(name, ())) is None]
    assert not left, f"left to Python: {left}"


MORE = {"decode": (None,), "convert": (False,)}


class RaisingCodec:
    """A codec whose n-th addition raises, before it is done or after it."""

    def __init__(self, number: int, error: BaseException, *, after: bool) -> None:
        self._codec: Any = extension().Codec()
        self._left = number
        self._error = error
        self._after = after
        self.raised = False

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._codec, name)
        return self._raising(method) if name in ADDING else method

    def _raising(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            self._left -= 1
            if self._left == 0 and not self._after:
                self.raised = True
                raise self._error
            result = method(*arguments)
            if self._left == 0:
                self.raised = True
                raise self._error
            return result

        return call


def use_all(made: Scheme) -> None:
    for name, arguments in USES:
        getattr(made, name)(*arguments)


@pytest.mark.parametrize("error", [Interrupted(), KeyboardInterrupt(), MemoryError(), RecursionError()], ids=repr)
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_registration_that_raises(error: BaseException, *, after: bool) -> None:
    additions = 0
    while True:
        additions += 1
        made = made_scheme(None)
        codec: Any = RaisingCodec(additions, error, after=after)
        try:
            vars(made)["_native"] = NativeCodec("generated", codec)
        except type(error):
            continue  # the scheme has none then, and makes another one
        try:
            use_all(made)
        except type(error):
            assert not isinstance(error, RecursionError), "Python code has room for what it does"
        if not codec.raised:
            break
        check_works(made)
    assert additions > 50


def test_failed_registration_falls_back_to_python() -> None:
    """The error is not caused by the document: Python handles this and later requests."""
    for number in range(10, 60):
        made = made_scheme(None)
        codec: Any = RaisingCodec(number, ValueError("of the extension"), after=False)
        vars(made)["_native"] = NativeCodec("generated", codec)
        for _ in range(2):
            for (name, arguments), expected in zip(USES, EXPECTED, strict=True):
                assert outcome(getattr(made, name), *arguments) == expected, name


@contextmanager
def at_line(number: int, action: Callable[[], object]) -> Iterator[list[int]]:
    """Does something at the n-th line of the runtime's module that is run."""
    left = [number]

    def line(frame: FrameType, event: str, _: object) -> Any:
        if event == "line":
            left[0] -= 1
            if left[0] == 0:
                sys.settrace(None)
                action()
        return line if left[0] > 0 else None

    def call(frame: FrameType, event: str, _: object) -> Any:
        return line if frame.f_code.co_filename == native_module.__file__ and left[0] > 0 else None

    before = sys.gettrace()
    sys.settrace(call)
    try:
        yield left
    finally:
        sys.settrace(before)


def interrupt() -> None:
    raise Interrupted


@pytest.mark.slow
def test_an_interruption_at_any_line() -> None:
    number = 0
    while True:
        number += 1
        made = made_scheme(NativeCodec("generated", extension().Codec()))
        try:
            with at_line(number, interrupt) as left:
                use_all(made)
        except Interrupted:
            pass
        if left[0] > 0:
            break
        check_works(made)
    assert number > 300


def test_loading_within_loading() -> None:
    """A signal handler, or a finalizer, may use the scheme while it loads."""
    number = 0
    while True:
        number += 7
        made = made_scheme(NativeCodec("generated", extension().Codec()))
        with at_line(number, lambda scheme=made: check_works(scheme)) as left:  # type: ignore[misc]
            use_all(made)
        if left[0] > 0:
            break
        check_works(made)
    assert number > 300


def test_concurrent_loading() -> None:
    wrong: list[object] = []
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(10):
            made = made_scheme(NativeCodec("generated", extension().Codec()))
            barrier = threading.Barrier(6)

            def work(scheme: Scheme = made, start: threading.Barrier = barrier) -> None:
                start.wait()
                try:
                    check_works(scheme)
                except BaseException as error:
                    wrong.append(error)

            threads = [threading.Thread(target=work) for _ in range(6)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
    finally:
        sys.setswitchinterval(before)
    assert not wrong


WITHOUT_MEMORY = """
import _testcapi
from generated.runtime.native import NativeCodec
from tests.native import test_loading as loading
from tests.native.building import extension
from tests.native.kinds import made_scheme

loading.check_works(made_scheme(NativeCodec("generated", extension().Codec())))  # so that all is imported
number = failed = 0
while True:
    number += 1 if number < 200 else 11
    made = made_scheme(NativeCodec("generated", extension().Codec()))
    try:
        _testcapi.set_nomemory(number, number + 1)
        try:
            for name, arguments in loading.USES:
                getattr(made, name)(*arguments)
        finally:
            _testcapi.remove_mem_hooks()
    except MemoryError:
        failed += 1
    loading.check_works(made)
    if number > 6000:
        break
print(failed)
"""


@pytest.mark.slow
def test_failing_memory_allocations_while_loading() -> None:
    pytest.importorskip("_testcapi")
    assert int(run(WITHOUT_MEMORY)) > 200


def test_layouts_that_cannot_be_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    """A package without layouts works as without the extension."""

    def reject(name: str) -> ModuleType:
        if name.endswith("layouts"):
            raise ImportError(name)
        return import_module(name)

    monkeypatch.setattr(native_module, "import_module", reject)
    made = made_scheme(NativeCodec("generated", extension().Codec()))
    for (name, arguments), expected in zip(USES, EXPECTED, strict=True):
        assert outcome(getattr(made, name), *arguments) == expected, name


def damaged(**more: Any) -> ModuleType:
    found: Any = ModuleType("apigen_native")
    found.FORMAT = extension().FORMAT
    vars(found).update(more)
    return found  # type: ignore[no-any-return]


DAMAGED: dict[str, Callable[[], ModuleType]] = {
    "of another format": lambda: damaged(FORMAT=extension().FORMAT + 1),
    "without a format": lambda: ModuleType("apigen_native"),
    "without a codec": lambda: damaged(),
    "with a codec that cannot be made": lambda: damaged(Codec=lambda: 1 // 0),
    "with a codec that takes nothing": lambda: damaged(Codec=object),
}


@pytest.mark.parametrize("found", DAMAGED.values(), ids=DAMAGED)
def test_incompatible_extension(found: Callable[[], ModuleType], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "apigen_native", found())
    assert native_codec("generated") is None


@pytest.mark.slow
@pytest.mark.parametrize("to", [None, 5, b"hub", ("hub",)], ids=repr)
def test_conversion_to_an_invalid_version(to: Any) -> None:
    made = made_scheme(NativeCodec("generated", extension().Codec()))
    obj, _ = autoscaler()
    for _ in range(2):
        assert outcome(made.convert, obj, to) == outcome(pure().convert, obj, to)
