"""`introduced deprecated removed replacement`: the life of a version, a kind's type, a field or an enum value."""

from __future__ import annotations

from apigen.spec.keys import Found, Key, KeySet, names_of
from apigen.spec.model import NO_LIFECYCLE, LifecycleSpec
from apigen.spec.words import RELEASE, TEXT

INTRODUCED = Key("introduced", RELEASE, "The first release that has it.")
DEPRECATED = Key("deprecated", RELEASE, "The release from which on its use is warned of.")
REMOVED = Key("removed", RELEASE, "The first release without it.")
REPLACEMENT = Key("replacement", TEXT, "What to use instead: a version, or group/version.Kind.")

RETURNED = Key("returned", RELEASE, "The release in which it came back, exactly as it was before it went.")

LIFECYCLE_KEYS: KeySet = (INTRODUCED, DEPRECATED, REMOVED, REPLACEMENT)
MEMBER_LIFECYCLE_KEYS: KeySet = (*LIFECYCLE_KEYS, RETURNED)
"""Those of a field or an enum's value."""

_NAMES = names_of(MEMBER_LIFECYCLE_KEYS)


def lifecycle(found: Found) -> LifecycleSpec:
    """The lifecycle among what was found."""
    if not found.has_any(_NAMES):
        return NO_LIFECYCLE
    return LifecycleSpec(
        introduced=found.get(INTRODUCED),
        deprecated=found.get(DEPRECATED),
        removed=found.get(REMOVED),
        replacement=found.get(REPLACEMENT),
        returned=found.get(RETURNED),
    )
