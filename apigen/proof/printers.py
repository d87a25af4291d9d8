"""The forms of a proof: text, Markdown, HTML and JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from textwrap import wrap

from apigen.codegen.markdown import table
from apigen.codegen.rendering import render
from apigen.diagnostics.quoting import visible
from apigen.proof.report import Item, KindReport, ProofReport, lines_of

WIDTH = 100
_GAP = 2
_CORNER = "from \\ to and back"


def text_form(report: ProofReport) -> str:
    """The proof as text of at most 100 columns."""
    lines: list[str] = []
    for kind in report.lossy:
        lines += (f"{kind.kind} ({kind.group})", *_matrix(kind), "")
    for note in report.notes:
        lines += _wrapped(note, "")
    if report.notes:
        lines.append("")
    if report.lossless:
        lines += (*_wrapped(report.lossless_kinds, ""), "")
    for kind in report.lossy:
        for section in kind.sections:
            lines += (*_wrapped(f"{kind.kind}: {section.title}", ""), "")
            for item in section.items:
                lines += (*_item(item), "")
    return "\n".join([*lines, report.summary]) + "\n"


def _matrix(kind: KindReport) -> Iterator[str]:
    """Yield the table of a kind, split into several blocks if it is too wide."""
    columns = [[name, *(row[number] for row in kind.rows)] for number, name in enumerate(kind.versions)]
    head = [_CORNER, *kind.versions]
    block: list[Sequence[str]] = [head]
    for column in columns:
        if len(block) > 1 and sum(_GAP + max(map(len, each)) for each in (*block, column)) > WIDTH:
            yield from _block(block)
            block = [head]
        block.append(column)
    yield from _block(block)


def _block(columns: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in columns]
    for cells in zip(*columns, strict=True):
        yield "".join(f"  {cell:<{width}}" for cell, width in zip(cells, widths, strict=True)).rstrip()


def _item(item: Item) -> Iterator[str]:
    if not item.sentence.startswith(f"`{item.path}`") or _more(item):
        yield from _wrapped(f"{item.path}{_more(item)}", "  ")
    yield from _wrapped(item.sentence, "    ")
    if item.example is None and item.no_example:
        yield from _wrapped(f"example: {item.no_example}", "    ")
    lines = list(lines_of(item.example)) if item.example is not None else []
    room = max((len(word) for word, _ in lines), default=0) + 2
    for word, line in lines:
        first, *rest = wrap(visible(line), WIDTH - 4 - room) or [""]
        yield f"    {word + ':':<{room}}{first}"
        yield from (f"    {'':<{room}}{each}" for each in rest)


def _more(item: Item) -> str:
    hub = f" (hub: {item.hub_path})" if item.hub_path else ""
    return hub + (f" and {item.others} more of type {item.type}" if item.others else "")


def _wrapped(line: str, indent: str) -> list[str]:
    return wrap(
        visible(" ".join(line.split())), WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
    )


def markdown_form(report: ProofReport) -> str:
    """The proof as Markdown."""
    return render(
        "proof/proof.md.jinja", report=report, corner=_CORNER, table=table, rows=_rows, more=_more, lines_of=lines_of
    )


def html_form(report: ProofReport) -> str:
    """Return the proof as a self-contained HTML page."""
    return render(
        "proof/proof.html.jinja",
        report=report,
        corner=_CORNER,
        rows=_rows,
        more=_more,
        escape=escape,
        code=_code,
        lines_of=lines_of,
    )


def _rows(kind: KindReport) -> list[tuple[str, ...]]:
    """Return the rows of the matrix, each with the version in front."""
    return [(name, *row) for name, row in zip(kind.versions, kind.rows, strict=True)]


def _code(sentence: str) -> str:
    """A sentence with the text in backticks as code."""
    parts = sentence.split("`")
    return "".join(f"<code>{escape(part)}</code>" if number % 2 else escape(part) for number, part in enumerate(parts))


def json_form(report: ProofReport) -> str:
    """The proof as JSON."""
    kinds = [
        {
            "kind": kind.kind,
            "group": kind.group,
            "versions": list(kind.versions),
            "matrix": [list(row) for row in kind.rows],
            "losses": [
                {
                    "versions": list(section.of),
                    "through": section.through or "hub",
                    "path": item.path,
                    "type": item.type,
                    "otherPaths": item.others,
                    "sentence": item.sentence,
                    **({"hubPath": item.hub_path} if item.hub_path else {}),
                    **({} if item.example is None else {"example": _json_example(item)}),
                }
                for section in kind.sections
                for item in section.items
            ],
        }
        for kind in (*report.lossy, *report.lossless)
    ]
    return json.dumps({"kinds": kinds, "summary": report.summary}, indent=2, ensure_ascii=False) + "\n"


def _json_example(item: Item) -> dict[str, object]:
    assert item.example is not None
    before, after, error = item.example.before, item.example.after, item.example.error
    return {"before": before, "error": error} if error else {"before": before, "after": after}


FORMS: Mapping[str, Callable[[ProofReport], str]] = {
    "text": text_form,
    "markdown": markdown_form,
    "html": html_form,
    "json": json_form,
}
"""Name -> printer."""
