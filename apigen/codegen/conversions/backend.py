"""Conversion functions: `frobber_to_hub` and `frobber_from_hub` for every struct of a version."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from apigen.codegen.backend_input import BackendInput, borrowed_classes
from apigen.codegen.conversions.bodies import Body, PreservingFunctions, ValueConverter, body_of, preserved_step
from apigen.codegen.hand_written import hand_written_name
from apigen.codegen.output import OutputFile, text_file
from apigen.codegen.python.conditions import Scope
from apigen.codegen.python.source_text import HEADER, Imports, literal
from apigen.codegen.rendering import render
from apigen.hub.steps import Step, TypePlan, version_object
from apigen.ir.hand_written import HandWrittenFunction, Role
from apigen.ir.model import Struct, StructType, struct_of, underlying
from apigen.ir.names import HUB_VERSION, Module


def plans_of_versions(backend_input: BackendInput) -> list[tuple[str, str, list[TypePlan]]]:
    """The group, the name and the conversion plans of each version that has a hub; for `BackendInput.once`."""
    plans: dict[tuple[str, str], list[TypePlan]] = {}
    for id_, type_plan in backend_input.hub.plans.items():
        plans.setdefault((id_.group, id_.version), []).append(type_plan)
    versions = ((group.folder, version.name) for group in backend_input.api.groups for version in group.versions)
    return [(*version, plans[version]) for version in versions if version in plans]


def plan(backend_input: BackendInput) -> Iterator[OutputFile]:
    """One module per version that has a hub."""
    for group, version, plans in backend_input.once(plans_of_versions):
        module = _ConversionModule(backend_input, group, version)
        yield text_file(module.module.path, module.text(plans))


class _ConversionModule:
    def __init__(self, backend_input: BackendInput, group: str, version: str) -> None:
        self._backend_input = backend_input
        self._group, self._version = group, version
        self.module = Module.of(group, version, "conversions")
        self._imports = Imports(self.module, short=True)

    def text(self, plans: list[TypePlan]) -> str:
        """Return the text of the module."""
        conversions = [self._conversion(type_plan, to_hub) for type_plan in plans for to_hub in (True, False)]
        return render(
            "conversions/module.py.jinja",
            header=HEADER,
            summary=f"Conversions between {self._group}/{self._version} and the hub.",
            imports=self._imports.render(),
            exported=sorted(literal(str(conversion["name"])) for conversion in conversions),
            conversions=conversions,
        )

    def _conversion(self, type_plan: TypePlan, to_hub: bool) -> dict[str, object]:
        """Return the values of the template for one direction of a type: those of the `generated` function, which fills
        the target, and of the functions around it.
        """
        imports, types = self._imports, self._backend_input.types
        struct = struct_of(type_plan.version, types)
        role = Role.TO_HUB if to_hub else Role.FROM_HUB
        written = self._backend_input.hand_written.get(struct.id, role)
        step = preserved_step(type_plan)
        name = f"{struct.snake_name}_{role}"
        converted = name if step is None else f"_converted_{name}"
        version, hub = imports.type_name(type_plan.version), imports.type_name(type_plan.hub)
        return {
            "name": name,
            "converted": converted,
            "generated": converted if written is None else f"_generated_{converted}",
            "to_hub": to_hub,
            "source": version if to_hub else hub,
            "target": hub if to_hub else version,
            "sentence": self._summary(type_plan, to_hub, ()),
            "whole_doc": self._summary(type_plan, to_hub, type_plan.steps),
            "doc": self._summary(type_plan, to_hub, (each for each in type_plan.steps if each is not step)),
            "preserved": None if step is None else PreservingFunctions(imports, types, step).values(),
            "hand_written": None if written is None else self._hand_written(written),
            **self._values(struct, type_plan, to_hub),
        }

    def _hand_written(self, written: HandWrittenFunction) -> dict[str, str]:
        context = ""
        if written.takes_context:
            context = f', {self._imports.runtime("conversion_context")}({literal(written.name)})'
        return {"function": hand_written_name(self._imports, written), "context": context}

    def _values(self, struct: Struct, type_plan: TypePlan, to_hub: bool) -> dict[str, object]:
        """The values of the body: a call of `copying` if source and target have the same class."""
        if self._backend_input.once(borrowed_classes).get(type_plan.hub) == struct.id:
            return {"copying": self._imports.function(struct.id, "copying", f"copy_{struct.snake_name}")}
        body = self._body(struct, struct_of(type_plan.hub, self._backend_input.types), type_plan, to_hub)
        self._imports.runtime("new")
        fields, blocks = body_of(type_plan, body)
        return {
            "copying": "",
            "type_meta": self._type_meta(body.target),
            "fields": fields,
            "blocks": blocks,
        }

    def _type_meta(self, target: Struct) -> tuple[str, str] | None:
        """The literals of `apiVersion` and `kind`, which objects of the hub do not have."""
        if not target.has_type_meta:
            return None
        id_ = target.id
        is_hub = id_.version == HUB_VERSION
        api_version = "" if is_hub else self._backend_input.api.group(id_.group).api_version(id_.version)
        return literal(api_version), literal(id_.name)

    def _summary(self, type_plan: TypePlan, to_hub: bool, steps: Iterable[Step]) -> str:
        hub_group = "" if type_plan.hub.group == self._group else f"{type_plan.hub.group} "
        version, hub = f"{self._version} {type_plan.version.name}", f"{hub_group}hub {type_plan.hub.name}"
        summary = f"Convert {version} to {hub}." if to_hub else f"Convert {hub} to {version}."
        declared = [line for step in steps if (line := step.describe())]
        return "\n".join([summary, "", *(f"- {line}" for line in declared)]) if declared else summary

    def _body(self, struct: Struct, hub: Struct, type_plan: TypePlan, to_hub: bool) -> Body:
        """The body, and the fields of the target below which its statements change values."""
        places = type_plan.written_places(to_hub)
        owned = frozenset(place[0] for place in places if len(place) > 1)
        further_down = {place[:2] for place in places if len(place) > 2}
        kept = {outer for outer, inner in further_down if self._leaves_out(struct, hub, outer, inner, to_hub)}
        imports, types = self._imports, self._backend_input.types
        return Body(
            to_hub=to_hub,
            target=hub if to_hub else struct,
            scope=Scope.of(version_object(to_hub), struct, types, imports),
            converter=ValueConverter(to_hub, imports, types, self._backend_input.once(borrowed_classes)),
            owned=owned,
            deep=frozenset(outer for outer, _ in further_down if outer not in kept),
        )

    def _leaves_out(self, struct: Struct, hub: Struct, outer: str, inner: str, to_hub: bool) -> bool:
        """Return whether converting the struct `outer` writes nothing into its `inner`, so that this cannot be the
        source's.
        """
        version_field, hub_field = struct.field(outer), hub.field(outer)
        found = underlying(version_field.type) if version_field is not None else None
        other = underlying(hub_field.type) if hub_field is not None else None
        type_plan = self._backend_input.hub.plans.get(found.id) if isinstance(found, StructType) else None
        if type_plan is None or not isinstance(other, StructType) or type_plan.hub != other.id:
            return False
        role = Role.TO_HUB if to_hub else Role.FROM_HUB
        if self._backend_input.hand_written.get(type_plan.version, role) is not None:
            return False
        return inner not in {place[0] for place in type_plan.written_places(to_hub)}
