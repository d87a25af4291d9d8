"""Keys that types, fields and values share, among them those of their lifecycle and of merging."""

from __future__ import annotations

from apigen.language.context import Context
from apigen.language.keys import Key, Part
from apigen.language.model import LifecycleSpec, Located, MergeSpec
from apigen.language.nodes import Scalar
from apigen.language.readers import gates
from apigen.language.shapes import map_of
from apigen.language.words import REASON, RELEASE, SOME_TEXTS, TEXT, Choice, TextShape


def _suppressed(code: Scalar, reason: Located[str], _: Context) -> tuple[Located[str], Located[str]]:
    return Located(code.text, code.place), reason


HUB_TYPE_NAME = TextShape(
    "the name of a type of the hub, such as `Frobber` or `apps/hub.Deployment`",
    r"(?:[A-Za-z0-9][A-Za-z0-9.-]*/hub\.)?[A-Za-z_][A-Za-z0-9_]*",
)
"""The reference of a type or kind to its hub type."""

SECOND_HUB_NAME = TextShape(
    "a type of another group's hub, such as `apps/hub.ReplicaSet`",
    r"[A-Za-z0-9][A-Za-z0-9.-]*/hub\.[A-Za-z_][A-Za-z0-9_]*",
)
"""The reference of a type to a type in a second hub."""

DOC = Key("doc", TEXT, "The description; the first sentence is the summary.")
PY_NAME = Key("pyName", TEXT, "The name in Python, if it differs from the derived one.")
HUB = Key("hub", HUB_TYPE_NAME, "The type in the hub, if it has another name or group.")
FEATURE_GATE = Key("featureGate", gates.FEATURE_GATE, "The feature gate of the element.")
IGNORE = Key(
    "ignore",
    map_of(REASON, _suppressed, "a mapping of codes to reasons"),
    "Suppressed findings: the code of each, with the reason.",
)


LIFECYCLE = Part(
    LifecycleSpec,
    (
        Key("introduced", RELEASE, "The first release with the element."),
        Key("deprecated", RELEASE, "The release that deprecates the element."),
        Key("removed", RELEASE, "The first release without the element."),
        Key("replacement", TEXT, "The replacement: a version, or group/version.Kind."),
    ),
)
MEMBER_LIFECYCLE = Part(
    LifecycleSpec, (*LIFECYCLE.keys, Key("returned", RELEASE, "The release that restored the element, unchanged."))
)
"""The lifecycle of a field or an enum value."""

TYPE_MERGE = Part(
    MergeSpec,
    (
        Key("listType", Choice("atomic", "set", "map"), "How server-side apply merges the list."),
        Key("listMapKeys", SOME_TEXTS, "The keys of a list map: the fields that identify an element."),
        Key("mapType", Choice("atomic", "granular"), "How server-side apply merges the map."),
        Key("structType", Choice("atomic", "granular"), "How server-side apply merges the struct."),
    ),
)
MERGE = Part(
    MergeSpec,
    (
        *TYPE_MERGE.keys,
        Key("patchStrategy", TEXT, "How a strategic merge patch treats the field."),
        Key("patchMergeKey", TEXT, "The field that identifies elements in a strategic merge patch."),
    ),
)
"""The merge strategy of a field."""
