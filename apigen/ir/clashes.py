"""Two things of one class with one Python or protobuf name, and names that classes have already."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from apigen.diagnostics import Place, Related
from apigen.diagnostics.quoting import quote
from apigen.ir.checks import Checks
from apigen.ir.model import Enum, Struct
from apigen.ir.names import is_identifier
from apigen.ir.reserved import TYPE_META, TYPE_META_PY

_Named = tuple[str, str, Place]
"""The name in JSON, the name in Python or protobuf, and the place."""


def check_struct_names(struct: Struct, checks: Checks) -> None:
    """Report fields of a struct that have one name in Python, or one in its protobuf message."""
    fields = [(field.json_name, field.py_name, field.place) for field in struct.fields]
    _check_twice("AG0310", "in Python", "pyName", fields, checks)
    message = [(f.json_name, f.protobuf_name, f.place) for f in struct.own_fields]
    message += [(i.name, i.protobuf_name, i.place) for i in struct.inlines if not i.via]
    for name, protobuf_name, place in message:
        if not is_identifier(protobuf_name):
            checks.run.error("AG0411", place, f"{quote(name)} cannot be called {quote(protobuf_name)} in protobuf")
    _check_twice("AG0411", "in protobuf", "protobufName", message, checks)
    if struct.has_type_meta:
        for name, py_name, place in fields:
            if name in TYPE_META or py_name in TYPE_META_PY:
                checks.run.error(
                    "AG0317",
                    place,
                    f"every kind and list has `apiVersion` and `kind`, so {quote(name)} of `{struct.id.name}` needs another name",
                    hint="leave the field out if it is meant to be that one",
                )


def check_enum_names(enum: Enum, checks: Checks) -> None:
    """Report values of an enum that have one name in Python."""
    values = [(value.value, value.py_name, value.place) for value in enum.values]
    _check_twice("AG0310", "in Python", "pyName", values, checks)


def _check_twice(code: str, where: str, word: str, named: Iterable[_Named], checks: Checks) -> None:
    for (first, _, first_place), (second, name, place) in _repeated(named):
        checks.run.error(
            code,
            place,
            f"{quote(first)} and {quote(second)} are both `{name}` {where}",
            hint=f"give one of them a `{word}:`",
            related=[Related(first_place, f"{quote(first)} stands here")],
        )


def _repeated(named: Iterable[_Named]) -> Iterator[tuple[_Named, _Named]]:
    seen: dict[str, _Named] = {}
    for one in named:
        first = seen.setdefault(one[1], one)
        if first is not one:
            yield first, one
