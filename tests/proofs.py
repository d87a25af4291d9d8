"""Runs the generated property tests of several packages in one process: starting pytest takes longer than most of them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from xml.etree import ElementTree

NO_SHRINKING = """
import hypothesis

hypothesis.settings.register_profile("no shrinking", phases=[hypothesis.Phase.generate])
hypothesis.settings.load_profile("no shrinking")
"""
"""A failure only must be there: the smallest example of it is for people."""


def failures(folder: Path, packages: Iterable[str]) -> Mapping[str, str]:
    """Run the round-trip tests of packages below `folder`; return what each failing package reports, by its name.

    Raises AssertionError if a package has no such tests, or pytest does not run.
    """
    tests = [sorted((folder / package / "tests").glob("test_round_trips_*.py")) for package in packages]
    assert tests and all(tests)
    (folder / "conftest.py").write_text(NO_SHRINKING, encoding="utf-8")
    results = folder / "results.xml"
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        f"--junitxml={results}",
    ]
    ran = subprocess.run(
        [*command, *(str(path) for paths in tests for path in paths)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder), "PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert ran.returncode in (0, 1), ran.stdout[-4000:] + ran.stderr[-2000:]
    found: dict[str, str] = {}
    for case in ElementTree.parse(results).iter("testcase"):
        for problem in (*case.iter("failure"), *case.iter("error")):
            package = case.attrib["classname"].partition(".")[0]
            found[package] = found.get(package, "") + f"{case.attrib['name']}: {problem.text}\n"
    assert bool(found) == (ran.returncode == 1)
    return found
