"""The scope in which an element of a file is read."""

from __future__ import annotations

from google.protobuf.descriptor_pb2 import FeatureSet

from apigen.dataclass import dataclass, replace
from apigen.diagnostics import Place
from apigen.review.sources.proto.features import Features
from apigen.review.sources.proto.names import Symbols
from apigen.review.sources.proto.options import Declared
from apigen.review.sources.proto.reading import Positions, TreePath
from apigen.review.surface import Unread


@dataclass(frozen=True, slots=True)
class Scope:
    """The file, the element around, and its features. `full` is the full name of that, of the package at first."""

    file: str
    full: str
    features: Features
    positions: Positions
    symbols: Symbols
    declared: Declared
    unread: list[Unread]
    path: TreePath = ()

    def at(self, *more: int) -> Place:
        """Return the place of a part of the element."""
        return self.positions.at(*self.path, *more)

    def doc(self, *more: int) -> str | None:
        """The comment of a part of the element."""
        return self.positions.doc(*self.path, *more)

    def inside(self, name: str, features: FeatureSet, *more: int) -> Scope:
        """The scope within a named part of the element."""
        full = f"{self.full}.{name}".lstrip(".")
        return replace(self, full=full, features=self.features.inside(features), path=(*self.path, *more))
