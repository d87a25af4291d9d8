"""What groups and versions are called in objects: those of inputs that have no such names get some."""

from __future__ import annotations

import re

from apigen.compat.surface.surface import Version
from apigen.ir.stability import is_version_in_specs

_GROUP = re.compile(r"([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*)?")

GROUP = "example.com"
VERSION = "v1"


def group_name(version: Version) -> str:
    """The group in an object's apiVersion."""
    return version.group if _GROUP.fullmatch(version.group) and (version.group or version.kinds) else GROUP


def version_name(version: Version) -> str:
    """The version there."""
    return version.name if is_version_in_specs(version.name) else VERSION


def api_version(version: Version) -> str:
    """An object's apiVersion."""
    return "/".join(part for part in (group_name(version), version_name(version)) if part)
