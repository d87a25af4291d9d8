"""Requests of fields that became plural: `singulars.py` of each version that has `hub: names[0]` in a kind.

If a version has singular and plural, the two are reconciled before conversion (`normalize_…`). If it only has the
singular, the plural is restored from the old object after conversion (`restore_…`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from apigen.codegen.compilation import Compilation
from apigen.codegen.hub_names import ShownNames
from apigen.codegen.output import OutputFile, text_file
from apigen.codegen.python.source_text import Code, Imports, function, literal
from apigen.codegen.python.walking import attribute, guards_of, item_key
from apigen.codegen.rendering import functions_module
from apigen.codegen.strategies.values import a, element_name
from apigen.codegen.strategies.walks import Child, Places
from apigen.codegen.types.annotations import item_can_be_none
from apigen.dataclass import dataclass
from apigen.hub.lenses.singular import Singular
from apigen.ir.model import (
    Field,
    Group,
    ListType,
    MapType,
    Struct,
    StructType,
    Type,
    TypeId,
    Version,
    merge_of,
    underlying,
)
from apigen.ir.names import Module

MODULE = "singulars"
STATUS = "status"


def plan(compilation: Compilation) -> Iterator[OutputFile]:
    """Yield a module for each version whose kinds have singulars that are reconciled in requests."""
    singulars = Singulars(compilation)
    for group in compilation.api.groups:
        for version in group.versions:
            roots = singulars.roots(group, version)
            if roots:
                module = Module.of(group.folder, version.name, MODULE)
                yield text_file(module.path, _VersionModule(singulars, Imports(module), roots).text(version))


class Singulars:
    """Which structs have singulars in or below them: of versions with the plural next to it, and hub types without."""

    def __init__(self, compilation: Compilation) -> None:
        self.compilation = compilation
        self.places = Places(compilation.types, ShownNames.of(compilation))
        self.with_plural: dict[TypeId, tuple[Singular, ...]] = {}
        self.alone: dict[tuple[str, str], dict[TypeId, tuple[Singular, ...]]] = {}
        for id_, plan_ in compilation.hub.plans.items():
            steps = [s for s in plan_.steps if isinstance(s, Singular) and s.by_request]
            with_plural = tuple(s for s in steps if s.plural is not None)
            alone = tuple(s for s in steps if s.plural is None)
            if with_plural:
                self.with_plural[id_] = with_plural
            if alone:
                self.alone.setdefault((id_.group, id_.version), {})[plan_.hub] = alone
        self.above_with_plural = self.places.above(self.with_plural)
        """The structs of versions that have a singular next to its plural, directly or below."""
        self._above_alone = {version: self.places.above(hubs) for version, hubs in self.alone.items()}

    def roots(self, group: Group, version: Version) -> tuple[Struct, ...]:
        """The kinds of a version that have any."""
        structs = self.compilation.api.structs(group.folder, version.name)
        return tuple(s for s in structs if s.kind is not None and group.kind(s.id.name) and self.has(s.id))

    def has(self, root: TypeId) -> bool:
        """Return whether a kind of a version has any."""
        return root in self.above_with_plural or self._hub(root) in self.above_alone(root)

    def above_alone(self, version: TypeId) -> frozenset[TypeId]:
        """The hub types in or below which a version has a singular alone."""
        return self._above_alone.get((version.group, version.version), frozenset())

    def hub(self, version: TypeId) -> Struct:
        """The hub type of a version's struct."""
        return self.places.struct(self._hub(version))

    def _hub(self, version: TypeId) -> TypeId:
        return self.compilation.hub.hub_of.get(version, version)


@dataclass(frozen=True, slots=True)
class _Walk:
    """One of the two walks: its verb, the structs to visit, the code and the docstring for one of them, and whether it has
    the parameters for errors.
    """

    verb: str
    through: frozenset[TypeId]
    own: Callable[[Code, Struct], None]
    doc: str
    with_errors: bool


_NORMALIZE = "Make singulars and plurals of {} agree; `old` is the stored object, `None` on create."
_RESTORE = "Restore plurals of {} that a request cannot express, from `old`, which must not be used afterwards."


