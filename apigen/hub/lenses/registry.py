"""All lenses, in the order of evaluation; the last one accepts every declaration."""

from __future__ import annotations

from apigen.hub.lenses.alias import AliasLens
from apigen.hub.lenses.constant import ConstantLens
from apigen.hub.lenses.drop import DropLens, HandWrittenLens, MappedAboveLens
from apigen.hub.lenses.flatten import FlattenLens
from apigen.hub.lenses.move import MoveLens
from apigen.hub.lenses.named_list import NamedListLens
from apigen.hub.lenses.request import Lens
from apigen.hub.lenses.select import SelectLens
from apigen.hub.lenses.singular import SingularLens
from apigen.hub.lenses.split import SplitLens
from apigen.language.model import LensSpec

LENSES: tuple[Lens, ...] = (
    MappedAboveLens(),
    DropLens(),
    HandWrittenLens(),
    ConstantLens(),
    NamedListLens(),
    SplitLens(),
    SelectLens(),
    AliasLens(),
    FlattenLens(),
    SingularLens(),
    MoveLens(),
)


def lens_for(spec: LensSpec) -> Lens:
    """Return the lens of a declaration."""
    return next(lens for lens in LENSES if lens.matches(spec))
