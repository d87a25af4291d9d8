"""group.yaml: the group's name, its versions, its hub and its kinds."""

from __future__ import annotations

from apigen.language.keys import Found, Key, Keys, Part
from apigen.language.model import Tombstone, VersionHeader
from apigen.language.readers.common import LIFECYCLE
from apigen.language.readers.kinds import KINDS
from apigen.language.readers.series import SERIES
from apigen.language.readers.tombstones import GROUP_TOMBSTONES, REMOVED_KINDS, REMOVED_VERSIONS
from apigen.language.shapes import map_of
from apigen.language.words import PLAIN_FLAG, TEXT, Choice

_VERSION_KEYS = Keys(
    "version",
    "a version",
    (
        *LIFECYCLE.keys,
        Key("storage", PLAIN_FLAG, "The storage version."),
        Key("served", PLAIN_FLAG, "Whether the version is served (default: true)."),
        Key("preferred", PLAIN_FLAG, "The preferred version; default: the storage version."),
        Key(
            "defaulted",
            PLAIN_FLAG,
            "Whether objects of the version are defaulted, with the values of other versions in them (default: true).",
        ),
    ),
)
_VERSION = Part(VersionHeader, _VERSION_KEYS.keys, lifecycle=LIFECYCLE)

GROUP = Key("group", TEXT, "The name of the group in `apiVersion`; empty for the core group.", required=True)
VERSIONS = Key(
    "versions",
    map_of(
        _VERSION_KEYS,
        _VERSION.named,
        "a mapping of names to versions",
        owner=("version",),
        needs_no_value=True,
    ),
    "The versions; each has a file of its name with its types.",
    required=True,
)
HUB = Key("hub", TEXT, "The version that the hub follows.")
PROTOBUF = Key("protobuf", Choice("none"), "`none` if the group has no protobuf encoding, and its fields no numbers.")
KINDS_KEY = Key("kinds", KINDS, "The kinds.")

TOMBSTONES = Key("tombstones", GROUP_TOMBSTONES, "Removed versions and kinds, whose names are reserved.")


def removed_versions(group: Found) -> tuple[Tombstone, ...]:
    """Return the removed versions of a group."""
    tombstones = group.get(TOMBSTONES)
    return () if tombstones is None else tombstones.some(REMOVED_VERSIONS)


def removed_kinds(group: Found) -> tuple[Tombstone, ...]:
    """Return the removed kinds of a group."""
    tombstones = group.get(TOMBSTONES)
    return () if tombstones is None else tombstones.some(REMOVED_KINDS)


GROUP_KEYS = Keys("groupFile", "group.yaml", (GROUP, VERSIONS, HUB, PROTOBUF, KINDS_KEY, SERIES, TOMBSTONES))
