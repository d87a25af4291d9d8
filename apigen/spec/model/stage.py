"""Stages of feature gates."""

from __future__ import annotations

from enum import StrEnum


class Stage(StrEnum):
    """Stages of a feature gate."""

    ALPHA = "alpha"
    BETA = "beta"
    GA = "ga"
    DEPRECATED = "deprecated"
