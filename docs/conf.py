"""Configuration of Sphinx for the documentation site; `make site` runs it on the sources that `tests/docs/site.py` prepares."""

from pathlib import Path

project = "apigen"
copyright = "the apigen authors"  # noqa: A001 (a setting of Sphinx)
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["examples"]
myst_heading_anchors = 4
suppress_warnings = ["misc.highlighting_failure"]  # examples show invalid specs and broken files, too
html_theme = "pydata_sphinx_theme"
html_title = "apigen"
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "navbar_align": "left",
    "navbar_persistent": ["search-button"],
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}
html_context = {"default_mode": "auto"}
html_search_scorer = str(Path(__file__).with_name("scorer.js"))
html_show_search_summary = False  # excerpts are fetched, which browsers do not allow for files