@dataclass(slots=True)
class _VersionModule:
    """Writes the module of one version."""

    singulars: Singulars
    imports: Imports
    roots: tuple[Struct, ...]

    def text(self, version: Version) -> str:
        """The module."""
        own = _Walk("normalize", self.singulars.above_with_plural, self._reconcile, _NORMALIZE, True)
        functions = list(self._functions(own, self.roots))
        first = self.roots[0].id
        hubs = tuple(self.singulars.hub(root.id) for root in self.roots)
        back = _Walk("restore", self.singulars.above_alone(first), self._restore, _RESTORE, False)
        functions += self._functions(back, hubs)
        summary = f"Requests of {first.group}/{version.name} that set a field as singular, plural or both."
        return functions_module(summary, self.imports, functions)

    def _functions(self, walk: _Walk, roots: tuple[Struct, ...]) -> Iterator[Code]:
        later: dict[TypeId, None] = {}
        for root in (r for r in roots if r.id in walk.through):
            has_status = root.kind is not None and STATUS in root.kind.subresources
            parts: list[tuple[str, Callable[[Child], bool]]] = [("", lambda child: True)]
            if has_status:
                parts = [
                    ("", lambda child: child.field.json_name != STATUS),
                    (f"_for_{STATUS}", lambda child: child.field.json_name == STATUS),
                ]
            for suffix, is_included in parts:
                code = self._function(walk, root, suffix, is_included)
                if code is not None:
                    yield code
            for child in self.singulars.places.children(root.id):
                later.update(dict.fromkeys(i for i in self.singulars.places.below(child.struct) if i in walk.through))
        for id_ in later:
            struct = self.singulars.places.struct(id_)
            code = self._function(walk, struct, "", lambda child: True) if struct not in roots else None
            if code is not None:
                yield code

    def _function(self, walk: _Walk, struct: Struct, suffix: str, is_included: Callable[[Child], bool]) -> Code | None:
        body = Code()
        if not suffix:
            walk.own(body, struct)
        for child in self.singulars.places.children(struct.id):
            if child.struct in walk.through and is_included(child):
                self._child(body, walk, child)
        if body.is_empty:
            return None
        type_ = self.imports.type_name(struct.id)
        old = f"{type_} | None" if walk.with_errors else type_
        arguments = [f"obj: {type_}", f"old: {old}"]
        if walk.with_errors:
            arguments.append(f"path: {self.imports.runtime('FieldPath')}")
            errors = self.imports.runtime("FieldError")
            arguments.append(f"errors: list[{errors}]")
        header = f"def {walk.verb}_{self._name(struct)}{suffix}({', '.join(arguments)}) -> None:"
        return function(header, walk.doc.format(a(struct.id.name)), body)

    def _name(self, struct: Struct) -> str:
        """Return a function's name; those for types of other versions have the version as prefix."""
        version = (struct.id.group, struct.id.version)
        own_version = (self.roots[0].id.group, self.roots[0].id.version)
        if version == own_version or struct.id.version == "hub":
            return struct.snake_name
        return f"{version[0]}_{version[1]}_{struct.snake_name}".replace(".", "_").replace("-", "_")

    # --- one struct

    def _reconcile(self, code: Code, struct: Struct) -> None:
        for step in self.singulars.with_plural.get(struct.id, ()):
            assert step.plural is not None
            value, items = attribute("obj", step.version), attribute("obj", step.plural)
            before = f"({attribute('old', step.version)}, {attribute('old', step.plural)})"
            olds = " and ".join(["old is not None", *guards_of("old", step.version), *guards_of("old", step.plural)])
            call = f"{self._runtime('reconciled')}({value}, {items}, {before} if {olds} else None, {self._make(step)})"
            with code.when([*guards_of("obj", step.version), *guards_of("obj", step.plural)]):
                code.line(f"{items} = {call}{'' if step.plural[-1].can_be_none else ' or []'}")
                path = "".join(f".child({literal(f.json_name)})" for f in step.plural[:-1])
                names = (literal(step.version[-1].json_name), literal(step.plural[-1].json_name))
                first = f"{items}[0]{step.version_suffix} if {items} else None"
                errors = f"{self._runtime('singular_errors')}(path{path}, {names[0]}, {value}, {names[1]}, {first})"
                code.line(f"errors.extend({errors})")

    def _make(self, step: Singular) -> str:
        assert step.plural is not None
        behind = underlying(step.plural[-1].type)
        item = underlying(behind.item) if isinstance(behind, ListType) else None
        if step.version_member is None or not isinstance(item, StructType):
            return "lambda one: one"
        return f"lambda one: {self.imports.type_name(item.id)}({step.version_member.py_name}=one)"

    def _restore(self, code: Code, struct: Struct) -> None:
        alone = self.singulars.alone.get((self.roots[0].id.group, self.roots[0].id.version), {})
        for step in alone.get(struct.id, ()):
            now, before = attribute("obj", step.hub), attribute("old", step.hub)
            guards = [*guards_of("obj", step.hub), *guards_of("old", step.hub), now, before]
            same = f"{now}[0]{step.member_suffix} == {before}[0]{step.member_suffix}"
            with code.block(f"if {' and '.join([*guards, same])}:"):
                code.line(f"{now} = {before}")

    # --- its functions

    def _child(self, code: Code, walk: _Walk, child: Child) -> None:
        member = child.field
        value, old = f"obj.{member.py_name}", f"old.{member.py_name}"
        path = f"path.child({literal(member.json_name)})"
        call = f"{walk.verb}_{self._name(self.singulars.places.struct(child.struct))}"
        if len(child.steps) > 1:
            self._elements(code, walk, call, member, (value, old, path))
            return
        if walk.with_errors:
            with code.when([f"{value} is not None"] if member.can_be_none else []):
                code.line(f"{call}({value}, {old} if old is not None else None, {path}, errors)")
            return
        with code.when([f"{value} is not None", f"{old} is not None"] if member.can_be_none else []):
            code.line(f"{call}({value}, {old})")

    def _elements(self, code: Code, walk: _Walk, call: str, member: Field, names: tuple[str, str, str]) -> None:
        """Pair elements of old and new by the keys of a list map, map entries by key, and all others by index."""
        value, old, path = names
        behind = underlying(member.type)
        if isinstance(behind, MapType):
            self._entries(code, walk, call, member, behind.value, names)
            return
        assert isinstance(behind, ListType)
        item, source = element_name(member.py_name), f"{value} or ()" if member.can_be_none else value
        if isinstance(underlying(behind.item), ListType | MapType):
            if walk.with_errors:
                with code.block(f"for index, {item} in enumerate({source}):"):
                    self._nested(code, call, behind.item, item, f"{path}.index(index)")
            return
        kept, key = f"old_{member.py_name}", self._key(member, behind.item)
        olds = f"{old} if old is not None else None" if walk.with_errors else old
        if key is not None:
            first_by = self.imports.runtime("first_by")
            code.line(f"{kept} = {first_by}({olds}, lambda item: {key.format('item')})")
            before, is_counted = f"{kept}.get({key.format(item)})", walk.with_errors
        else:
            code.line(f"{kept} = {self._runtime('by_position')}({value}, {olds})")
            before, is_counted = f"{kept}[index]", True
        header = f"for index, {item} in enumerate({source}):" if is_counted else f"for {item} in {source}:"
        with code.block(header):
            self._pair(code, walk, call, behind.item, (item, before, f"{path}.index(index)"))

    def _entries(
        self, code: Code, walk: _Walk, call: str, member: Field, inner: Type, names: tuple[str, str, str]
    ) -> None:
        value, old, path = names
        item, kept = element_name(member.py_name), f"old_{member.py_name}"
        source = f"({value} or {{}})" if member.can_be_none else value
        if isinstance(underlying(inner), ListType | MapType):
            if walk.with_errors:
                with code.block(f"for key, {item} in {source}.items():"):
                    self._nested(code, call, inner, item, f"{path}.key(key)")
            return
        olds = f"{old} or {{}}" if member.can_be_none else old
        if walk.with_errors:
            olds = f"({olds})" if member.can_be_none else olds
            olds = f"{olds} if old is not None else {{}}"
        code.line(f"{kept} = {olds}")
        with code.block(f"for key, {item} in {source}.items():"):
            self._pair(code, walk, call, inner, (item, f"{kept}.get(key)", f"{path}.key(key)"))

    def _pair(self, code: Code, walk: _Walk, call: str, inner: Type, names: tuple[str, str, str]) -> None:
        """The call for an element and the old one that it is paired with, if there is one."""
        item, before, path = names
        tests = [f"{item} is not None"] if item_can_be_none(inner) else []
        if walk.with_errors:
            with code.when(tests):
                code.line(f"{call}({item}, {before}, {path}, errors)")
            return
        code.line(f"{item}_before = {before}")
        with code.when([*tests, f"{item}_before is not None"]):
            code.line(f"{call}({item}, {item}_before)")

    def _nested(self, code: Code, call: str, inner: Type, item: str, path: str, depth: int = 1) -> None:
        """Write the walk through nested lists and maps, whose elements have no identity."""
        behind = underlying(inner)
        element = f"{item}{depth}"
        empty = item_can_be_none(inner)
        if isinstance(behind, MapType):
            source = f"({item} or {{}})" if empty else item
            header, step, last = f"for key{depth}, {element} in {source}.items():", f".key(key{depth})", behind.value
        else:
            assert isinstance(behind, ListType)
            source = f"{item} or ()" if empty else item
            header, step, last = (
                f"for index{depth}, {element} in enumerate({source}):",
                f".index(index{depth})",
                behind.item,
            )
        with code.block(header):
            if isinstance(underlying(last), ListType | MapType):
                self._nested(code, call, last, element, f"{path}{step}", depth + 1)
            else:
                code.line(f"{call}({element}, None, {path}{step}, errors)")

    def _key(self, member: Field, inner: Type) -> str | None:
        """Return the expression of an element's identity, with a placeholder for the element; None if elements have
        none.
        """
        behind = underlying(inner)
        merge = merge_of(member.type, member.merge, self.singulars.places.types)
        if getattr(merge.list_type, "value", None) != "map" or not isinstance(behind, StructType):
            return None
        struct = self.singulars.places.struct(behind.id)
        names = self.singulars.places.names
        found = (struct.field(key.value) or names.field_named(struct, key.value) for key in merge.list_map_keys)
        keys = [key for key in found if key is not None]
        return item_key("{0}", keys) if keys else None

    def _runtime(self, name: str) -> str:
        return self.imports.runtime(name, MODULE)
