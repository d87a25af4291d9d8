"""The formats of reports. The module of a format is imported when it is used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from apigen.dataclass import dataclass

if TYPE_CHECKING:
    from apigen.review.reports.summary import Summary


@dataclass(frozen=True, slots=True)
class Style:
    """The abilities of a terminal. `width` is None for files; `verbose` includes changes without effect.

    `folder` is the working directory, relative to the root of the repository, for formats with paths from there.
    """

    colour: bool = False
    width: int | None = None
    verbose: bool = False
    folder: str = ""


@dataclass(frozen=True, slots=True)
class Format:
    """A format: its name for `--format`, its purpose, its module next to this one, and the function there that renders it."""

    name: str
    title: str
    module: str
    function: str = "render"

    def render(self, summary: Summary, style: Style) -> str:
        """Return the review in this format. The same review gives the same text."""
        return str(getattr(import_module(f"{__package__}.{self.module}"), self.function)(summary, style))


FORMATS: tuple[Format, ...] = (
    Format("text", "for people at a terminal", "text_report"),
    Format("line", "one line per finding", "tool_reports", "render_lines"),
    Format("json", "for programs; `apigen schema review` prints its schema", "json_report"),
    Format("yaml", "the same as json, as YAML", "json_report", "render_yaml"),
    Format("markdown", "a comment for a pull request, of at most 65,536 characters", "markdown_report"),
    Format("html", "one page that works offline", "html_report"),
    Format("sarif", "for code scanners (SARIF 2.1.0)", "tool_reports", "render_sarif"),
    Format("junit", "for CI systems that show tests (JUnit XML)", "tool_reports", "render_junit"),
    Format("github", "annotations of GitHub Actions", "tool_reports", "render_github"),
    Format("gitlab", "GitLab's code quality report", "tool_reports", "render_gitlab"),
)
"""The formats by the `name` that `--format` and `--output` accept."""


def format_named(name: str) -> Format:
    """Return the format of a name. Raises KeyError."""
    return {each.name: each for each in FORMATS}[name]
