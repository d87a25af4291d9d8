"""The report as one self-contained HTML page: no network, no other file.

All text of inputs is escaped. The Content Security Policy allows only the page's own script and style, by their hashes, so
that text that is not escaped could not act.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from typing import TYPE_CHECKING

from apigen import __version__
from apigen.codegen.rendering import template_folder
from apigen.ir.stability import Stability
from apigen.review.reports.first_screen import first_screen
from apigen.review.reports.lines import prose, shown
from apigen.review.reports.page import MOST_FINDINGS, MOST_LISTED, change_views, matrix_rows
from apigen.review.reports.report import Style
from apigen.review.reports.summary import DIRECTIONS, SHOWN, Summary
from apigen.review.reports.version_graph import graphs

if TYPE_CHECKING:
    import jinja2
    from markupsafe import Markup

_FOLDER = "review"


def render(summary: Summary, _: Style) -> str:
    """Return the page."""
    drawn, undrawn = graphs(summary)
    return (
        _environment()
        .get_template(f"{_FOLDER}/page.html.jinja")
        .render(
            summary=summary,
            screen=first_screen(summary),
            version=__version__,
            views=change_views(summary),
            most_findings=MOST_FINDINGS,
            most_listed=MOST_LISTED,
            matrix=matrix_rows(summary),
            severities=[severity.word for severity in SHOWN],
            directions=[(direction.value, name) for direction, name in DIRECTIONS.items()],
            stabilities=[each.value for each in reversed(Stability)],
            rules=sorted({finding.rule for finding in summary.findings}),
            graphs=drawn,
            undrawn=undrawn,
        )
    )


@cache
def _environment() -> jinja2.Environment:
    import jinja2
    from markupsafe import Markup

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(template_folder()),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=True,
        finalize=_shown,
    )
    environment.filters["prose"] = _prose
    for name in ("style.css", "script.js"):
        text = (template_folder() / _FOLDER / name).read_text(encoding="utf-8")
        what = name.partition(".")[0]
        environment.globals[what] = Markup(text)
        environment.globals[f"{what}_hash"] = _hash(text)
    return environment


def _prose(text: str) -> Markup:
    """Return a sentence with the names and values in backticks as code, escaped."""
    from markupsafe import Markup

    parts = ((Markup("<code>%s</code>") if is_code else Markup("%s")) % part for part, is_code in prose(text))
    return Markup("").join(parts)


def _hash(text: str) -> str:
    """Return the hash of a text for the Content Security Policy."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _shown(value: object) -> object:
    """Return a text without control and direction characters, and of limited length."""
    return shown(value) if type(value) is str else value
