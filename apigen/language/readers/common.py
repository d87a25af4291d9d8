"""Keys that types, fields and values share, among them those of their lifecycle and of merging."""

from __future__ import annotations

from apigen.language.context import Context
from apigen.language.keys import Found, Key, KeySet, names_of
from apigen.language.model import NO_LIFECYCLE, NO_MERGE, LifecycleSpec, Located, MergeSpec
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


INTRODUCED = Key("introduced", RELEASE, "The first release with the element.")
DEPRECATED = Key("deprecated", RELEASE, "The release that deprecates the element.")
REMOVED = Key("removed", RELEASE, "The first release without the element.")
REPLACEMENT = Key("replacement", TEXT, "The replacement: a version, or group/version.Kind.")

RETURNED = Key("returned", RELEASE, "The release that restored the element, unchanged.")

LIFECYCLE_KEYS: KeySet = (INTRODUCED, DEPRECATED, REMOVED, REPLACEMENT)
MEMBER_LIFECYCLE_KEYS: KeySet = (*LIFECYCLE_KEYS, RETURNED)
"""The lifecycle keys of a field or an enum value."""

_LIFECYCLE_NAMES = names_of(MEMBER_LIFECYCLE_KEYS)


def lifecycle(found: Found) -> LifecycleSpec:
    """Return the lifecycle in the entries of a mapping."""
    if not found.has_any(_LIFECYCLE_NAMES):
        return NO_LIFECYCLE
    return LifecycleSpec(
        introduced=found.get(INTRODUCED),
        deprecated=found.get(DEPRECATED),
        removed=found.get(REMOVED),
        replacement=found.get(REPLACEMENT),
        returned=found.get(RETURNED),
    )


LIST_TYPE = Key("listType", Choice("atomic", "set", "map"), "How server-side apply merges the list.")
LIST_MAP_KEYS = Key("listMapKeys", SOME_TEXTS, "The keys of a list map: the fields that identify an element.")
MAP_TYPE = Key("mapType", Choice("atomic", "granular"), "How server-side apply merges the map.")
STRUCT_TYPE = Key("structType", Choice("atomic", "granular"), "How server-side apply merges the struct.")
PATCH_STRATEGY = Key("patchStrategy", TEXT, "How a strategic merge patch treats the field.")
PATCH_MERGE_KEY = Key("patchMergeKey", TEXT, "The field that identifies elements in a strategic merge patch.")

TYPE_MERGE_KEYS: KeySet = (LIST_TYPE, LIST_MAP_KEYS, MAP_TYPE, STRUCT_TYPE)
MERGE_KEYS: KeySet = (*TYPE_MERGE_KEYS, PATCH_STRATEGY, PATCH_MERGE_KEY)

_MERGE_NAMES = names_of(MERGE_KEYS)


def merging(found: Found) -> MergeSpec:
    """Return the merge strategy for the entries of a mapping."""
    if not found.has_any(_MERGE_NAMES):
        return NO_MERGE
    return MergeSpec(
        list_type=found.get(LIST_TYPE),
        list_map_keys=found.some(LIST_MAP_KEYS),
        map_type=found.get(MAP_TYPE),
        struct_type=found.get(STRUCT_TYPE),
        patch_strategy=found.get(PATCH_STRATEGY),
        patch_merge_key=found.get(PATCH_MERGE_KEY),
    )
