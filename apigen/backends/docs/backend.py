"""Writes a page for each group, `docs/<group>.md`, with a timeline; the pages of versions are made in `version`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from apigen.backends.docs.group import gates_of, group_page
from apigen.backends.docs.picture import picture
from apigen.backends.docs.timeline import timeline
from apigen.backends.docs.version import FOLDER
from apigen.backends.making import text_file_of
from apigen.compilation import Compilation
from apigen.emit.output import OutputFile
from apigen.history.model import History
from apigen.python.modules import package_name


def plan(compilation: Compilation) -> Iterator[OutputFile]:
    """The page of each group, and the timeline of each group with known releases."""
    for group in compilation.api.groups:
        name = package_name(group.folder)
        history = History() if group.series else compilation.history
        drawn = timeline(group, compilation.api, gates_of(group, compilation.api), history)
        has_picture = bool(drawn.releases)
        if has_picture:
            image = partial(picture, group.name or group.folder, drawn)
            yield from text_file_of(compilation, f"{FOLDER}/{name}-timeline.svg", name, image, drawn)
        page = partial(group_page, group, compilation, name, f"{name}-timeline.svg" if has_picture else "")
        yield from text_file_of(compilation, f"{FOLDER}/{name}.md", name, page, drawn)
