"""The formats of reports. The module of a format loads when it is printed."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from apigen.dataclass import dataclass

if TYPE_CHECKING:
    from apigen.review.reports.summary import Summary


@dataclass(frozen=True, slots=True)
class Style:
    """What a reader's terminal can show. `width` is None for files; `verbose` asks for changes without effect, too.

    `folder` is where apigen runs, from the root of the repository, for formats whose readers know files from there.
    """

    colour: bool = False
    width: int | None = None
    verbose: bool = False
    folder: str = ""


class Printer(Protocol):
    """What the module of a format has."""

    def render(self, summary: Summary, style: Style, /) -> str:
        """The review as text of the format."""
        ...


@dataclass(frozen=True, slots=True)
class Format:
    """A format: what `--format` calls it, what it is for, and its module next to this one."""

    name: str
    title: str
    module: str

    def render(self, summary: Summary, style: Style) -> str:
        """The review in this format. The same review gives the same text."""
        printer = cast(Printer, import_module(f"{__package__}.{self.module}"))
        return printer.render(summary, style)


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
