"""What the release before acted on as gone already."""

from __future__ import annotations

from apigen.compat.changes.change import Altered
from apigen.compat.context import Context
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.impact import Direction, Hit, depends
from apigen.compat.windows import acting_release
from apigen.ir.model import Release

_ACTED_ON = frozenset({ElementKind.VERSION, ElementKind.KIND, ElementKind.FIELD})
"""Servers do not serve, or drop, what is past its `removed:`; values of enums stay what they are."""


def gone_before_hits(change: Altered, context: Context) -> dict[Direction, Hit]:
    """Of a `removed:` that was put off, or is not said any more, after its release had come; none where it had not."""
    release = acting_release(context.old, change.element.group)
    is_past = isinstance(change.before, Release) and release is not None and change.before <= release
    if not is_past or change.element.kind not in _ACTED_ON:
        return {}
    hit = depends(f"{release} acts as if it were gone: what a new client or server writes is dropped there")
    return {Direction.NEW_CLIENT: hit, Direction.ROLLBACK: hit}
