"""All formats of reports, in the order in which `apigen diff --help` lists them."""

from __future__ import annotations

from apigen.compat.reports.github_report import GITHUB
from apigen.compat.reports.gitlab_report import GITLAB
from apigen.compat.reports.html_report import HTML
from apigen.compat.reports.json_report import JSON
from apigen.compat.reports.junit_report import JUNIT
from apigen.compat.reports.line_report import LINE
from apigen.compat.reports.markdown_report import MARKDOWN
from apigen.compat.reports.report import Format
from apigen.compat.reports.sarif_report import SARIF
from apigen.compat.reports.text_report import TEXT
from apigen.compat.reports.yaml_report import YAML

FORMATS: tuple[Format, ...] = (TEXT, LINE, JSON, YAML, MARKDOWN, HTML, SARIF, JUNIT, GITHUB, GITLAB)
"""By `name` they are what `--format` and `--output` take."""


def format_named(name: str) -> Format:
    """The format of a name. Raises KeyError."""
    return {each.name: each for each in FORMATS}[name]
