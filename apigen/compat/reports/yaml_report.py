"""The JSON report, written as YAML."""

from __future__ import annotations

from apigen.compat.reports.report import Format, Style
from apigen.compat.reports.summary import Summary
from apigen.compat.reports.values import values


def render(summary: Summary, _: Style) -> str:
    """The review as one YAML document in ASCII."""
    import yaml

    return str(yaml.safe_dump(values(summary), sort_keys=False, allow_unicode=False, width=120))


YAML = Format("yaml", "the same as json, as YAML", render)
