"""Fields that get a value where they are left out, though a server drops them."""

from __future__ import annotations

from apigen.compat.context import Context
from apigen.compat.surface.resolving import unfolded
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Field
from apigen.compat.verdict.impact import Hit, depends


def is_filled(field: Field, side: Surface, context: Context, gate: str = "") -> bool:
    """Whether a field of a side has a default, be it one by path, that does not ask a gate.

    What drops the field drops its default before that is judged; where nothing drops it, it is judged.
    """
    default = unfolded(side, field.slot).default
    by_path = context.filled_from_above[1 if side is context.new else 0]
    return gate not in default.gates if default is not None else field.name in by_path


def left_out_hit(path: str) -> Hit:
    """Of a server of before that fills in what the new release drops, in the direction of new clients."""
    return depends(f"a new client leaves {path} out: a server of before fills it in, and judges what it gives")
