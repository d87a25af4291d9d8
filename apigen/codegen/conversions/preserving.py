"""The code around conversions of a kind with `preserve:`, and how its hub is read and written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from apigen.codegen.python.source_text import Code, Imports, literal
from apigen.dataclass import dataclass
from apigen.hub.holding import structs_in_fields
from apigen.hub.lenses.preserved import Preserved
from apigen.hub.steps import TypePlan
from apigen.ir.graphs import reached
from apigen.ir.model import Field, Struct, TypeDef, Union
from apigen.ir.types import ListType, TypeId, struct_in, underlying


def preserved_step(plan: TypePlan) -> Preserved | None:
    """Return the step for `preserve:` of a kind, if it has one."""
    return next((step for step in plan.steps if isinstance(step, Preserved)), None)


@dataclass(frozen=True, slots=True)
class PreservingFunctions:
    """Write the functions of one kind whose conversions without the annotation are named `inner`."""

    imports: Imports
    types: Mapping[TypeId, TypeDef]
    step: Preserved
    snake_name: str

    def preservation(self, inner_to_hub: str, inner_from_hub: str) -> Code:
        """Return the function that creates the `Preservation` of the kind."""
        code = Code()
        class_name = self.imports.runtime("Preservation")
        followed = self.types[self.step.followed]
        encode = self._of_followed("json_codec", f"encode_{followed.snake_name}")
        decode = self._of_followed("json_codec", f"decode_{followed.snake_name}")
        to_hub = self._of_followed("conversions", f"{followed.snake_name}_to_hub")
        from_hub = self._of_followed("conversions", f"{followed.snake_name}_from_hub")
        version = self.types[self.step.version]
        encode_version = self.imports.function(version.id, "json_codec", f"encode_{version.snake_name}")
        decode_version = self.imports.function(version.id, "json_codec", f"decode_{version.snake_name}")
        with code.block(f"def {self._name}() -> {class_name}:"):
            code.docstring(f"How the annotation {self.step.key} preserves objects of the hub.")
            arguments = (
                literal(self.step.key),
                f"lambda hub: {encode}({from_hub}(hub))",
                f"lambda data, path: {to_hub}({decode}(data, path))",
                inner_to_hub,
                inner_from_hub,
                f"lambda version: {decode_version}({encode_version}(version), {literal(version.id.name)})",
                f"{{{', '.join(self._keys())}}}",
                f"{{{', '.join(self._unions())}}}",
            )
            code.line(f"return {class_name}({', '.join(arguments)})")
        return code

    def wrapper(self, code: Code, inner: str, to_hub: bool) -> None:
        """Write the body of a conversion that calls `inner`, the same one without the annotation."""
        code.line(f"target = {inner}(source, share=share)")
        verb = "restore" if to_hub else "preserve"
        if to_hub:
            path = f"source.{self.step.annotations[0].py_name}.{self.step.annotations[1].py_name}"
            with code.block(f"if {literal(self.step.key)} not in ({path} or ()):"):
                code.line("return target")
        code.line(f"return {self._name}().{verb}(source, target)")

    @property
    def _name(self) -> str:
        return f"_preservation_of_{self.snake_name}"

    def _of_followed(self, module: str, name: str) -> str:
        return self.imports.function(self.step.followed, module, name)

    def _structs(self) -> list[Struct]:
        """The structs of the hub's object, apart from its metadata, in order of their names."""
        ids = reached({self.step.hub}, lambda id_: structs_in_fields(id_, self.types, without="metadata"))
        return [struct for id_ in sorted(ids, key=str) if isinstance(struct := self.types.get(id_), Struct)]

    def _keys(self) -> Iterator[str]:
        """The attributes that identify the items of lists, by class and attribute of the list."""
        for struct in self._structs():
            for field in struct.fields:
                keys = self._keys_of(field)
                if keys:
                    yield f"({self.imports.type_name(struct.id)}, {literal(field.py_name)}): ({', '.join(keys)},)"

    def _keys_of(self, field: Field) -> list[str]:
        behind = underlying(field.type)
        item = struct_in(behind.item) if isinstance(behind, ListType) else None
        struct = self.types.get(item) if item is not None else None
        names = [key.value for key in field.merge.list_map_keys]
        if not names and field.merge.patch_merge_key is not None:
            names = [field.merge.patch_merge_key.value]
        found = [struct.field(name) for name in names] if isinstance(struct, Struct) else []
        return [literal(f.py_name) for f in found if f is not None] if None not in found else []

    def _unions(self) -> Iterator[str]:
        """The attributes of unions, by class."""
        for struct in self._structs():
            unions = [self._union(struct, union) for union in struct.unions]
            if unions:
                yield f"{self.imports.type_name(struct.id)}: ({', '.join(unions)},)"

    def _union(self, struct: Struct, union: Union) -> str:
        names = [*(member.json_name for member in union.members), *filter(None, [union.discriminator])]
        fields = [field for name in names if (field := struct.field(name)) is not None]
        return f"({''.join(f'{literal(field.py_name)}, ' for field in fields)})"
