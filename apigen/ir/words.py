"""What types say in words: their documentation, and that of their fields and values, as a digest of each type."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping

from apigen.ir.model import Enum, Struct, TypeDef
from apigen.ir.types import TypeId

_DIGEST_SIZE = 12

Words = Mapping[str, bytes]
"""By type, as `group/version.Type`."""


def words_of(types: Iterable[TypeDef]) -> Words:
    """The digests of types; of one that says nothing as of any other."""
    return {str(type_.id): _digest(type_) for type_ in types}


def other_words(before: Words, types: Mapping[TypeId, TypeDef]) -> frozenset[TypeId]:
    """The types that say something else than before, or of which it is not known."""
    return frozenset(id_ for id_, type_ in types.items() if before.get(str(id_)) != _digest(type_))


def _digest(type_: TypeDef) -> bytes:
    said = [type_.doc]
    match type_:
        case Struct():
            said += [field.doc for field in type_.fields]
            said += [inline.doc for inline in type_.inlines]
        case Enum():
            said += [value.doc for value in type_.values]
    return hashlib.blake2b(repr(said).encode("utf-8", "surrogatepass"), digest_size=_DIGEST_SIZE).digest()
