"""Writes a page for each group, `docs/<group>.md`, with a timeline; the pages of versions are made in `version`."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.codegen.backend_input import Compilation
from apigen.codegen.docs.group import gates_of, group_page
from apigen.codegen.docs.picture import picture
from apigen.codegen.docs.timeline import timeline
from apigen.codegen.docs.version import FOLDER
from apigen.codegen.output import OutputFile, nonempty_file
from apigen.history.model import History
from apigen.ir.generated_modules import package_name


def plan(compilation: Compilation) -> Iterator[OutputFile]:
    """The page of each group, and the timeline of each group with known releases."""
    for group in compilation.api.groups:
        name = package_name(group.folder)
        history = History() if group.series else compilation.history
        drawn = timeline(group, compilation.api, gates_of(group, compilation.api), history)
        has_picture = bool(drawn.releases)
        if has_picture:
            image = picture(group.name or group.folder, drawn)
            yield from nonempty_file(f"{FOLDER}/{name}-timeline.svg", image)
        page = group_page(group, compilation, name, f"{name}-timeline.svg" if has_picture else "")
        yield from nonempty_file(f"{FOLDER}/{name}.md", page)
