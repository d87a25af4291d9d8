"""features.yaml: feature gates and their stages, and the release series of a folder."""

from __future__ import annotations

import re

from apigen.dataclass import replace
from apigen.diagnostics.quoting import quote
from apigen.language.context import Context
from apigen.language.habits import REQUIRED
from apigen.language.habits import STAGES as STAGES_ELSEWHERE
from apigen.language.keys import Found, Key, Keys
from apigen.language.model import FeaturesFile, FeatureSpec, FeatureStageSpec, SeriesSpec, Stage
from apigen.language.nodes import Mapping, Node, Scalar
from apigen.language.readers.common import DOC, IGNORE
from apigen.language.readers.series import SERIES, SERIES_OF_FOLDER
from apigen.language.shapes import Definitions, ListOf, Schema, Shape, map_of, mapped
from apigen.language.words import FLAG, RELEASE, TEXT, TEXTS, Choice

RELEASE_KEY = Key("release", RELEASE, "The first release of the stage.", required=True)
STAGE = Key("stage", Choice(*Stage, habits=STAGES_ELSEWHERE), "alpha, beta, ga or deprecated.", required=True)
DEFAULT = Key("default", FLAG, "Whether the gate is enabled by default (default: false).")
LOCKED = Key("locked", FLAG, "The gate cannot be set.")
MIN_COMPATIBILITY = Key(
    "minCompatibility",
    RELEASE,
    "For a second stage of the same release: it applies if no server of the control plane is older than this release.",
)
_STAGE = Keys("stage", "a stage", (RELEASE_KEY, STAGE, DEFAULT, LOCKED, MIN_COMPATIBILITY))

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*")
"""Names of gates are parts of the names of generated functions."""


def _stage(found: Found, node: Node, _: Context) -> FeatureStageSpec | None:
    release, stage = found.get(RELEASE_KEY), found.get(STAGE)
    if release is None or stage is None:
        return None
    default, locked = found.is_true(DEFAULT), found.is_true(LOCKED)
    return FeatureStageSpec(release, Stage(stage.value), default, locked, node.place, found.get(MIN_COMPATIBILITY))


STAGES = Key(
    "stages",
    ListOf(mapped(_STAGE, _stage), "a list of stages", example=f"write `{REQUIRED['stages']}`"),
    "The stages, by release.",
    required=True,
)
OWNER = Key("owner", TEXT, "The owner.")
DEPENDS_ON = Key("dependsOn", TEXTS, "Gates that must be enabled if this one is.")
REMOVED = Key("removed", RELEASE, "The first release without the gate; its elements keep the state of the last stage.")
_FEATURE = Keys("feature", "a feature gate", (OWNER, DOC, STAGES, DEPENDS_ON, REMOVED, SERIES, IGNORE))


def _feature(name: Scalar, found: Found, context: Context) -> FeatureSpec | None:
    stages, owner, series = found.get(STAGES), found.get(OWNER), found.get(SERIES)
    if not _NAME.fullmatch(name.text):
        context.error(
            "AG0210", name.place, f"expected the name of a gate, such as `Frobber2D`, found {quote(name.text)}"
        )
        return None
    if stages is None:
        return None
    return FeatureSpec(
        name=name.text,
        place=name.place,
        owner=None if owner is None else owner.value,
        doc=found.get(DOC),
        stages=stages,
        depends_on=found.some(DEPENDS_ON),
        removed=found.get(REMOVED),
        ignore=found.some(IGNORE),
        series="" if series is None else series.value,
    )


_GATES = map_of(_FEATURE, _feature, "a mapping of names to feature gates", owner=())


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
