"""Generated tests of a rollback: a server of the previous release preserves objects that this release stores by
default.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from apigen.codegen.backend_input import BackendInput
from apigen.codegen.generated_tests.property_tests import STRATEGIES, converted_structs, objects_module, strategy_name
from apigen.codegen.output import OutputFile, text_file
from apigen.codegen.python.source_text import HEADER, Imports, literal
from apigen.codegen.rendering import render
from apigen.history.rollback import Lost, Rollback, RollbackLoss
from apigen.ir.model import Group, Struct, struct_of
from apigen.ir.names import Module, package_name


def plan(backend_input: BackendInput) -> Iterator[OutputFile]:
    """Yield a module of tests for each recorded group, and their shared code; empty without a record."""
    rollback = backend_input.rollback
    if rollback is None:
        return
    files = [file for group in backend_input.api.groups if (file := _of_group(backend_input, rollback, group))]
    if files:
        support = render(
            "rollback_tests/rollback.py.jinja",
            header=HEADER,
            release=literal(str(rollback.release)),
            before=literal(str(rollback.before)),
        )
        yield text_file("tests/rollback.py", support)
        yield from files


def _of_group(backend_input: BackendInput, rollback: Rollback, group: Group) -> OutputFile | None:
    converted = converted_structs(backend_input)
    structs = [converted[id_] for id_ in rollback.kinds if id_.group == group.folder and id_ in converted]
    if not structs:
        return None
    module = Module(("tests", f"test_rollback_{package_name(group.folder)}"))
    imports = Imports(module)
    for name in ("checks", "rollback"):
        imports.submodule(Module(("tests", name)), name)
    imports.submodule(STRATEGIES, "st")
    kinds = {struct.id: _kind(struct, group, imports) for struct in structs}
    lost = [loss for loss in rollback.losses if loss.lost is Lost.FIELD and loss.owner is not None]
    losses = [
        _loss(backend_input, loss, kinds[loss.kind], imports)
        for loss in lost
        if loss.kind is not None and loss.kind in kinds
    ]
    text = render(
        "rollback_tests/tests.py.jinja",
        header=HEADER,
        summary=f"Objects of {group.folder} that {rollback.release} stores are preserved by {rollback.before}.",
        imports="\n".join(line for line in imports.render() if "__future__" not in line).strip("\n"),
        lost=[f"({loss['type']}, {loss['field']})" for loss in losses],
        kinds=list(kinds.values()),
        losses=losses,
    )
    return text_file(module.path, text)


def _kind(struct: Struct, group: Group, imports: Imports) -> dict[str, object]:
    """Return the values of the template for a kind: everything is source text."""
    kind = struct.kind
    assert kind is not None
    objects = objects_module(struct.id)
    return {
        "constant": struct.snake_name.upper(),
        "name": literal(kind.name),
        "group": literal(group.name),
        "has_status": "status" in kind.subresources,
        "has_protobuf": group.has_protobuf,
        "function": struct.snake_name,
        "objects": f"{imports.submodule(objects, objects.parts[-1])}.{strategy_name(struct)}",
        "type": imports.type_name(struct.id),
    }


def _loss(
    backend_input: BackendInput, loss: RollbackLoss, kind: Mapping[str, object], imports: Imports
) -> dict[str, object]:
    """Return the values of the template for a field that a rollback does not preserve."""
    assert loss.owner is not None
    owner = struct_of(loss.owner, backend_input.types)
    field = owner.field(loss.field)
    assert field is not None
    return {
        "function": f"{owner.snake_name}_{field.py_name}",
        "objects": kind["objects"],
        "constant": kind["constant"],
        "type": imports.type_name(owner.id),
        "field": literal(field.py_name),
    }
