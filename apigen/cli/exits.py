"""The exit codes of `apigen`."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """The exit codes of a run. Those above 3 follow Unix: EX_SOFTWARE, and 128 plus a signal's number."""

    GOOD = 0
    FINDINGS = 1
    USAGE = 2
    UNREADABLE = 3
    APPROVALS = 4
    BUG = 70
    INTERRUPTED = 130
    BROKEN_PIPE = 141
    TERMINATED = 143


UNREADABLE_CODES = frozenset(
    {"AG0101", "AG0102", "AG0103", "AG0104", "AG0105", "AG0106", "AG0905", "AG0912", "AG0914", "AG0921"}
)
"""Codes of inputs that cannot be read and files that cannot be read or written: the run exits with 3."""

USAGE_CODES = frozenset(
    {"AG0901", "AG0902", "AG0903", "AG0904", "AG0906", "AG0907", "AG0908", "AG0909", "AG0913", "AG0920", "AG0930"}
)
"""Codes of wrong arguments and settings: the run exits with 2."""
