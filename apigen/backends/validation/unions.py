"""Writes the checks of unions: fields of which one is set, with or without a discriminator."""

from __future__ import annotations

from apigen.backends.validation.values import ValueWriter
from apigen.ir.model import Field, Struct, Union
from apigen.python.code import Code, literal
from apigen.python.conditions import Scope, is_set


def union_checks(code: Code, union: Union, struct: Struct, scope: Scope, writer: ValueWriter) -> None:
    """The check of one union; it is judged again only when its members come or go, or its discriminator changes."""
    members = [(struct.field(m.json_name), m) for m in union.members]
    fields = [(f, m.value) for f, m in members if f is not None]
    now = _members("obj", [f for f, _ in fields], struct, scope, writer)
    before = _members("old", [f for f, _ in fields], struct, scope, writer)
    optional = ", optional=True" if union.optional else ""
    discriminator = struct.field(union.discriminator) if union.discriminator else None
    if discriminator is None:
        function = writer.runtime("union_errors")
        code.line(f"now = {now}")
        code.line(f"before = {before} if old is not None else None")
        code.line(f"errors.extend({function}(path, now, before{optional}))")
        return
    shown = literal(writer.names.shown(struct, discriminator))
    values = ", ".join(f"{literal(writer.names.shown(struct, f))}: {literal(value or '')}" for f, value in fields)
    function = writer.runtime("discriminated_union_errors")
    attribute = discriminator.py_name
    code.line(f"chosen = (obj.{attribute}, {now})")
    code.line(f"chosen_before = (old.{attribute}, {before}) if old is not None else None")
    code.line(f"errors.extend({function}(path, {shown}, {{{values}}}, chosen, chosen_before{optional}))")


def _members(root: str, fields: list[Field], struct: Struct, scope: Scope, writer: ValueWriter) -> str:
    parts = []
    for member in fields:
        there = is_set(member.type, member.can_be_none, scope)(f"{root}.{member.py_name}")
        parts.append(f"{literal(writer.names.shown(struct, member))}: {there}")
    return f"{{{', '.join(parts)}}}"
