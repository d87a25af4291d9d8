"""The exit codes of `apigen`."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """What a run says by its exit code. Those above 3 follow Unix: EX_SOFTWARE, and 128 plus a signal's number."""

    GOOD = 0
    FINDINGS = 1
    USAGE = 2
    UNREADABLE = 3
    APPROVALS = 4
    BUG = 70
    INTERRUPTED = 130
    BROKEN_PIPE = 141
    TERMINATED = 143
