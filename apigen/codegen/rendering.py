"""Fills the templates: strict about missing values, and with docstrings as the only text that specs bring in."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from apigen.codegen.markdown import code, sentence, text, with_code
from apigen.codegen.python.source_text import docstring_lines
from apigen.diagnostics.quoting import xml_attribute

if TYPE_CHECKING:
    import jinja2


_PACKAGE = Path(__file__).resolve().parent.parent


def render(template: str, **values: object) -> str:
    """Fill the template at that path below the template folder. A value that it names and does not get is an error."""
    return _environment().get_template(template).render(**values)


def template_folder() -> Path:
    """Return the folder of the templates: inside an installed package, or next to it in the repository."""
    installed = _PACKAGE / "_templates"
    return installed if installed.is_dir() else _PACKAGE.parent / "templates"


def template_environment(**options: Any) -> jinja2.Environment:
    """Return an environment for the templates; `options` are those of jinja2 in addition to what all templates need."""
    import jinja2  # only a run that fills a template pays for it

    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(template_folder()),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        optimized=False,  # folding constants takes a tenth of the time of compiling, and each run compiles
        **options,
    )


@cache
def _environment() -> jinja2.Environment:
    environment = template_environment(keep_trailing_newline=True, autoescape=False)
    environment.filters |= {"docstring": docstring, "frozenset": frozen_set, "xml": xml_attribute}
    environment.filters |= {each.__name__: each for each in (code, sentence, text, with_code)}  # Markdown
    return environment


def docstring(text: str) -> str:
    """`text` as a docstring, quotes included, to be put where the indentation is already."""
    return "\n".join(docstring_lines(text))


def frozen_set(literals: Iterable[str]) -> str:
    """A frozenset of literals, in their order."""
    members = ", ".join(literals)
    return f"frozenset({{{members}}})" if members else "frozenset()"
