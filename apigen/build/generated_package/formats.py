"""The formats of objects, and their detection."""

from __future__ import annotations

from enum import StrEnum
from pathlib import PurePath

MAGIC = b"k8s\0"
"""The prefix of Kubernetes' protobuf."""


class Format(StrEnum):
    """A format of objects, as the command line calls it."""

    YAML = "yaml"
    JSON = "json"
    PROTOBUF = "protobuf"

    @property
    def media_type(self) -> str:
        """The media type of the format in a scheme."""
        return "application/vnd.kubernetes.protobuf" if self is Format.PROTOBUF else f"application/{self}"


_SUFFIXES = {
    ".json": Format.JSON,
    ".yaml": Format.YAML,
    ".yml": Format.YAML,
    ".pb": Format.PROTOBUF,
    ".protobuf": Format.PROTOBUF,
}


def format_of(name: str, data: bytes) -> Format:
    """Return the format of a file, by its first bytes, then its name, then its first character."""
    if data.startswith(MAGIC):
        return Format.PROTOBUF
    by_name = _SUFFIXES.get(PurePath(name).suffix.lower())
    if by_name is not None:
        return by_name
    return Format.JSON if data.lstrip()[:1] == b"{" else Format.YAML
