"""All lenses, in the order of evaluation, by the place where they are declared."""

from __future__ import annotations

from apigen.hub.lenses.alias import ALIAS
from apigen.hub.lenses.constant import CONSTANT, FROM_METADATA
from apigen.hub.lenses.drop import ADJUSTED, BY_HAND, DROP, MAPPED_ABOVE
from apigen.hub.lenses.move import MOVE
from apigen.hub.lenses.named_list import LIST, MAP
from apigen.hub.lenses.request import Lens
from apigen.hub.lenses.select import SELECT
from apigen.hub.lenses.singular import SINGULAR
from apigen.hub.lenses.split import SPLIT
from apigen.language.model import LensSpec

LENSES: tuple[Lens, ...] = (
    MAPPED_ABOVE,
    DROP,
    ADJUSTED,
    BY_HAND,
    FROM_METADATA,
    CONSTANT,
    LIST,
    MAP,
    SPLIT,
    SELECT,
    ALIAS,
    SINGULAR,
)
"""The lenses of a field of a version; all other declarations are those of a move. The planner flattens (`.`) itself."""

HUB_ONLY: tuple[Lens, ...] = (FROM_METADATA, CONSTANT, DROP, BY_HAND)
"""The lenses of `hubOnly:` other than `annotation`."""


def lens_for(spec: LensSpec) -> Lens:
    """Return the lens of a declaration on a field of a version."""
    return next((lens for lens in LENSES if lens.matches(spec)), MOVE)
