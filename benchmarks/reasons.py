"""Why a target is missed, and what was tried: for each target by its key, the words after the colon, without a full stop.

Only those of targets that a run misses are shown; what stands here for the others is of no effect.
"""

from __future__ import annotations

from collections.abc import Mapping

REASONS: Mapping[str, str] = {}
