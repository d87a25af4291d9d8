"""The report for programs: one JSON object in ASCII, as `apigen schema review` describes it."""

from __future__ import annotations

import json

from apigen.compat.reports.report import Style
from apigen.compat.reports.summary import Summary
from apigen.compat.reports.values import values


def render(summary: Summary, _: Style) -> str:
    """The review as JSON."""
    return json.dumps(values(summary), indent=2) + "\n"
