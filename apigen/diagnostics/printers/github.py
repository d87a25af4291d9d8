"""Annotations of GitHub Actions: workflow commands, which GitHub shows at the lines of a pull request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from apigen.diagnostics.model import Diagnostic, Place
from apigen.diagnostics.quoting import github_property, github_text, visible


def render(diagnostics: Sequence[Diagnostic]) -> str:
    """One annotation per diagnostic; related places and the fix follow in its message."""
    return "".join(annotation(str(d.severity), d.place, d.code, _message_lines(d)) for d in diagnostics)


def annotation(level: str, place: Place, title: str, lines: Iterable[str]) -> str:
    """A workflow command on a line of its own. The level is `error`, `warning` or `notice`."""
    properties = {"file": visible(place.file)}
    if place.line:
        properties |= {"line": str(place.line), "col": str(place.column)}
    properties["title"] = title
    written = ",".join(f"{name}={github_property(value)}" for name, value in properties.items())
    text = "\n".join(visible(line) for line in lines)
    return f"::{level} {written}::{github_text(text)}\n"


def _message_lines(diagnostic: Diagnostic) -> Iterator[str]:
    yield diagnostic.message
    for related in diagnostic.related:
        yield f"{related.place}: {related.message}"
    if diagnostic.hint is not None:
        yield from f"help: {diagnostic.hint}".split("\n")
