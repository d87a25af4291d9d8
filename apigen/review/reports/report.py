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
    """A format: its name for `--format`, its purpose, and its module next to this one, with the function `render`."""

    name: str
    title: str
    module: str

    def render(self, summary: Summary, style: Style) -> str:
        """Return the review in this format. The same review gives the same text."""
        return str(import_module(f"{__package__}.{self.module}").render(summary, style))


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
"""The formats by the `name` that `--format` and `--output` accept."""


def format_named(name: str) -> Format:
    """Return the format of a name. Raises KeyError."""
    return {each.name: each for each in FORMATS}[name]
