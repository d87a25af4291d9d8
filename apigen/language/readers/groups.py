"""group.yaml: the group's name, its versions, its hub and its kinds."""

from __future__ import annotations

from apigen.language.context import Context
from apigen.language.keys import Found, Key, Keys
from apigen.language.model import GoneSpec, VersionHeader
from apigen.language.nodes import Scalar
from apigen.language.readers.common import LIFECYCLE_KEYS, lifecycle
from apigen.language.readers.kinds import KINDS
from apigen.language.readers.series import SERIES
from apigen.language.readers.tombstones import GONE_KINDS, GONE_VERSIONS, GROUP_TOMBSTONES
from apigen.language.shapes import map_of
from apigen.language.words import FLAG, TEXT, Choice

STORAGE = Key("storage", FLAG, "Objects are stored in this version.")
SERVED = Key("served", FLAG, "Whether servers offer the version; left out: they do.")
PREFERRED = Key("preferred", FLAG, "The version that servers offer first; left out: that in which objects are stored.")
DEFAULTED = Key(
    "defaulted", FLAG, "Whether its objects are defaulted, and what they hold of other versions; left out: they are."
)
_VERSION = Keys("version", "a version", (*LIFECYCLE_KEYS, STORAGE, SERVED, PREFERRED, DEFAULTED))


def _version(name: Scalar, found: Found, _: Context) -> VersionHeader:
    served, defaulted = found.get(SERVED), found.get(DEFAULTED)
    return VersionHeader(
        name=name.text,
        place=name.place,
        lifecycle=lifecycle(found),
        storage=found.is_on(STORAGE),
        served=served is None or served.value,
        defaulted=defaulted is None or defaulted.value,
        preferred=found.is_on(PREFERRED),
    )


GROUP = Key("group", TEXT, "The group's name on the wire; the empty one is that of the core group.", required=True)
VERSIONS = Key(
    "versions",
    map_of(_VERSION, _version, "a mapping of names to versions", owner=("version",)),
    "The versions; the types of each stand in a file of its name.",
    required=True,
)
HUB = Key("hub", TEXT, "The version that has the hub's shape.")
PROTOBUF = Key("protobuf", Choice("none"), "`none`: the group has no protobuf form, and its fields have no numbers.")
KINDS_KEY = Key("kinds", KINDS, "The kinds.")

TOMBSTONES = Key("tombstones", GROUP_TOMBSTONES, "Versions and kinds that are gone, and never return.")


def gone_versions(group: Found) -> tuple[GoneSpec, ...]:
    """The versions of a group that are gone."""
    tombstones = group.get(TOMBSTONES)
    return () if tombstones is None else tombstones.some(GONE_VERSIONS)


def gone_kinds(group: Found) -> tuple[GoneSpec, ...]:
    """The kinds of a group that are gone."""
    tombstones = group.get(TOMBSTONES)
    return () if tombstones is None else tombstones.some(GONE_KINDS)


GROUP_KEYS = Keys("groupFile", "group.yaml", (GROUP, VERSIONS, HUB, PROTOBUF, KINDS_KEY, SERIES, TOMBSTONES))
