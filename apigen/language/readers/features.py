"""features.yaml: feature gates and their stages, and the release series of a folder."""

from __future__ import annotations

import re

from apigen.dataclass import replace
from apigen.diagnostics.quoting import quote
from apigen.language.context import Context
from apigen.language.habits import REQUIRED
from apigen.language.habits import STAGES as STAGES_ELSEWHERE
from apigen.language.keys import Found, Key, Keys, Part, made
from apigen.language.model import FeaturesFile, FeatureSpec, FeatureStageSpec, SeriesSpec, Stage
from apigen.language.nodes import Mapping, Node, Scalar
from apigen.language.readers.common import DOC, IGNORE
from apigen.language.readers.series import SERIES, SERIES_OF_FOLDER
from apigen.language.shapes import Definitions, ListOf, Schema, Shape, map_of, mapped
from apigen.language.words import PLAIN_FLAG, PLAIN_TEXT, RELEASE, TEXTS, Choice

_STAGE = made(
    Keys(
        "stage",
        "a stage",
        (
            Key("release", RELEASE, "The first release of the stage.", required=True),
            Key(
                "stage",
                mapped(Choice(*Stage, habits=STAGES_ELSEWHERE), lambda stage, *_: Stage(stage.value)),
                "alpha, beta, ga or deprecated.",
                required=True,
            ),
            Key("default", PLAIN_FLAG, "Whether the gate is enabled by default (default: false)."),
            Key("locked", PLAIN_FLAG, "The gate cannot be set."),
            Key(
                "minCompatibility",
                RELEASE,
                "For a second stage of the same release: it applies if no server of the control plane is older than this release.",
            ),
        ),
    ),
    FeatureStageSpec,
)

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*")
"""Names of gates are parts of the names of generated functions."""


_FEATURE_KEYS = Keys(
    "feature",
    "a feature gate",
    (
        Key("owner", PLAIN_TEXT, "The owner."),
        DOC,
        Key(
            "stages",
            ListOf(_STAGE, "a list of stages", example=f"write `{REQUIRED['stages']}`"),
            "The stages, by release.",
            required=True,
        ),
        Key("dependsOn", TEXTS, "Gates that must be enabled if this one is."),
        Key(
            "removed",
            RELEASE,
            "The first release without the gate; its elements keep the state of the last stage.",
        ),
        SERIES,
        IGNORE,
    ),
)
_FEATURE = Part(FeatureSpec, _FEATURE_KEYS.keys)


def _feature(name: Scalar, found: Found, context: Context) -> FeatureSpec | None:
    if not _NAME.fullmatch(name.text):
        context.error(
            "AG0210", name.place, f"expected the name of a gate, such as `Frobber2D`, found {quote(name.text)}"
        )
        return None
    return _FEATURE.named(name, found, context)


_GATES = map_of(_FEATURE_KEYS, _feature, "a mapping of names to feature gates", owner=())


class _FeaturesShape(Shape[FeaturesFile]):
    """Gates by name, and next to them `series:`."""

    expected = _GATES.expected

    def read(self, node: Node, context: Context) -> FeaturesFile | None:
        series: SeriesSpec | None = None
        if isinstance(node, Mapping) and any(each.key.text == SERIES_OF_FOLDER.name for each in node.entries):
            for key, value in node.entries:
                if key.text == SERIES_OF_FOLDER.name:
                    series = SERIES_OF_FOLDER.shape.read(value, context)
            node = node._replace(entries=[each for each in node.entries if each.key.text != SERIES_OF_FOLDER.name])
        gates = _GATES.read(node, context)
        if gates is None:
            return None
        if series is not None:
            gates = tuple(each if each.series else replace(each, series=series.name.value) for each in gates)
        return FeaturesFile(gates, series)

    def schema(self, definitions: Definitions) -> Schema:
        own = SERIES_OF_FOLDER.shape.schema(definitions)
        return {**_GATES.schema(definitions), "properties": {SERIES_OF_FOLDER.name: own}}


FEATURES = _FeaturesShape()
"""All of features.yaml."""
