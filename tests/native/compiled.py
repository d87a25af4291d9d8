"""A plugin for pytest, `-p tests.native.compiled`: the tests of a run meet generated packages in their compiled form.

Packages find the extension, built from this checkout, and its calls are counted and reported at the end. A run in
which it did nothing fails: it would say as little of the compiled form as one without it. The proof of a version calls
its conversions one by one, type by type, so these go to the extension first, as they do where a kind is converted.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any, get_type_hints

import pytest

from tests.native.building import extension

NAME = "apigen_native"
PROOFS = ".tests.test_round_trips_"
COUNTED = ("decode", "encode", "convert", "copy")
done: Counter[str] = Counter()
"""Method of the extension -> how often it did the work."""
left: Counter[str] = Counter()
"""Method of the extension -> how often it left the work to Python."""


class CountingCodec:
    """A codec that counts what it does."""

    def __init__(self) -> None:
        self._codec: Any = extension().Codec()

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._codec, name)
        return _counting(name, method) if name in COUNTED else method


def _counting(name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    def call(*arguments: Any) -> Any:
        result = method(*arguments)
        (left if result is None else done)[name] += 1
        return result

    return call


def pytest_configure() -> None:
    """Let all packages find the extension."""
    module: Any = ModuleType(NAME)
    module.FORMAT = extension().FORMAT
    module.Codec = CountingCodec
    sys.modules[NAME] = module


def pytest_collection_finish(session: pytest.Session) -> None:
    """Have proofs go by the extension."""
    modules = {getattr(item, "module", None) for item in session.items}
    for module in modules:
        if module is not None and PROOFS in module.__name__:
            prove_natively(module.conversions)


def prove_natively(conversions: ModuleType) -> None:
    """Replace the conversions of a version, as far as the extension knows them by tables."""
    package, _, version = conversions.__name__.removesuffix(".conversions").partition(".")
    native: Any = import_module(f"{package}.runtime.native").native_codec(package)
    for entry in import_module(f"{package}.scheme")._VERSIONS:
        if entry.package == version:
            native.learn(entry)  # so that its objects say what they are
    native._load_conversions(version)
    for name, function in _by_tables(conversions, f"{package}.{version}"):
        hints = get_type_hints(function)
        if native._codec.add_route(hints["source"], name, hints["return"], None):
            setattr(conversions, name, _natively(native, name, function))


def _by_tables(conversions: ModuleType, version: str) -> Iterator[tuple[str, Callable[..., Any]]]:
    declared = import_module(f"{version}.conversion_layouts").CONVERSIONS
    known = {(cls, hub): steps for cls, hub, steps, _ in declared}
    known |= {(hub, cls): steps for cls, hub, _, steps in declared}
    for name, function in list(vars(conversions).items()):
        if name.endswith(("_to_hub", "_from_hub")) and not name.startswith("_"):
            hints = get_type_hints(function)
            if not isinstance(known.get((hints["source"], hints["return"]), ""), str):
                yield name, function


def _natively(native: Any, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    def convert(source: Any, *, share: bool = False) -> Any:
        converted = native.convert(source, name, share)
        return function(source, share=share) if converted is None else converted

    return convert


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A worker reports its counts; a run without workers checks them."""
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["compiled"] = [dict(done), dict(left)]
    elif session.testscollected and not done.total():
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take in what a worker counted."""
    counts: list[Mapping[str, int]] = getattr(node, "workeroutput", {}).get("compiled", [{}, {}])
    done.update(counts[0])
    left.update(counts[1])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what the extension did."""
    terminalreporter.section("compiled form")
    for name in COUNTED:
        terminalreporter.write_line(f"{name:<8} {done[name]:>9,} done  {left[name]:>9,} left to Python")
