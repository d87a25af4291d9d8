"""All formats of reports, in the order in which `apigen diff --help` lists them. A format's module loads when it is printed."""

from __future__ import annotations

from apigen.compat.reports.report import Format

FORMATS: tuple[Format, ...] = (
    Format("text", "for people at a terminal", "text_report"),
    Format("line", "one line per finding", "line_report"),
    Format("json", "for programs; `apigen schema review` prints its schema", "json_report"),
    Format("yaml", "the same as json, as YAML", "yaml_report"),
    Format("markdown", "a comment for a pull request, of at most 65,536 characters", "markdown_report"),
    Format("html", "one page that works offline", "html_report"),
    Format("sarif", "for code scanners (SARIF 2.1.0)", "sarif_report"),
    Format("junit", "for CI systems that show tests (JUnit XML)", "junit_report"),
    Format("github", "annotations of GitHub Actions", "github_report"),
    Format("gitlab", "GitLab's code quality report", "gitlab_report"),
)
"""By `name` they are what `--format` and `--output` take."""


def format_named(name: str) -> Format:
    """The format of a name. Raises KeyError."""
    return {each.name: each for each in FORMATS}[name]
