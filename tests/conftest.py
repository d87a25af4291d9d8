"""What all tests share: the records of Kubernetes are summed up at the end of a run, and CI lets no test be skipped."""

from __future__ import annotations

import gc
import os
import tempfile
from pathlib import Path

import hypothesis
import pytest
from hypothesis.internal.conjecture import providers

from tests import share
from tests.cluster.programs import NOT_BUILT

EXAMPLES = "APIGEN_EXAMPLES"
"""How many examples a property test tries that does not set a number itself: a share of what `make test-thorough` tries."""

USUAL = 40

hypothesis.settings.register_profile(
    "patient",
    max_examples=int(os.environ.get(EXAMPLES, USUAL)),
    deadline=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],  # a busy machine is no fault of a strategy
)
hypothesis.settings.load_profile("patient")

# Processes that tests start in folders of their own find the tables of Unicode there, which take two CPU seconds to compute.
os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", str(Path(__file__).resolve().parents[1] / ".hypothesis"))


# Output is synchronized to the disk, file by file. In memory this takes no time, and a third of the time of all tests less.
IN_MEMORY = Path("/dev/shm")
if "TMPDIR" not in os.environ and os.access(IN_MEMORY, os.W_OK):
    file_system = os.statvfs(IN_MEMORY)
    if file_system.f_bavail * file_system.f_frsize >= 8 * 2**30 and not file_system.f_flag & os.ST_NOEXEC:
        os.environ["TMPDIR"] = str(IN_MEMORY)
        tempfile.tempdir = None  # pytest has asked for it before

# Hypothesis parses every imported module that is not installed, and draws some values from their constants. Tests import
# thousands of generated modules: parsing these took more time than most tests, and values depended on the tests before.
providers._get_local_constants = lambda: providers._local_constants

# As in a run of `apigen`: few cycles are created, and looking for them takes an eighth of the time.
gc.set_threshold(100_000, 50, 50)

VECTORS = "vectors"
"""The property by which a test says: what, kind, records, how many are right, how many doing nothing reaches or None."""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reports = [r for found in ("passed", "failed") for r in terminalreporter.getreports(found)]
    rows = sorted(value for report in reports for name, value in report.user_properties if name == VECTORS)
    if not rows:
        return
    terminalreporter.section("records of Kubernetes' own code")
    line = "{:<12} {:<29} {:>8} {:>15} {:>14}".format
    terminalreporter.write_line(line("", "", "records", "as in Kubernetes", "doing nothing"))
    for what in dict.fromkeys(row[0] for row in rows):
        of_this = [row for row in rows if row[0] == what]
        sums = [sum(row[column] or 0 for row in of_this) for column in (2, 3, 4)]
        for row in (*of_this, [what, "all", *sums]):
            terminalreporter.write_line(line(*row[:4], row[4] or "-"))


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        f"{share.SLOW}(one_in={share.USUAL}, as_file=False): of such tests a run of all tests runs one in so many",
    )
    named = config.args_source is config.ArgsSource.ARGS or bool(config.option.keyword)
    if named and config.getoption("one_in", 1) == 1:
        os.environ[share.ALL] = "because tests are named"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if share.ALL not in os.environ:
        items[:], deselected = share.share_of_tests(items)
        config.hook.pytest_deselected(items=deselected)


def pytest_collection_finish() -> None:
    """Never look for cycles in what was collected."""
    gc.collect()
    gc.freeze()


NO_SKIPS = "APIGEN_NO_SKIPS"
"""Set by CI: a test that is skipped fails the run, but for those that need the Go modules of Kubernetes, or programs that
are built in the background and then tested by `make test-cluster`.
"""


def may_be_skipped(report: pytest.TestReport) -> bool:
    """Whether CI accepts that this test was skipped."""
    return report.nodeid.startswith("tests/inputs/") or f"Skipped: {NOT_BUILT}" in str(report.longrepr)


def pytest_sessionfinish(session: pytest.Session) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if NO_SKIPS not in os.environ or reporter is None:
        return
    wrong = [report.nodeid for report in reporter.stats.get("skipped", ()) if not may_be_skipped(report)]
    if wrong:
        reporter.write_line(f"skipped, which {NO_SKIPS} forbids: {', '.join(wrong)}", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
