"""`series:`: the release series that a group, a gate or a folder of specs belongs to."""

from __future__ import annotations

from apigen.language.context import Context
from apigen.language.keys import Found, Key, Keys
from apigen.language.model import Located, SeriesSpec
from apigen.language.nodes import Node
from apigen.language.shapes import ByForm, mapped
from apigen.language.words import RELEASE, TextShape

_NAME = TextShape("the name of a release series, such as kubernetes", r"[a-z][a-z0-9]*(?:[-.][a-z0-9]+)*")
"""Names are written before `=` on the command line and are keys of configurations."""

SERIES = Key("series", _NAME, "The release series; default: that of the features.yaml in a parent folder.")

SERIES_NAME = Key("name", _NAME, "The name of the series.", required=True)
SERIES_RELEASE = Key("release", RELEASE, "The release of the specs.")
_SERIES = Keys("series", "a release series", (SERIES_NAME, SERIES_RELEASE))


def _named(name: Located[str], _: Node, __: Context) -> SeriesSpec:
    return SeriesSpec(name)


def _with_release(found: Found, _: Node, __: Context) -> SeriesSpec | None:
    name = found.get(SERIES_NAME)
    return None if name is None else SeriesSpec(name, found.get(SERIES_RELEASE))


SERIES_OF_FOLDER = Key(
    "series",
    ByForm(
        "the name of a release series, or {name: …, release: …}", mapped(_NAME, _named), mapped(_SERIES, _with_release)
    ),
    "The release series of the gates of this file, and of the groups below its folder; at the root of the specs, the name of"
    " the project's own series.",
)
