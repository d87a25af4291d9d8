"""What is said of options that are not compared."""

from __future__ import annotations

from collections.abc import Iterable

from google.protobuf.descriptor_pb2 import EnumValueOptions, OneofOptions

from apigen.compat.sources.proto.scope import Scope
from apigen.compat.surface.surface import Unread
from apigen.diagnostics.quoting import quote

_READ = {"deprecated", "features"}


def tell_unread(scope: Scope, parts: str, options: Iterable[EnumValueOptions | OneofOptions]) -> None:
    """Say once for a type that options of its parts are there, which is all that is known of them here."""
    if any(_says_more(each) for each in options):
        scope.unread.append(Unread(scope.at(), f"options of {parts} of {quote(scope.full)} are not compared"))


def _says_more(options: EnumValueOptions | OneofOptions) -> bool:
    if not options.ByteSize():
        return False
    bare = type(options)()
    bare.CopyFrom(options)  # type: ignore[arg-type]
    for name in _READ & set(bare.DESCRIPTOR.fields_by_name):
        bare.ClearField(name)  # type: ignore[arg-type]
    return bool(bare.ByteSize())
