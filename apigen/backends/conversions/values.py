"""The expression that converts one value, in either direction."""

from __future__ import annotations

from collections.abc import Mapping

from apigen.dataclass import dataclass
from apigen.hub.values import (
    Converted,
    Copied,
    EachItem,
    EachValue,
    Narrowed,
    Same,
    UnlessNone,
    ValueConversion,
    narrows,
)
from apigen.ir.model import Struct, TypeDef
from apigen.ir.types import TypeId
from apigen.python.modules import Imports


@dataclass(frozen=True, slots=True)
class ValueConverter:
    """Writes expressions for one direction of one module. `owned` values never share what is mutable with the input."""

    to_hub: bool
    imports: Imports
    types: Mapping[TypeId, TypeDef]
    path: str

    def expression(self, value: ValueConversion, expression: str, *, owned: bool = False, depth: int = 0) -> str:
        """The converted value of `expression`, which is not `None`."""
        match value:
            case Same():
                return expression
            case Narrowed(version, hub):
                from_, to = (version, hub) if self.to_hub else (hub, version)
                if not narrows(from_, to):
                    return expression
                return f'{self.imports.runtime(f"checked_{to}", "conversion")}({expression}, "{self.path}")'
            case Copied(id_):
                copied = f"{self.imports.function(id_, 'copying', f'copy_{self.types[id_].snake_name}')}({expression})"
                return copied if owned else f"{expression} if share else {copied}"
            case Converted(version, _):
                return self._converted(version, expression)
            case UnlessNone(inner):
                converted = self.expression(inner, expression, owned=owned, depth=depth)
                return f"None if {expression} is None else {converted}"
            case EachItem(Same()):
                return f"list({expression})"
            case EachItem(inner):
                item = "item" if depth == 0 else f"item{depth + 1}"
                return f"[{self.expression(inner, item, owned=owned, depth=depth + 1)} for {item} in {expression}]"
            case EachValue(Same()):
                return f"dict({expression})"
            case EachValue(inner):
                key, item = ("key", "item") if depth == 0 else (f"key{depth + 1}", f"item{depth + 1}")
                converted = self.expression(inner, item, owned=owned, depth=depth + 1)
                return f"{{{key}: {converted} for {key}, {item} in {expression}.items()}}"

    def _converted(self, version: TypeId, expression: str) -> str:
        struct = self.types[version]
        direction = "to_hub" if self.to_hub else "from_hub"
        name = self.imports.function(version, "conversions", f"{struct.snake_name}_{direction}")
        call = f"{name}({expression}, share=share)"
        if not self.to_hub and isinstance(struct, Struct) and struct.has_type_meta:
            return f"{self.imports.runtime('without_type_meta', 'conversion')}({call})"
        return call
