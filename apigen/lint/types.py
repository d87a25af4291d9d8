"""Lint rules about types: how an enum grows, how long a kind is supported, and whether a type is used."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics import Diagnostic
from apigen.ir.model import Enum, Struct, TypeDef
from apigen.ir.stability import Stability, releases_later, stability
from apigen.lint.rule import Surroundings, finding, type_rule


@type_rule("AG1105")
def growing_enum_has_unknown(type_: TypeDef, _around: Surroundings) -> Iterator[Diagnostic]:
    """Older clients receive the new value. (Kubernetes API changes, "Backward compatibility gotchas")"""
    if not isinstance(type_, Enum):
        return
    new = next((value for value in type_.values if value.is_rolled_out), None)
    if new is not None and type_.unknown is None and not type_.open and not type_.closed:
        message = f"enum `{type_.id.name}` has a new value, but no `unknown:` for older clients"
        yield finding(new.place, message, "add `unknown:` with a value that all clients know")


@type_rule("AG1106")
def pre_release_ends(type_: TypeDef, _around: Surroundings) -> Iterator[Diagnostic]:
    """Alpha and beta versions are deprecated, and then removed, after three releases each. (Kubernetes deprecation policy, rule 4a)"""
    if not isinstance(type_, Struct):
        return
    life = type_.lifecycle
    if type_.kind is None or life.introduced is None or stability(type_.id.version) is Stability.STABLE:
        return
    if life.deprecated is None and life.removed is None:
        deprecated = releases_later(life.introduced)
        yield finding(
            type_.place,
            f"{type_.id.version} `{type_.id.name}` declares neither `deprecated:` nor `removed:`; pre-release versions must declare both",
            f'declare on the version, or here: `deprecated: "{deprecated}", removed: "{releases_later(deprecated)}"`',
        )


@type_rule("AG1109")
def types_are_used(type_: TypeDef, around: Surroundings) -> Iterator[Diagnostic]:
    """A type that no kind refers to is probably forgotten, or a field of that type is."""
    if type_.id not in around.used:
        yield finding(
            type_.place,
            f"type `{type_.id.name}` is not used by any kind",
            "delete it, or add the missing field that uses it",
        )
