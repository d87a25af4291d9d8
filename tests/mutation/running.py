"""Runs a target: its tests once as they are, then those that reach the mutated function once for each mutant.

A mutant costs a fork and the tests that run the function, the quickest first; nothing is imported or collected again.
"""

from __future__ import annotations

import importlib
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from types import CodeType, FrameType
from typing import Any, NoReturn

import pytest
from _pytest.runner import runtestprotocol

from tests.mutation.mutants import MODULE, Mutant, live_function, mutants_of
from tests.mutation.targets import Target

WORKERS = 2
MEMORY = 4 << 30


class Outcome(StrEnum):
    """What became of a mutant."""

    KILLED = "killed"
    SURVIVED = "survived"
    TIMED_OUT = "timed out"


@dataclass(slots=True)
class Baseline:
    """How long each test took, and the code of which functions it ran."""

    seconds: dict[str, float] = field(default_factory=dict)
    ran: dict[str, set[CodeType]] = field(default_factory=dict)

    def tests_of(self, code: CodeType | None) -> list[str]:
        """The tests that ran a function, the quickest first; all for None."""
        names = [name for name, codes in self.ran.items() if code is None or code in codes]
        return sorted(names, key=self.seconds.__getitem__)


class Run:
    """A pytest plugin: replaces the loop over tests by one over mutants."""

    def __init__(self, target: Target, package: str, chosen: str) -> None:
        self._target = target
        self._package = package
        self._chosen = chosen
        self.outcomes: dict[Mutant, Outcome] = {}
        self.problem = ""

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the tests as they are, then each mutant in a fork."""
        items = {item.nodeid: item for item in session.items}
        modules = {name: importlib.import_module(name) for name in self._target.modules(self._package)}
        baseline = self._baseline(session.items, {str(module.__file__) for module in modules.values()})
        if session.testsfailed or not items:
            self.problem = "the tests fail without a mutant, or no test was found"
            return True
        work: list[tuple[Mutant, float, Callable[[], NoReturn]]] = []
        for module in modules.values():
            for mutant in mutants_of(module):
                if self._chosen and self._chosen not in f"{mutant.module} {mutant.name}":
                    continue
                is_constant = mutant.name.function == MODULE
                code = None if is_constant else live_function(module, mutant.name.function).__code__
                names = baseline.tests_of(code)
                seconds = sum(baseline.seconds[name] for name in names)

                def child(mutant: Mutant = mutant, names: list[str] = names) -> NoReturn:
                    mutant.put_in_place(modules[mutant.module])
                    _run_until_failure([items[name] for name in names])

                work.append((mutant, 10 + 10 * seconds, child))
        found = dict(in_forks(work))
        self.outcomes = {mutant: found[mutant] for mutant, _, _ in work}
        return True

    def _baseline(self, items: list[pytest.Item], files: set[str]) -> Baseline:
        found = Baseline()
        for index, item in enumerate(items):
            ran: set[CodeType] = set()

            def note(frame: FrameType, event: str, _: object, ran: set[CodeType] = ran) -> None:
                if event == "call" and frame.f_code.co_filename in files:
                    ran.add(frame.f_code)

            following = items[index + 1] if index + 1 < len(items) else None
            begun = time.perf_counter()
            sys.setprofile(note)
            try:
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            finally:
                sys.setprofile(None)
            found.seconds[item.nodeid] = time.perf_counter() - begun
            found.ran[item.nodeid] = ran
        return found


def run_target(target: Target, package: str, chosen: str = "") -> Run:
    """Every mutant of a target, with what became of it. `chosen`: only those of which the name has this in it."""
    run = Run(target, package, chosen)
    tests = [test.format(package=package) for test in target.tests]
    arguments = [
        "-q",
        "-n",
        "0",
        "-p",
        "no:cacheprovider",
        "--hypothesis-seed=0",
        "--no-header",
        "--no-summary",
        "--tb=no",
    ]
    pytest.main([*arguments, *(("-k", target.only) if target.only else ()), *tests], plugins=[run])
    return run


def in_forks(work: Iterable[tuple[Mutant, float, Callable[[], NoReturn]]]) -> Iterator[tuple[Mutant, Outcome]]:
    """Run each child in a process of its own, a few at a time; one that takes longer than it may is ended."""
    waiting = list(reversed(list(work)))
    running: dict[int, tuple[Mutant, float]] = {}
    while waiting or running:
        while waiting and len(running) < WORKERS:
            mutant, seconds, child = waiting.pop()
            running[_forked(child)] = (mutant, time.monotonic() + seconds)
        for id_, (mutant, until) in list(running.items()):
            ended, status = os.waitpid(id_, os.WNOHANG)
            late = not ended and time.monotonic() > until
            if late:
                os.kill(id_, signal.SIGKILL)
                os.waitpid(id_, 0)
            if ended or late:
                del running[id_]
                survived = os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0
                yield mutant, Outcome.TIMED_OUT if late else Outcome.SURVIVED if survived else Outcome.KILLED
        time.sleep(0.005)


def _forked(child: Callable[[], NoReturn]) -> int:
    sys.stdout.flush()
    id_ = os.fork()
    if id_:
        return id_
    try:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        child()
    finally:
        os._exit(1)


def _run_until_failure(items: list[Any]) -> NoReturn:
    with suppress(KeyError):
        del os.environ["PYTEST_CURRENT_TEST"]
    for index, item in enumerate(items):
        following = items[index + 1] if index + 1 < len(items) else None
        if any(report.failed for report in runtestprotocol(item, log=False, nextitem=following)):
            os._exit(1)
    os._exit(0)
