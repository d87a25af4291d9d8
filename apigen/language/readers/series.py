"""`series:`: the release series that a group, a gate or a folder of specs belongs to."""

from __future__ import annotations

from apigen.language.keys import Key, Keys, made
from apigen.language.model import SeriesSpec
from apigen.language.shapes import ByForm, mapped
from apigen.language.words import RELEASE, TextShape

_NAME = TextShape("the name of a release series, such as kubernetes", r"[a-z][a-z0-9]*(?:[-.][a-z0-9]+)*")
"""Names are written before `=` on the command line and are keys of configurations."""

SERIES = Key(
    "series",
    mapped(_NAME, lambda name, *_: name.value),
    "The release series; default: that of the features.yaml in a parent folder.",
)

_SERIES = made(
    Keys(
        "series",
        "a release series",
        (
            Key("name", _NAME, "The name of the series.", required=True),
            Key("release", RELEASE, "The release of the specs."),
        ),
    ),
    SeriesSpec,
)

SERIES_OF_FOLDER = Key(
    "series",
    ByForm(
        "the name of a release series, or {name: …, release: …}",
        mapped(_NAME, lambda name, *_: SeriesSpec(name)),
        _SERIES,
    ),
    "The release series of the gates of this file, and of the groups below its folder; at the root of the specs, the name of"
    " the project's own series.",
)
