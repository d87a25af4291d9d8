"""Writes documentation of the API: `docs/<group>.md` with a timeline, and `docs/<group>/<version>.md` with every field."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from apigen.backends.docs.group import gates_of, group_page
from apigen.backends.docs.picture import picture
from apigen.backends.docs.timeline import timeline
from apigen.backends.docs.version import version_page
from apigen.backends.making import text_file_of
from apigen.compilation import Compilation
from apigen.emit.output import OutputFile
from apigen.python.modules import package_name

FOLDER = "docs"


def plan(compilation: Compilation) -> Iterator[OutputFile]:
    """The pages of every group and version that has types, and the picture of every group of which releases are known."""
    for group in compilation.api.groups:
        name = package_name(group.folder)
        drawn = timeline(group, compilation.api, gates_of(group, compilation.api), compilation.history)
        has_picture = bool(drawn.releases)
        if has_picture:
            image = partial(picture, group.name or group.folder, drawn)
            yield from text_file_of(compilation, f"{FOLDER}/{name}-timeline.svg", name, image, drawn)
        page = partial(group_page, group, compilation, name, f"{name}-timeline.svg" if has_picture else "")
        yield from text_file_of(compilation, f"{FOLDER}/{name}.md", name, page, drawn)
        for version in group.versions:
            if version.types:
                path = f"{FOLDER}/{name}/{version.name}.md"
                page = partial(version_page, group, version, compilation)
                yield from text_file_of(compilation, path, name, page, words=partial(frozenset, version.types))
