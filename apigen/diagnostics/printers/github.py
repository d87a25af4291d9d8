"""Diagnostics as workflow commands of GitHub Actions, which shows them at the lines of a pull request.

The escapes are those of "Workflow commands for GitHub Actions": `%`, carriage return and newline everywhere, `:` and
`,` in properties too, so that no text of a spec can end a command or begin another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from apigen.diagnostics.model import Diagnostic, Severity
from apigen.diagnostics.quoting import visible

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning"}


def render(diagnostics: Sequence[Diagnostic]) -> str:
    """One command per diagnostic; related places and the mend follow in its message."""
    return "".join(f"::{_COMMANDS[d.severity]} {_properties(d)}::{command_text(_message(d))}\n" for d in diagnostics)


def _properties(diagnostic: Diagnostic) -> str:
    place = diagnostic.place
    properties = {"file": visible(place.file)}
    if place.line:
        properties |= {"line": str(place.line), "col": str(place.column)}
    properties["title"] = diagnostic.code
    return ",".join(f"{name}={command_property(value)}" for name, value in properties.items())


def _message(diagnostic: Diagnostic) -> str:
    return "\n".join(_message_lines(diagnostic))


def _message_lines(diagnostic: Diagnostic) -> Iterator[str]:
    yield visible(diagnostic.message)
    for related in diagnostic.related:
        yield f"{visible(str(related.place))}: {visible(related.message)}"
    if diagnostic.hint is not None:
        yield from (visible(line) for line in f"help: {diagnostic.hint}".split("\n"))


def command_text(text: str) -> str:
    """Text as the message of a workflow command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def command_property(text: str) -> str:
    """Text as the value of a property of one."""
    return command_text(text).replace(":", "%3A").replace(",", "%2C")
