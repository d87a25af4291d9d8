"""What groups and versions are called in objects: those of inputs that have no such names get some."""

from __future__ import annotations

from apigen.compat.surface.surface import Version
from apigen.ir.api_names import group_problem, version_problem

GROUP = "example.com"
VERSION = "v1"


def group_name(version: Version) -> str:
    """The group in an object's apiVersion."""
    is_valid = group_problem(version.group) is None and (version.group or version.kinds)
    return version.group if is_valid else GROUP


def version_name(version: Version) -> str:
    """The version there."""
    return version.name if version_problem(version.name) is None else VERSION


def api_version(version: Version) -> str:
    """An object's apiVersion."""
    return "/".join(part for part in (group_name(version), version_name(version)) if part)
