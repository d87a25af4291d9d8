"""Tests of requests with fields that became plural, generated with the code: `tests/test_<group>_<version>_singulars.py`.

Each struct with a singular field is tested with the table of Kubernetes' rules; the tests need only the package.
"""

from __future__ import annotations

from collections.abc import Iterator

from apigen.codegen.backend_input import BackendInput
from apigen.codegen.output import OutputFile, text_file
from apigen.codegen.python.source_text import HEADER, Imports
from apigen.codegen.rendering import render
from apigen.codegen.singulars import MODULE, Singulars
from apigen.hub.lenses.singular import Singular
from apigen.ir.model import Field, ListType, Struct, StructType, TypeId, underlying
from apigen.ir.names import Module, package_name

Values = dict[str, str]
"""The values of the template for a struct and a singular of it. `one` is the expression that creates an element of the plural
from a string.
"""


def plan(backend_input: BackendInput) -> Iterator[OutputFile]:
    """One module for each version that has singulars in a kind."""
    singulars = Singulars(backend_input)
    for group in backend_input.api.groups:
        for version in group.versions:
            roots = singulars.roots(group, version)
            module = Module(("tests", f"test_{package_name(group.folder)}_{version.name}_singulars"))
            imports = Imports(module)
            with_plural = list(_with_plural(singulars, roots, imports))
            alone = list(_alone(singulars, roots, imports))
            if with_plural or alone:
                if with_plural:
                    imports.runtime("FieldError")
                    imports.runtime("ROOT")
                text = render(
                    "singulars/tests.py.jinja",
                    header=HEADER,
                    summary=f"Requests of {group.folder}/{version.name} that set a field as singular, plural or both.",
                    imports=imports.render(),
                    with_plural=with_plural,
                    alone=alone,
                )
                yield text_file(module.path, text)


def _with_plural(singulars: Singulars, roots: tuple[Struct, ...], imports: Imports) -> Iterator[Values]:
    here = {(root.id.group, root.id.version) for root in roots}
    for id_, steps in singulars.with_plural.items():
        is_reached = any(id_ in singulars.places.below(root.id) for root in roots)
        if (id_.group, id_.version) in here and is_reached:
            for step in steps:
                if step.plural is not None and len(step.version) == len(step.plural) == 1:
                    struct = singulars.places.struct(id_)
                    yield _test(step, struct, roots[0].id, "normalize", step.plural[0], imports)


def _alone(singulars: Singulars, roots: tuple[Struct, ...], imports: Imports) -> Iterator[Values]:
    for root in roots[:1]:
        for hub, steps in singulars.alone.get((root.id.group, root.id.version), {}).items():
            if any(hub in singulars.places.below(singulars.hub(r.id).id) for r in roots):
                for step in steps:
                    if len(step.hub) == 1:
                        struct = singulars.places.struct(hub)
                        yield _test(step, struct, root.id, "restore", step.hub[0], imports)


def _test(step: Singular, struct: Struct, version: TypeId, verb: str, plural: Field, imports: Imports) -> Values:
    behind = underlying(plural.type)
    item = underlying(behind.item) if isinstance(behind, ListType) else None
    one, texts = "text", "item"
    member = step.member if verb == "restore" else step.version_member
    if member is not None and isinstance(item, StructType):
        one, texts = f"{imports.type_name(item.id)}({member.py_name}=text)", f"item.{member.py_name}"
    singular = step.version[0]
    function = imports.name(Module.of(version.group, version.version, MODULE), f"{verb}_{struct.snake_name}")
    return {
        "name": f"{struct.snake_name}_{singular.py_name}",
        "title": f"{singular.json_name} is the first of {plural.json_name}",
        "function": function,
        "type": imports.type_name(struct.id),
        "singular": singular.py_name,
        "plural": plural.py_name,
        "one": one,
        "texts": texts,
    }
