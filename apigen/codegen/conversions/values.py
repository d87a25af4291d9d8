"""The expression that converts one value, in either direction."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from apigen.codegen.python.source_text import Imports, alternative, literal
from apigen.codegen.python.zero import copied_list, copied_map
from apigen.dataclass import dataclass
from apigen.ir.model import Struct, TypeDef
from apigen.ir.types import StructType, Type, TypeId
from apigen.ir.value_conversions import (
    Converted,
    Copied,
    EachItem,
    EachValue,
    Narrowed,
    Same,
    Sharing,
    UnlessNone,
    ValueConversion,
    innermost,
    narrows,
)


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop over items of `type`: `converted` is the expression for its variable. The list itself is used if it
    `may_be_shared`.
    """

    type: Type
    converted: Callable[[str], str]
    may_be_shared: bool


@dataclass(frozen=True, slots=True)
class ValueConverter:
    """Write expressions for one direction of one module. `borrowed`: the types whose class serves version and hub."""

    to_hub: bool
    imports: Imports
    types: Mapping[TypeId, TypeDef]
    borrowed: Mapping[TypeId, TypeId]
    allowed: Sharing = Sharing.ALL
    """The parts of the source that the target place may share."""

    def expression(
        self, value: ValueConversion, expression: str, sharing: Sharing = Sharing.ALL, path: str = ""
    ) -> str:
        """The converted value of `expression`, which is not `None`; `path` leads to it from the source, for errors."""
        if isinstance(value, Same):
            return expression
        result = self._converted_text(value, expression, sharing, 0, path)
        may_be_itself = sharing is Sharing.ALL and self._is_as_it_was(value)
        return f"{expression} if share else {alternative(result)}" if may_be_itself else result

    def loop(self, value: ValueConversion) -> Loop | None:
        """Return the loop that converts a list that is not `None`; None for all but lists of structs."""
        match value:
            case EachItem(Copied(id_) as inner):
                type_ = id_
            case EachItem(Converted(version, hub) as inner):
                type_ = version if self.to_hub else hub
            case _:
                return None
        converted = partial(self._converted_text, inner, sharing=self.allowed, depth=1)
        return Loop(StructType(type_), converted, self.allowed is Sharing.ALL and self._is_as_it_was(value))

    def _is_as_it_was(self, value: ValueConversion) -> bool:
        """Return whether the value itself would do, if it may be shared."""
        match innermost(value):
            case Same() | Copied():
                return True
            case Converted(version, hub):
                return self.borrowed.get(hub) == version
        return False

    def _converted_text(
        self, value: ValueConversion, expression: str, sharing: Sharing, depth: int, path: str = ""
    ) -> str:
        number = str(depth + 1) if depth else ""
        match value:
            case Same():
                return expression
            case Narrowed(version, hub):
                from_, to = (version, hub) if self.to_hub else (hub, version)
                if not narrows(from_, to):
                    return expression
                return f"{self.imports.runtime(f'checked_{to}')}({expression}, {literal(path)})"
            case Copied(id_):
                return self._copied(id_, expression)
            case Converted(version, hub):
                if self.borrowed.get(hub) == version:
                    return self._copied(version, expression)
                return self._converted(version, expression, sharing)
            case UnlessNone(inner):
                result = self._converted_text(inner, expression, sharing, depth, path)
                return f"None if {expression} is None else {alternative(result)}"
            case EachItem(Same()):
                return copied_list(expression)
            case EachItem(inner):
                return f"[{self._converted_text(inner, f'item{number}', sharing, depth + 1, path)} for item{number} in {expression}]"
            case EachValue(Same()):
                return copied_map(expression)
            case EachValue(inner):
                result = self._converted_text(inner, f"item{number}", sharing, depth + 1, path)
                return f"{{key{number}: {result} for key{number}, item{number} in {expression}.items()}}"

    def _copied(self, id_: TypeId, expression: str) -> str:
        return f"{self.imports.function(id_, 'copying', f'copy_{self.types[id_].snake_name}')}({expression})"

    def _converted(self, version: TypeId, expression: str, sharing: Sharing) -> str:
        struct = self.types[version]
        direction = "to_hub" if self.to_hub else "from_hub"
        name = self.imports.function(version, "conversions", f"{struct.snake_name}_{direction}")
        call = f"{name}({expression})" if sharing is Sharing.NOTHING else f"{name}({expression}, share=share)"
        if not self.to_hub and isinstance(struct, Struct) and struct.has_type_meta:
            return f"{self.imports.runtime('without_type_meta')}({call})"
        return call
