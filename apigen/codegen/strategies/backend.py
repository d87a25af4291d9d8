"""Write strategies, which prepare and validate hub objects before they are stored. One module per hub.

The strategy of a kind has steps for each operation, which reset, keep and drop fields and count the generation, and functions that
execute them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import TypeVar

from apigen.codegen.compilation import Compilation, ShownNames
from apigen.codegen.output import (
    Code,
    Imports,
    OutputFile,
    call,
    function,
    functions_module,
    header_without_parameters,
    literal,
    text_file,
)
from apigen.codegen.python.places import attribute, condition_expression, guards_of, if_unset, item_key, read_at, walk
from apigen.codegen.strategies.walk_functions import (
    Writer,
    a,
    drop_function,
    element_name,
    function_name,
    on_condition,
    use_function,
)
from apigen.codegen.strategies.walks import (
    NOTHING,
    Closed,
    DropWalk,
    FunctionKey,
    Gates,
    Off,
    Places,
    Removed,
    Suppressed,
    Tokens,
    Use,
    WalkPlanner,
    bound_path,
    covers,
    gates_of,
    names_gate,
    tokens,
)
from apigen.dataclass import dataclass, replace
from apigen.ir.model import (
    Field,
    FieldPath,
    Kind,
    ListType,
    Release,
    Struct,
    StructType,
    TypeDef,
    TypeId,
    merge_of,
    struct_in,
    underlying,
)
from apigen.ir.names import HUB_VERSION, Module, package_name, snake_case
from apigen.ir.places import (
    BoundPath,
    EachStep,
    FieldStep,
    InlineStep,
    KeyStep,
    bind_steps,
    named_fields,
)
from apigen.language.model import Condition, GenerationSpec, Items, LiteralNode, Name, OperationSpec, Path

T = TypeVar("T")

CREATE, UPDATE, STATUS, SCALE = "create", "update", "status", "scale"


@dataclass(frozen=True, slots=True)
class DropStep:
    """Data that `drop` drops while its gate is disabled and `use` is false for the old object."""

    walk: DropWalk
    drop: FunctionKey
    use: FunctionKey | None


@dataclass(frozen=True, slots=True)
class Bump:
    """A number, as the generation is, moves on when one of `paths` has changed."""

    counter: BoundPath
    paths: tuple[BoundPath, ...]
    rule: GenerationSpec


@dataclass(frozen=True, slots=True)
class Excepted:
    """A field that may change below a kept one; with `gates`, only while they are enabled."""

    path: BoundPath
    gates: Gates | None


@dataclass(frozen=True, slots=True)
class Start:
    """A number that counts has this value in a new object, or `at_least` this."""

    counter: BoundPath
    value: int
    at_least: bool


@dataclass(frozen=True, slots=True)
class Operation:
    """The steps of one operation, in the order of the fields. `settled` are the places that were reset or kept.

    Fields are kept, reset and filled, `sets` get a value, and the lists `adds` get values that they do not have, if `when`
    is true.
    """

    name: str
    settled: Suppressed = NOTHING
    when: Condition | None = None
    keeps: tuple[BoundPath, ...] = ()
    excepts: tuple[Excepted, ...] = ()
    resets: tuple[BoundPath, ...] = ()
    fills: tuple[BoundPath, ...] = ()
    sets: tuple[tuple[BoundPath, LiteralNode], ...] = ()
    adds: tuple[tuple[BoundPath, LiteralNode], ...] = ()
    starts: tuple[Start, ...] = ()
    drops: tuple[DropStep, ...] = ()
    bumps: tuple[Bump, ...] = ()

    @property
    def settles(self) -> bool:
        """Return whether anything is done before dropping."""
        return bool(self.keeps or self.resets or self.fills or self.sets or self.adds)


@dataclass(frozen=True, slots=True)
class KindStrategy:
    """The operations of a kind; `subresources` are those with a strategy of their own."""

    kind: Kind
    struct: Struct
    operations: tuple[Operation, ...]
    subresources: tuple[str, ...]


def strategy_of(kind: Kind, struct: Struct, planner: WalkPlanner) -> KindStrategy:
    """Plan the strategy of a kind from its `strategy:` and the defaults of the design."""
    return _StrategyPlanner(kind, struct, planner).plan()


class _StrategyPlanner:
    def __init__(self, kind: Kind, struct: Struct, planner: WalkPlanner) -> None:
        self._kind = kind
        self._struct = struct
        self._planner = planner
        self._places: Places = planner.places
        self._written = dict(kind.strategy.operations)
        self._has_status = STATUS in kind.subresources and struct.field("status") is not None

    def plan(self) -> KindStrategy:
        subresources = tuple(name for name in self._kind.subresources if name != SCALE)
        operations = (self._create(), *(self._update(name) for name in (UPDATE, *subresources)))
        return KindStrategy(self._kind, self._struct, operations, subresources)

    def _create(self) -> Operation:
        written = self._written.get(CREATE)
        status = self._fields("status") if self._has_status else ()
        resets = status if written is None or written.reset is None else self._paths(written.reset)
        starts = tuple(
            Start(path, rule.start, rule.at_least) for path, rule in self._counted() if rule.start is not None
        )
        excepts = tuple(self._exceptions(written)) if written is not None else ()
        cleared = self._kept_tokens(resets, tuple(each.path for each in excepts))
        settled = _unless_conditional(cleared, written)
        drops = self._drops(CREATE, settled, with_old=False)
        operation = Operation(CREATE, settled, excepts=excepts, resets=resets, starts=starts, drops=drops)
        return self._with_values(operation, written)

    def _update(self, name: str) -> Operation:
        written = self._written.get(name)
        keeps, excepts = self._kept(name, written)
        excluded = tuple(each.path for each in excepts)
        kept = _unless_conditional(self._kept_tokens(keeps, excluded), written)
        resets = self._paths(written.reset or ()) if written is not None else ()
        settled = kept | _unless_conditional(frozenset(tokens(path.steps) for path in resets), written)
        drops = self._drops(name, settled, with_old=True)
        bumps = tuple(self._bumps(name, kept, excluded))
        operation = Operation(name, settled, keeps=keeps, excepts=excepts, resets=resets, drops=drops, bumps=bumps)
        return self._with_values(operation, written)

    def _with_values(self, operation: Operation, written: OperationSpec | None) -> Operation:
        """Return the operation with the fields that it fills, sets and adds, and its condition."""
        if written is None:
            return operation
        return replace(
            operation,
            when=written.when,
            fills=self._paths(written.fill),
            sets=self._with_bound_paths(written.sets),
            adds=self._with_bound_paths(written.adds),
        )

    def _with_bound_paths(self, written: Iterable[tuple[Path, T]]) -> tuple[tuple[BoundPath, T], ...]:
        return tuple((bound_path(path, self._struct, self._places.types), value) for path, value in written)

    def _kept(self, name: str, written: OperationSpec | None) -> tuple[tuple[BoundPath, ...], tuple[Excepted, ...]]:
        if written is not None and written.keep is not None:
            keeps = self._paths(written.keep)
        elif name == STATUS:
            keeps = self._spec()
        else:
            keeps = self._fields("status") if self._has_status else ()
        if name == UPDATE:
            keeps += tuple(path for path, _ in self._with_bound_paths(self._kind.strategy.counters))
        return keeps, tuple(self._exceptions(written)) if written is not None else ()

    def _drops(self, operation: str, settled: Suppressed, *, with_old: bool) -> tuple[DropStep, ...]:
        """Return the drops of an operation. Fields that it resets or keeps are skipped, unless a rule names the
        operation.
        """
        steps = []
        for gated in self._planner.walks(self._struct.id):
            if gated.during is not None and operation not in gated.during:
                continue
            suppressed = settled if gated.during is None else NOTHING
            drop = self._planner.request(
                gated, self._struct.id, suppressed, self._struct.id, _suffix(settled, operation)
            )
            if drop is None:
                continue
            use = None
            if with_old and gated.use is not None:
                use = self._planner.request(gated.use, self._struct.id, NOTHING, self._struct.id)
            steps.append(DropStep(gated, drop, use))
        return tuple(steps)

    def _exceptions(self, written: OperationSpec) -> Iterator[Excepted]:
        for each in written.except_:
            gates = None if each.gate is None else gates_of(each.gate)
            yield from (Excepted(path, gates) for path in self._paths((each.path,)))

    def _bumps(self, name: str, kept: Suppressed, excepts: tuple[BoundPath, ...]) -> Iterator[Bump]:
        """Yield the counters that an operation increments: of a kept part, only the exceptions can have changed."""
        if name == STATUS:
            return
        for counter, rule in self._counted():
            watched = self._spec() if rule.bump is None else self._paths(rule.bump)
            paths = [part for path in watched for part in self._changeable(path, kept, excepts)]
            if paths:
                yield Bump(counter, tuple(dict.fromkeys(paths)), rule)

    def _changeable(self, path: BoundPath, kept: Suppressed, excepts: tuple[BoundPath, ...]) -> Iterator[BoundPath]:
        place = tokens(path.steps)
        within = [other for other in excepts if tokens(other.steps)[: len(place)] == place]
        if within:
            yield from map(self._up_to_list, within)
        elif not covers(kept, place):
            yield path

    def _up_to_list(self, path: BoundPath) -> BoundPath:
        """Return the path of the list whose items a path enters, or the path itself."""
        names = list(itertools.takewhile(lambda step: isinstance(step, FieldStep | InlineStep), path.steps))
        if len(names) == len(path.steps):
            return path
        steps = tuple(Name(step.field.json_name) for step in names if isinstance(step, FieldStep))
        return _bound(steps, self._struct, self._places)

    def _counted(self) -> Iterator[tuple[BoundPath, GenerationSpec]]:
        """All numbers that count changes, the generation last. By default that counts changes of the spec, for kinds with
        a status.
        """
        yield from self._with_bound_paths(self._kind.strategy.counters)
        generation = self._kind.strategy.generation or (GenerationSpec() if self._has_status else None)
        counter = bind_steps((Name("metadata"), Name("generation")), self._struct, self._places.types, "generation")
        if generation is not None and not generation.none and isinstance(counter, BoundPath):
            yield counter, generation

    def _spec(self) -> tuple[BoundPath, ...]:
        """Return all fields other than metadata and status."""
        return self._fields(*(f.json_name for f in self._struct.fields if f.json_name not in ("metadata", "status")))

    def _fields(self, *names: str) -> tuple[BoundPath, ...]:
        return tuple(_bound((Name(name),), self._struct, self._places) for name in names)

    def _paths(self, paths: Iterable[Path]) -> tuple[BoundPath, ...]:
        """Bind paths of a `strategy:`; `spec` means all fields that count as spec, `.` the whole object."""
        found: list[BoundPath] = []
        for path in paths:
            if not path.steps:
                found += self._fields(*(f.json_name for f in self._struct.fields))
            elif path.steps == (Name("spec"),) and self._struct.field("spec") is None:
                found += self._spec()
            else:
                found.append(bound_path(path, self._struct, self._places.types))
        return tuple(found)

    def _kept_tokens(self, keeps: Iterable[BoundPath], excepts: tuple[BoundPath, ...]) -> Suppressed:
        """The places that are kept: of a part with an exception in it, all fields next to the exception."""
        excluded = [tokens(path.steps) for path in excepts]
        return frozenset(place for path in keeps for place in self._kept_parts(tokens(path.steps), path, excluded))

    def _kept_parts(self, place: Tokens, path: BoundPath, excepts: list[Tokens]) -> Iterator[Tokens]:
        within = [e for e in excepts if e[: len(place)] == place]
        if not within:
            yield place
            return
        behind = underlying(path.type)
        if place in within or not isinstance(behind, StructType):
            return
        struct = self._places.struct(behind.id)
        for member in struct.fields:
            inner = _bound((Name(member.json_name),), struct, self._places)
            yield from self._kept_parts((*place, member.json_name), inner, within)


def _suffix(settled: Suppressed, operation: str) -> str:
    """Return the suffix of a function that omits the fields that an operation resets or keeps itself."""
    names = sorted({snake_case(place[0]) for place in settled})
    if len(names) <= 2 and all(len(place) == 1 for place in settled):
        return f"_but_{'_and_'.join(names)}"
    return f"_on_{snake_case(operation)}"


def _unless_conditional(settled: Suppressed, written: OperationSpec | None) -> Suppressed:
    """Return the paths that are reset or kept unconditionally: none if the operation has a condition."""
    return NOTHING if written is not None and written.when is not None else settled


def _bound(steps: tuple[Name, ...], struct: Struct, places: Places) -> BoundPath:
    found = bind_steps(steps, struct, places.types, ".".join(step.name for step in steps))
    assert isinstance(found, BoundPath)
    return found


def status_is_reset(kind: Kind, struct: Struct) -> bool:
    """Return whether the status of a new object is emptied before validation, so that validation does not apply to it."""
    if "status" not in kind.subresources or struct.field("status") is None:
        return False
    created = dict(kind.strategy.operations).get(CREATE)
    return created is None or created.reset is None or any(path.text == "status" for path in created.reset)


_LONGEST_CONDITION = 80
"""Maximum length of a condition that fits on a line of 88 characters, after four spaces and `if`, before a colon."""


def kind_functions(strategy: KindStrategy, writer: Writer) -> Iterator[Code]:
    """The functions of each operation, then those that make the strategy objects."""
    for operation in strategy.operations:
        yield _OperationWriter(strategy, operation, writer).function()
    for subresource in ("", *strategy.subresources):
        yield _strategy_function(strategy, subresource, writer)


def prepare_name(strategy: KindStrategy, operation: str) -> str:
    """E.g. `prepare_frobber_for_update` or `prepare_frobber_for_status_update`."""
    request = operation if operation in (CREATE, UPDATE) else f"{snake_case(operation)}_update"
    return f"prepare_{strategy.struct.snake_name}_for_{request}"


def strategy_name(strategy: KindStrategy, subresource: str) -> str:
    """E.g. `frobber_strategy` or `frobber_strategy_for_status`."""
    name = f"{strategy.struct.snake_name}_strategy"
    return f"{name}_for_{snake_case(subresource)}" if subresource else name


class _OperationWriter:
    def __init__(self, strategy: KindStrategy, operation: Operation, writer: Writer) -> None:
        self._strategy = strategy
        self._operation = operation
        self._writer = writer
        self._scope = writer.scope(strategy.struct, "features" if names_gate(operation.when) else None)

    def function(self) -> Code:
        imports = self._writer.imports
        name = prepare_name(self._strategy, self._operation.name)
        type_ = imports.type_name(self._strategy.struct.id)
        dropped = f"list[{imports.runtime('Dropped')}]"
        old = "" if self._operation.name == CREATE else f"old: {type_}, "
        features = imports.runtime("Features")
        code = Code()
        if self._operation.drops:
            code.line(f"dropped: {dropped} = []")
        self._steps(code)
        code.line("return dropped" if self._operation.drops else "return []")
        header = f"def {name}(obj: {type_}, {old}features: {features}) -> {dropped}:"
        return function(header, self._summary(), code)

    def _summary(self) -> str:
        kind = self._strategy.kind.name
        match self._operation.name:
            case "create":
                action = f"Prepare a new {kind} for storage"
            case "update":
                action = f"Prepare a changed {kind} for storage"
            case "status":
                action = f"Prepare {a(kind)} with a changed status for storage"
            case subresource:
                action = f"Prepare {a(kind)} that was changed through {subresource} for storage"
        return f"{action}, in place. Returns the dropped fields."

    def _steps(self, code: Code) -> None:
        if self._operation.settles:
            when = self._operation.when
            with code.when([] if when is None else [condition_expression(when, self._scope)]):
                self._settle(code)
        for start in self._operation.starts:
            counter = attribute("obj", start.counter.named)
            with code.when([f"{counter} < {start.value}"] if start.at_least else []):
                code.line(f"{counter} = {start.value}")
        for bump in self._operation.bumps:
            if bump.rule.before_drop:
                self._bump(code, bump)
        for off, steps in groupby(self._operation.drops, key=lambda step: step.walk.off):
            self._drop(code, off, list(steps))
        for bump in self._operation.bumps:
            if not bump.rule.before_drop:
                self._bump(code, bump)

    def _drop(self, code: Code, off: Off, steps: list[DropStep]) -> None:
        """Write the drops for the same gates: in one condition if it fits on a line, else in nested ones."""
        conditions = [self._unused(step) for step in steps]
        joined = " and ".join(filter(None, (off_condition(off), conditions[0])))
        if len(steps) == 1 and len(joined) <= _LONGEST_CONDITION:
            with code.when([joined]):
                self._call(code, steps[0])
            return
        with code.when([off_condition(off)]):
            for step, condition in zip(steps, conditions, strict=True):
                with code.when([condition]):
                    self._call(code, step)

    def _unused(self, step: DropStep) -> str:
        """Return the expression that is true if the old object does not use the dropped fields; empty if that is
        irrelevant.
        """
        if step.use is None:
            return ""
        features = ", features" if self._writer.planner.queries_gates(step.use.walk) else ""
        return f"not {self._writer.call(step.use)}(old{features})"

    def _call(self, code: Code, step: DropStep) -> None:
        root = self._writer.imports.runtime("ROOT")
        features = ", features" if self._writer.planner.queries_gates(step.walk) else ""
        old = ""
        if step.walk.by_place:
            old = ", None" if self._operation.name == CREATE else ", old"
        code.line(f"{self._writer.call(step.drop)}(obj{old}, {root}{features}, dropped)")

    def _bump(self, code: Code, bump: Bump) -> None:
        changed = [
            self._writer.differs(
                read_at("obj", path.named, "None"), read_at("old", path.named, "None"), path.type, exact=bump.rule.exact
            )
            for path in bump.paths
        ]
        counter = bump.counter.named
        following = self._writer.imports.runtime("next_generation")
        with code.block(f"if {' or '.join(changed)}:"):
            before = attribute("obj" if bump.rule.from_new else "old", counter)
            code.line(f"{attribute('obj', counter)} = {following}({before})")

    # --- before dropping

    def _settle(self, code: Code) -> None:
        """Write the steps that come before dropping, within the condition of the operation."""
        # the submitted values of exceptions, or the submitted lists that contain them
        plain = [each.path.named for each in self._operation.excepts if not is_in_items(each.path)]
        for path in (*plain, *(items for _, items, _ in self._excepts_in_items())):
            code.line(f"{_submitted(path)} = {read_at('obj', path, self._writer.zero(path[-1]))}")
        for kept in self._operation.keeps:
            self._assign(code, kept.named, self._copied("old", kept.named), other="old")
        if self._operation.name != CREATE:
            self._put_back(code)
        for reset in self._operation.resets:
            self._reset(code, reset)
        if self._operation.name == CREATE:  # if reset fields have exceptions
            self._put_back(code)
        for filled in itertools.filterfalse(is_in_items, self._operation.fills):
            self._fill(code, "obj", "old", filled.named)
        for items, paths in item_parts(self._operation.fills).items():
            self._fill_items(code, items, paths)
        for bound, value in self._operation.sets:
            self._set(code, bound, value)
        for bound, values in self._operation.adds:
            self._add(code, bound, values)

    def _reset(self, code: Code, path: BoundPath) -> None:
        *above, last = path.steps

        def leaf(code: Code, value: str) -> None:
            match last:
                case FieldStep(member):
                    code.line(f"{value}.{member.py_name} = {self._writer.zero(member)}")
                case KeyStep(key):
                    with code.block(f"if {value} is not None:"):
                        code.line(f"{value}.pop({literal(key)}, None)")
                case _:
                    raise ValueError(f"cannot reset {path.text}")

        walk(code, tuple(above), "obj", self._scope, leaf)

    def _put_back(self, code: Code) -> None:
        for each in self._operation.excepts:
            if not is_in_items(each.path):
                with code.when([on_condition(each.gates)] if each.gates else []):
                    self._assign(code, each.path.named, _submitted(each.path.named))
        for gates, items, paths in self._excepts_in_items():
            with code.when([on_condition(gates)] if gates else []), code.when(guards_of("obj", items)):
                self._put_back_items(code, items, paths)

    def _excepts_in_items(self) -> Iterator[tuple[Gates | None, FieldPath, list[FieldPath]]]:
        """Yield the lists whose items have exceptions, with the paths from an item to them."""
        for gates, excepts in groupby(self._operation.excepts, key=lambda each: each.gates):
            for items, paths in item_parts(each.path for each in excepts).items():
                yield gates, items, paths

    def _put_back_items(self, code: Code, items: FieldPath, paths: list[FieldPath]) -> None:
        """Write the code that copies parts of the items from the submitted list, or all of the list if the items
        differ.
        """
        value, submitted = attribute("obj", items), _submitted(items)
        pairs = f"paired_{items[-1].py_name}"
        same = self._writer.imports.runtime("same_items")
        code.line(f"{pairs} = {same}({value}, {submitted}, {self._key(items[-1])})")
        with code.block(f"if {pairs} is None:"):
            code.line(f"{value} = {submitted}")
        item = element_name(items[-1].py_name)
        other = f"submitted_{item}"
        with code.block(f"for {item}, {other} in {pairs} or ():"):
            for path in paths:
                with code.when([*guards_of(item, path), *guards_of(other, path)]):
                    code.line(f"{attribute(item, path)} = {attribute(other, path)}")

    def _fill_items(self, code: Code, items: FieldPath, paths: list[FieldPath]) -> None:
        """Write the code that copies parts from the old items that are omitted in the new ones of the same identity."""
        item = element_name(items[-1].py_name)
        lists = ", ".join(read_at(root, items, "None") for root in ("obj", "old"))
        paired = self._writer.imports.runtime("with_old_items")
        with code.block(f"for {item}, old_{item} in {paired}({lists}, {self._key(items[-1])}):"):
            for path in paths:
                self._fill(code, item, f"old_{item}", path)

    def _key(self, items: Field) -> str:
        struct = struct_in(items.type)
        assert struct is not None
        merge = merge_of(items.type, items.merge, self._writer.types)
        keys = self._writer.names.keys(self._writer.struct(struct), merge.list_map_keys)
        return f"lambda item: {item_key('item', keys)}"

    def _copied(self, root: str, path: FieldPath) -> str:
        return self._writer.copied(attribute(root, path), path[-1].type, path[-1].can_be_none)

    def _assign(self, code: Code, path: FieldPath, value: str, other: str = "") -> None:
        """Set the field at the end of a path, if its parents are there (or zero, where the other object lacks them)."""
        line = f"{attribute('obj', path)} = "
        others = guards_of(other, path) if other else []
        with code.when(guards_of("obj", path)):
            with code.when(others):
                code.line(line + value)
            if others:
                with code.block("else:"):
                    code.line(line + self._writer.zero(path[-1]))

    def _fill(self, code: Code, root: str, before: str, path: FieldPath) -> None:
        """Write a copy of a field from an old object or item if it is unset in the new one, and both have its parents."""
        value, last = attribute(root, path), path[-1]
        tests = [*guards_of(root, path), *guards_of(before, path)]
        with code.when([*tests, if_unset(value, last.type, last.can_be_none, self._scope)]):
            code.line(f"{value} = {self._copied(before, path)}")

    def _set(self, code: Code, path: BoundPath, value: LiteralNode) -> None:
        *above, last = path.steps
        assert isinstance(last, FieldStep)
        text = self._writer.literal(value, last.field.type)

        def leaf(code: Code, parent: str) -> None:
            code.line(f"{parent}.{last.field.py_name} = {text}")

        walk(code, tuple(above), "obj", self._scope, leaf)

    def _add(self, code: Code, path: BoundPath, values: LiteralNode) -> None:
        *above, last = path.steps
        behind = underlying(path.type)
        assert isinstance(last, FieldStep) and isinstance(behind, ListType) and isinstance(values, Items)

        def leaf(code: Code, parent: str) -> None:
            items = f"{parent}.{last.field.py_name}"
            if last.field.can_be_none:
                with code.block(f"if {items} is None:"):
                    code.line(f"{items} = []")
            for value in values.items:
                item = self._writer.literal(value, behind.item)
                with code.block(f"if {item} not in {items}:"):
                    code.line(f"{items}.append({item})")

        walk(code, tuple(above), "obj", self._scope, leaf)


def _submitted(path: FieldPath) -> str:
    return f"submitted_{path[-1].py_name}"


def _strategy_function(strategy: KindStrategy, subresource: str, writer: Writer) -> Code:
    imports, struct = writer.imports, strategy.struct
    class_name = imports.runtime("Strategy")
    type_ = imports.type_name(struct.id)
    own = (subresource,) if subresource else (CREATE, UPDATE)
    hooks = [literal(hook.value) for hook in strategy.kind.strategy.hooks if hook.value in own]
    made = call(
        class_name,
        literal(strategy.kind.name),
        subresource=literal(subresource) if subresource else "",
        create="" if subresource else prepare_name(strategy, CREATE),
        update=prepare_name(strategy, subresource or UPDATE),
        check=function_name(imports, struct.id, "validation", f"check_{struct.snake_name}"),
        hooks=f"[{', '.join(hooks)}]" if hooks else "",
    )
    header = header_without_parameters(strategy_name(strategy, subresource), f"{class_name}[{type_}]")
    subject = f"{strategy.kind.name}/{subresource}" if subresource else strategy.kind.name
    return function(header, f"A strategy for {subject}, with no hooks registered.", f"return {made}")


def off_condition(off: Off) -> str:
    """Return the condition under which data is not accepted; empty if it always applies."""
    if isinstance(off, Closed):
        return ""
    if isinstance(off, Removed):
        return at_least(off.release, off.series)
    return f"not {on_condition(off)}"


def at_least(release: Release, series: str) -> str:
    """The expression that is true from a release of a series on."""
    arguments = [literal(str(release)), *([literal(series)] if series else [])]
    return f"features.at_least({', '.join(arguments)})"


def is_in_items(path: BoundPath) -> bool:
    """Return whether a path leads into each item of a list."""
    return any(isinstance(step, EachStep) for step in path.steps)


def item_parts(paths: Iterable[BoundPath]) -> dict[FieldPath, list[FieldPath]]:
    """Return the paths that lead into the items of lists: list -> paths from an item."""
    found: dict[FieldPath, list[FieldPath]] = {}
    for path in filter(is_in_items, paths):
        at = next(i for i, step in enumerate(path.steps) if isinstance(step, EachStep))
        found.setdefault(named_fields(path.steps[:at]), []).append(named_fields(path.steps[at + 1 :]))
    return found


def pairing_problem(path: BoundPath, types: Mapping[TypeId, TypeDef]) -> str:
    """Return why the items on a path cannot be paired with those of the old object; empty if they can."""
    at = next(i for i, step in enumerate(path.steps) if isinstance(step, EachStep))
    above, rest = path.steps[:at], path.steps[at + 1 :]
    names = (FieldStep, InlineStep)
    if not above or not all(isinstance(step, names) for step in (*above, *rest)):
        return "it leads into items of more than one list"
    if not rest:
        return "it names the items, and not what changes in them"
    member = above[-1]
    if not isinstance(member, FieldStep) or not isinstance(underlying(member.field.type), ListType):
        return "it leads into the values of a map"
    if not merge_of(member.field.type, member.field.merge, types).list_map_keys:
        return f"the items of `{member.field.json_name}` have no identity: it needs `listType: map` and `listMapKeys`"
    return ""


def plan(compilation: Compilation) -> Iterator[OutputFile]:
    """Yield a module for each hub with kinds, or with gated types that the kinds of other hubs contain."""
    strategies, planner = compilation.once(plan_strategies)
    own: dict[Module, list[KindStrategy]] = {key.module: [] for key in planner.planned}
    for strategy in strategies:
        id_ = strategy.struct.id
        own.setdefault(Module.of(id_.group, id_.version, "strategies"), []).append(strategy)
    names = planner.places.names
    for module in sorted(own):
        writer = Writer(module, Imports(module), compilation.types, names, planner)
        codes = [code for strategy in own[module] for code in kind_functions(strategy, writer)]
        for planned in planner.functions(module):
            write = use_function if isinstance(planned.key.walk, Use) else drop_function
            codes.append(write(planned, writer))
        summary = f"Strategies: how a server prepares objects of {title_of(compilation, module)} before it stores them."
        yield text_file(module.path, functions_module(summary, writer.imports, codes))


def plan_strategies(compilation: Compilation) -> tuple[list[KindStrategy], WalkPlanner]:
    """The strategies of all kinds, and the functions that they call; for `compilation.once`."""
    kinds = list(kinds_with_hub(compilation))
    places = Places(compilation.types, ShownNames.of(compilation), compilation.api.series_of_groups)
    scope = dict.fromkeys(id_ for _, struct in kinds for id_ in places.below(struct.id))
    planner = WalkPlanner(places, tuple(scope))
    return [strategy_of(kind, struct, planner) for kind, struct in kinds], planner


def kinds_with_hub(compilation: Compilation) -> Iterator[tuple[Kind, Struct]]:
    """Each kind with the struct that strategies and validation work on: that of its hub, or of each version without one.

    A kind that lives in another group's hub has its strategy there.
    """
    for group in compilation.api.groups:
        for kind in group.kinds:
            ids = (TypeId(group.folder, version.name, kind.name) for version in group.versions)
            hubs = dict.fromkeys(compilation.hub.hub_of.get(id_, id_) for id_ in ids)
            for id_ in hubs:
                struct = compilation.types.get(id_)
                if isinstance(struct, Struct) and id_.group == group.folder:
                    yield kind, struct


def title_of(compilation: Compilation, module: Module) -> str:
    """Return the name of a module's version or hub in documentation."""
    package, version, _ = module.parts
    for group in compilation.api.groups:
        if package_name(group.folder) == package:
            return f"the hub of {group.folder}" if version == HUB_VERSION else f"{group.folder}/{version}"
    raise KeyError(package)
