"""Which promises a review is about."""

from __future__ import annotations

from enum import StrEnum


class Preset(StrEnum):
    """What users hold on to: bytes of protobuf alone, JSON too, the API in all four directions, or the generated code as well."""

    BYTES = "bytes"
    WIRE = "wire"
    API = "api"
    SOURCE = "source"


WIRE = frozenset(Preset)
"""Rules about what is on the wire: they count in every preset."""

JSON = WIRE - {Preset.BYTES}
"""Rules about what is on the wire in JSON, and not in bytes."""

API = frozenset({Preset.API, Preset.SOURCE})
"""Rules about what an API promises beyond its bytes."""

SOURCE = frozenset({Preset.SOURCE})
"""Rules about code that is generated from the API."""
