"""Version files and hub.yaml."""

from __future__ import annotations

from apigen.spec.keys import Key, Keys
from apigen.spec.readers.types import HUB_TYPES, TYPES

TYPES_KEY = Key("types", TYPES, "The types of this version.", required=True)
HUB_TYPES_KEY = Key("types", HUB_TYPES, "Types of the hub, and what is added to or different in them.", required=True)

VERSION_KEYS = Keys("versionFile", "a version's file", (TYPES_KEY,))
HUB_KEYS = Keys("hubFile", "hub.yaml", (HUB_TYPES_KEY,))
