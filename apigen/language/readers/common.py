"""Keys that types, fields and values share, among them those of their lifecycle and of merging."""

from __future__ import annotations

from apigen.language.context import Context
from apigen.language.keys import Found, Key, KeySet, names_of
from apigen.language.model import NO_LIFECYCLE, NO_MERGE, LifecycleSpec, Located, MergeSpec
from apigen.language.nodes import Scalar
from apigen.language.readers import gates
from apigen.language.shapes import map_of
from apigen.language.words import REASON, RELEASE, SOME_TEXTS, TEXT, Choice, TextShape


def _acknowledged(code: Scalar, reason: Located[str], _: Context) -> tuple[Located[str], Located[str]]:
    return Located(code.text, code.place), reason


HUB_TYPE_NAME = TextShape(
    "the name of a type of the hub, such as `Frobber` or `apps/hub.Deployment`",
    r"(?:[A-Za-z0-9][A-Za-z0-9.-]*/hub\.)?[A-Za-z_][A-Za-z0-9_]*",
)
"""How a type or kind names what it is in the hub."""

SECOND_HUB_NAME = TextShape(
    "a type of another group's hub, such as `apps/hub.ReplicaSet`",
    r"[A-Za-z0-9][A-Za-z0-9.-]*/hub\.[A-Za-z_][A-Za-z0-9_]*",
)
"""How a type names what it is in a hub besides its own."""

DOC = Key("doc", TEXT, "What it is; the first sentence is its summary.")
PY_NAME = Key("pyName", TEXT, "Its name in Python, where the derived one is not wanted.")
HUB = Key("hub", HUB_TYPE_NAME, "The type in the hub, where it has another name or group.")
FEATURE_GATE = Key("featureGate", gates.FEATURE_GATE, "The feature gate that it belongs to.")
IGNORE = Key(
    "ignore",
    map_of(REASON, _acknowledged, "a mapping of codes to reasons"),
    "Findings that are acknowledged here: the code of each, and why.",
)


INTRODUCED = Key("introduced", RELEASE, "The first release that has it.")
DEPRECATED = Key("deprecated", RELEASE, "The release from which on its use is warned of.")
REMOVED = Key("removed", RELEASE, "The first release without it.")
REPLACEMENT = Key("replacement", TEXT, "What to use instead: a version, or group/version.Kind.")

RETURNED = Key("returned", RELEASE, "The release in which it came back, exactly as it was before it went.")

LIFECYCLE_KEYS: KeySet = (INTRODUCED, DEPRECATED, REMOVED, REPLACEMENT)
MEMBER_LIFECYCLE_KEYS: KeySet = (*LIFECYCLE_KEYS, RETURNED)
"""Those of a field or an enum's value."""

_LIFECYCLE_NAMES = names_of(MEMBER_LIFECYCLE_KEYS)


def lifecycle(found: Found) -> LifecycleSpec:
    """The lifecycle among what was found."""
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
LIST_MAP_KEYS = Key("listMapKeys", SOME_TEXTS, "The fields that tell the elements of a list of type map apart.")
MAP_TYPE = Key("mapType", Choice("atomic", "granular"), "How server-side apply merges the map.")
STRUCT_TYPE = Key("structType", Choice("atomic", "granular"), "How server-side apply merges the struct.")
PATCH_STRATEGY = Key("patchStrategy", TEXT, "How a strategic merge patch treats the field.")
PATCH_MERGE_KEY = Key("patchMergeKey", TEXT, "The field by which a strategic merge patch finds elements.")

TYPE_MERGE_KEYS: KeySet = (LIST_TYPE, LIST_MAP_KEYS, MAP_TYPE, STRUCT_TYPE)
MERGE_KEYS: KeySet = (*TYPE_MERGE_KEYS, PATCH_STRATEGY, PATCH_MERGE_KEY)

_MERGE_NAMES = names_of(MERGE_KEYS)


def merging(found: Found) -> MergeSpec:
    """What was found about merging."""
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
