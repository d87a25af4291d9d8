"""Runs the generated property tests of several packages in one process: starting pytest takes longer than most of them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from xml.etree import ElementTree

CONFTEST = """
import gc

import hypothesis
import pytest
from hypothesis.internal.conjecture import providers

providers._get_local_constants = lambda: providers._local_constants  # as in tests/conftest.py
hypothesis.settings.register_profile("no shrinking", phases=[hypothesis.Phase.generate])
hypothesis.settings.load_profile("no shrinking")

failed = set()


def pytest_collection_finish(session):
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)  # as in tests/conftest.py
    for checks in {getattr(item.module, "checks", None) for item in session.items} - {None}:
        checks.TRIES = 1  # one search finds the counterexample of each case, and a search in vain takes a minute


def pytest_runtest_setup(item):
    if item.config.getoption("first_failures") and item.nodeid.partition("/")[0] in failed:
        pytest.skip("another test of this package failed")


def pytest_runtest_logreport(report):
    if report.failed:
        failed.add(report.nodeid.partition("/")[0])


def pytest_addoption(parser):
    parser.addoption("--first-failures", action="store_true", help="run no more tests of a package after a failure")
"""
"""Any failure is sufficient: the smallest example of it is for people."""


def run_pytest(folder: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run generated tests in a process whose import path is `folder`, without the plugins of this environment."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(folder)]
    environment = {"PYTHONPATH": str(folder), "PYTEST_ADDOPTS": "", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    (folder / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    return subprocess.run(
        [*command, *map(str, arguments)],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


def failures(folder: Path, packages: Iterable[str], *, first_only: bool = False) -> Mapping[str, str]:
    """Run the round-trip tests of packages below `folder`; return what each failing package reports, by its name.

    With `first_only`, the tests of a package end with its first failure.

    Raises AssertionError if a package has no such tests, or pytest does not run.
    """
    tests = [sorted((folder / package / "tests").glob("test_round_trips_*.py")) for package in packages]
    assert tests and all(tests)
    results = folder / "results.xml"
    options = [f"--junitxml={results}", *(["--first-failures"] if first_only else [])]
    ran = run_pytest(folder, *options, *(path for paths in tests for path in paths))
    assert ran.returncode in (0, 1), ran.stdout[-4000:] + ran.stderr[-2000:]
    found: dict[str, str] = {}
    for case in ElementTree.parse(results).iter("testcase"):
        for problem in (*case.iter("failure"), *case.iter("error")):
            package = case.attrib["classname"].partition(".")[0]
            found[package] = found.get(package, "") + f"{case.attrib['name']}: {problem.text}\n"
    assert bool(found) == (ran.returncode == 1)
    return found
