"""The parts of an API that must stay compatible."""

from __future__ import annotations

from enum import StrEnum


class Preset(StrEnum):
    """The promise of compatibility: the protobuf encoding, also JSON, the API in all four directions, or also
    generated code.
    """

    BYTES = "bytes"
    WIRE = "wire"
    API = "api"
    SOURCE = "source"


WIRE = frozenset(Preset)
"""Rules about the encoding: they apply in every preset."""

JSON = WIRE - {Preset.BYTES}
"""Rules about the encoding in JSON, but not in protobuf."""

API = frozenset({Preset.API, Preset.SOURCE})
"""Rules about the API beyond its encoding."""

SOURCE = frozenset({Preset.SOURCE})
"""Rules about code that is generated from the API."""
