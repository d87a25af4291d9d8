"""The report for programs: one JSON object in ASCII, described by `apigen schema review`."""

from __future__ import annotations

import json

from apigen.review.reports.report import Style
from apigen.review.reports.summary import Summary
from apigen.review.reports.values import values


def render(summary: Summary, _: Style) -> str:
    """Return the review as JSON."""
    return json.dumps(values(summary), indent=2) + "\n"
