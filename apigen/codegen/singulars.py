"""Requests of fields that became plural: `singulars.py` of each version that has `hub: names[0]` in a kind.

If a version has singular and plural, the two are reconciled before conversion (`normalize_…`). If it only has the
singular, the plural is restored from the old object after conversion (`restore_…`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from apigen.codegen.backend_input import BackendInput
from apigen.codegen.output import OutputFile, text_file
from apigen.codegen.python.source_text import HEADER, Imports, literal
from apigen.codegen.python.walking import Level, attribute, guards, guards_of, item_key
from apigen.codegen.rendering import render
from apigen.codegen.strategies.values import element_name
from apigen.codegen.strategies.walks import Child, all_places
from apigen.codegen.types.annotations import item_can_be_none
from apigen.dataclass import dataclass, replace
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
from apigen.runtime.errors import with_article

MODULE = "singulars"
STATUS = "status"


def plan(backend_input: BackendInput) -> Iterator[OutputFile]:
    """Yield a module for each version whose kinds have singulars that are reconciled in requests."""
    singulars = Singulars(backend_input)
    for group in backend_input.api.groups:
        for version in group.versions:
            roots = singulars.roots(group, version)
            if roots:
                module = Module.of(group.folder, version.name, MODULE)
                yield text_file(module.path, _VersionModule(singulars, Imports(module), roots).text(version))


class Singulars:
    """Which structs have singulars in or below them: of versions with the plural next to it, and hub types without."""

    def __init__(self, backend_input: BackendInput) -> None:
        self.backend_input = backend_input
        self.places = backend_input.once(all_places)
        self.with_plural: dict[TypeId, tuple[Singular, ...]] = {}
        self.alone: dict[tuple[str, str], dict[TypeId, tuple[Singular, ...]]] = {}
        for id_, plan_ in backend_input.hub.plans.items():
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
        structs = self.backend_input.api.structs(group.folder, version.name)
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
        return self.backend_input.hub.hub_of.get(version, version)


@dataclass(frozen=True, slots=True)
class _Walk:
    """One of the two walks: its verb, the structs to visit, and the values of the template for one of them.

    Only `with_errors`, its functions report errors, and visit values that the old object does not have.
    """

    verb: str
    through: frozenset[TypeId]
    own: Callable[[Struct], Iterable[object]]
    with_errors: bool


@dataclass(frozen=True, slots=True)
class Part:
    """The call of a `function` for a `value` below `levels`, and for the `old` one; the path is empty without errors.

    `olds` are the variable of the old elements, and its value.
    """

    function: str
    levels: tuple[Level, ...]
    value: str
    old: str
    path: str
    olds: tuple[str, str] | None = None


@dataclass(slots=True)
class _VersionModule:
    """Writes the module of one version."""

    singulars: Singulars
    imports: Imports
    roots: tuple[Struct, ...]

    def text(self, version: Version) -> str:
        """The module."""
        first = self.roots[0].id
        hubs = tuple(self.singulars.hub(root.id) for root in self.roots)
        there = _Walk("normalize", self.singulars.above_with_plural, self._reconciled, True)
        back = _Walk("restore", self.singulars.above_alone(first), self._restored, False)
        functions = [*self._functions(there, self.roots), *self._functions(back, hubs)]
        return render(
            "singulars/module.py.jinja",
            header=HEADER,
            summary=f"Requests of {first.group}/{version.name} that set a field as singular, plural or both.",
            imports=self.imports.render(),
            functions=functions,
        )

    def _functions(self, walk: _Walk, roots: tuple[Struct, ...]) -> Iterator[dict[str, object]]:
        """Yield the values of the template for each function."""
        later: dict[TypeId, None] = {}
        for root in (r for r in roots if r.id in walk.through):
            children = self.singulars.places.children(root.id)
            if root.kind is not None and STATUS in root.kind.subresources:
                of_status = [child for child in children if child.field.json_name == STATUS]
                yield from self._function(walk, root, "", [child for child in children if child not in of_status])
                yield from self._function(walk, root, f"_for_{STATUS}", of_status)
            else:
                yield from self._function(walk, root, "", children)
            for child in children:
                later.update(dict.fromkeys(i for i in self.singulars.places.below(child.struct) if i in walk.through))
        for id_ in later:
            struct = self.singulars.places.struct(id_)
            if struct not in roots:
                yield from self._function(walk, struct, "", self.singulars.places.children(id_))

    def _function(
        self, walk: _Walk, struct: Struct, suffix: str, children: Iterable[Child]
    ) -> Iterator[dict[str, object]]:
        """Yield the values for a struct and these children of it, if there is something to do."""
        own = [] if suffix else list(walk.own(struct))
        parts = [part for child in children if child.struct in walk.through and (part := self._part(walk, child))]
        if own or parts:
            if walk.with_errors:
                self.imports.runtime("FieldPath")
                self.imports.runtime("FieldError")
            yield {
                "verb": walk.verb,
                "name": f"{self._name(struct)}{suffix}",
                "type": self.imports.type_name(struct.id),
                "title": with_article(struct.id.name),
                "own": own,
                "parts": parts,
            }

    def _name(self, struct: Struct) -> str:
        """Return a function's name; those for types of other versions have the version as prefix."""
        version = (struct.id.group, struct.id.version)
        own_version = (self.roots[0].id.group, self.roots[0].id.version)
        if version == own_version or struct.id.version == "hub":
            return struct.snake_name
        return f"{version[0]}_{version[1]}_{struct.snake_name}".replace(".", "_").replace("-", "_")

    # --- one struct

    def _reconciled(self, struct: Struct) -> Iterator[dict[str, object]]:
        for step in self.singulars.with_plural.get(struct.id, ()):
            assert step.plural is not None
            self._runtime("reconciled")
            self._runtime("singular_errors")
            paths = (step.version, step.plural)
            has_old = ["old is not None", *(test for path in paths for test in guards_of("old", path))]
            above = "".join(f".child({literal(f.json_name)})" for f in step.plural[:-1])
            yield {
                "levels": guards(test for path in paths for test in guards_of("obj", path)),
                "singular": attribute("obj", step.version),
                "plural": attribute("obj", step.plural),
                "old_singular": attribute("old", step.version),
                "old_plural": attribute("old", step.plural),
                "has_old": " and ".join(has_old),
                "make": self._make(step),
                "can_be_none": step.plural[-1].can_be_none,
                "path": f"path{above}",
                "singular_name": literal(step.version[-1].json_name),
                "plural_name": literal(step.plural[-1].json_name),
                "member": step.version_suffix,
            }

    def _make(self, step: Singular) -> str:
        assert step.plural is not None
        behind = underlying(step.plural[-1].type)
        item = underlying(behind.item) if isinstance(behind, ListType) else None
        if step.version_member is None or not isinstance(item, StructType):
            return "lambda one: one"
        return f"lambda one: {self.imports.type_name(item.id)}({step.version_member.py_name}=one)"

    def _restored(self, struct: Struct) -> Iterator[tuple[str, str, str]]:
        """Yield the test that the first element is unchanged, the plural, and that of the old object."""
        alone = self.singulars.alone.get((self.roots[0].id.group, self.roots[0].id.version), {})
        for step in alone.get(struct.id, ()):
            now, before = attribute("obj", step.hub), attribute("old", step.hub)
            tests = [*guards_of("obj", step.hub), *guards_of("old", step.hub), now, before]
            same = f"{now}[0]{step.member_suffix} == {before}[0]{step.member_suffix}"
            yield " and ".join([*tests, same]), now, before

    # --- its functions

    def _part(self, walk: _Walk, child: Child) -> Part | None:
        """The call for what is in a field; None if there is nothing to compare it with, and no error to report."""
        member = child.field
        value, old = f"obj.{member.py_name}", f"old.{member.py_name}"
        function = f"{walk.verb}_{self._name(self.singulars.places.struct(child.struct))}"
        if len(child.steps) > 1:
            return self._elements(walk, function, member, value, old)
        if walk.with_errors:
            tests = [f"{value} is not None"] if member.can_be_none else []
            path = f"path.child({literal(member.json_name)})"
            return Part(function, guards(tests), value, f"{old} if old is not None else None", path)
        tests = [f"{value} is not None", f"{old} is not None"] if member.can_be_none else []
        return Part(function, guards(tests), value, old, "")

    def _elements(self, walk: _Walk, function: str, member: Field, value: str, old: str) -> Part | None:
        """Pair elements of old and new by the keys of a list map, map entries by key, and all others by index.

        Elements of nested lists and maps have no identity.
        """
        item, kept = element_name(member.py_name), f"old_{member.py_name}"
        level, inner, step = _loop(member.type, value, item, can_be_none=member.can_be_none)
        path = f"path.child({literal(member.json_name)}){step}"
        if isinstance(underlying(inner), ListType | MapType):
            return self._nested(function, level, inner, item, path) if walk.with_errors else None
        olds, before, is_counted = self._olds(walk, member, inner, value, old)
        tests = [f"{item} is not None"] if item_can_be_none(inner) else []
        if walk.with_errors:
            return Part(function, (level, *guards(tests)), item, before, path, (kept, olds))
        if not is_counted:
            level = Level(variable=item, items=f"{value} or ()" if member.can_be_none else value)
        level = replace(level, bound=((f"{item}_before", before),))
        levels = (level, *guards([*tests, f"{item}_before is not None"]))
        return Part(function, levels, item, f"{item}_before", "", (kept, olds))

    def _olds(self, walk: _Walk, member: Field, inner: Type, value: str, old: str) -> tuple[str, str, bool]:
        """The old elements, the one of them that is paired with an element, and whether it is found by index or key."""
        kept = f"old_{member.py_name}"
        if isinstance(underlying(member.type), MapType):
            olds = f"{old} or {{}}" if member.can_be_none else old
            if walk.with_errors:
                olds = f"{f'({olds})' if member.can_be_none else olds} if old is not None else {{}}"
            return olds, f"{kept}.get(key)", True
        olds = f"{old} if old is not None else None" if walk.with_errors else old
        key = self._key(member, inner)
        if key is None:
            return f"{self._runtime('by_position')}({value}, {olds})", f"{kept}[index]", True
        found = key.format(element_name(member.py_name))
        first_by = self.imports.runtime("first_by")
        return f"{first_by}({olds}, lambda item: {key.format('item')})", f"{kept}.get({found})", False

    def _nested(self, function: str, level: Level, inner: Type, item: str, path: str) -> Part:
        levels = [level]
        while isinstance(underlying(inner), ListType | MapType):
            depth = len(levels)
            element = f"{item}{depth}"
            level, inner, step = _loop(inner, item, element, str(depth), can_be_none=item_can_be_none(inner))
            levels.append(level)
            item, path = element, f"{path}{step}"
        return Part(function, tuple(levels), item, "None", path)

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


def _loop(type_: Type, value: str, item: str, number: str = "", *, can_be_none: bool) -> tuple[Level, Type, str]:
    """Return the loop over the elements of a list or map, their type, and the end of their paths."""
    behind = underlying(type_)
    if isinstance(behind, MapType):
        source = f"({value} or {{}})" if can_be_none else value
        return Level(variable=f"key{number}, {item}", items=f"{source}.items()"), behind.value, f".key(key{number})"
    assert isinstance(behind, ListType)
    source = f"{value} or ()" if can_be_none else value
    level = Level(variable=f"index{number}, {item}", items=f"enumerate({source})")
    return level, behind.item, f".index(index{number})"
