"""Which promises a review is about."""

from __future__ import annotations

from enum import StrEnum


class Preset(StrEnum):
    """What users hold on to: bytes and JSON alone, the API in all four directions, or the generated code, too."""

    WIRE = "wire"
    API = "api"
    SOURCE = "source"


WIRE = frozenset(Preset)
"""Rules about what is on the wire: they count in every preset."""

API = frozenset({Preset.API, Preset.SOURCE})
"""Rules about what an API promises beyond its bytes."""

SOURCE = frozenset({Preset.SOURCE})
"""Rules about code that is generated from the API."""
