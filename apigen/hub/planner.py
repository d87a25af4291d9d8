"""Binds every struct of a version to its hub type: one plan, which the code generator and the proof read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress

from apigen.dataclass import dataclass, replace
from apigen.dataclass import field as dataclass_field
from apigen.diagnostics import Related, Report
from apigen.diagnostics.quoting import listing
from apigen.hub.lenses.alias import Alias
from apigen.hub.lenses.annotation import CLAMP_FROM_ABOVE, bind_annotation, bind_marker, json_type
from apigen.hub.lenses.constant import bind_from_above
from apigen.hub.lenses.drop import DROP
from apigen.hub.lenses.flatten import OptionalParent
from apigen.hub.lenses.move import Move, bind_move
from apigen.hub.lenses.preserved import bind_preserved, bind_snapshot
from apigen.hub.lenses.registry import HUB_ONLY, lens_for
from apigen.hub.lenses.request import LensRejected, LensRequest, allow_words, report_missing, suggestion
from apigen.hub.lenses.split import Split
from apigen.hub.second_hub_views import lenses_above, lenses_by_path, uses_without_lens
from apigen.hub.steps import Parent, Side, Step, TypePlan
from apigen.ir.expressions import Converted, Copied, IsZero, Not, Test, at
from apigen.ir.model import (
    Api,
    Field,
    FieldPath,
    Struct,
    Type,
    TypeDef,
    TypeId,
    json_names,
    optional_parents,
    spell,
    struct_behind,
)
from apigen.ir.places import FieldStep, KeyStep, PathProblem, bind_path
from apigen.ir.run import Run
from apigen.ir.scope import Scope, names_of, resolve_type
from apigen.language.model import Equals, IsSet, LensSpec, PathLens
from apigen.language.walking import parts


@dataclass(frozen=True, slots=True)
class Planner:
    """Creates the conversion plans of an API."""

    api: Api
    types: Mapping[TypeId, TypeDef]
    hub_of: Mapping[TypeId, TypeId]
    report: Report
    failed: dict[TypeId, set[str]] = dataclass_field(default_factory=dict)
    """The hub fields of each type whose lenses have errors: it is unknown whether they are mapped."""
    _snapshots: list[LensRequest] = dataclass_field(default_factory=list)
    """The fields with `preserve`, which are bound when all plans are known."""

    def plans(self, kept: Container[TypeId] | None = None) -> dict[TypeId, TypePlan]:
        """Return the plan of every struct of a version with another hub type; with `kept`, of these only."""
        plans: dict[TypeId, TypePlan] = {}
        for id_, hub in self.hub_of.items():
            struct, hub_struct = self.types.get(id_), self.types.get(hub)
            if (kept is None or id_ in kept) and isinstance(struct, Struct) and isinstance(hub_struct, Struct):
                steps = [*self._steps(struct, hub_struct)]
                steps += self._preserved(struct, hub_struct, steps)
                plans[id_] = TypePlan(id_, hub, tuple(steps))
        plans = {id_: with_paired_parents(plan, plans) for id_, plan in plans.items()}
        for request in self._snapshots:
            plan = plans[request.version.id]
            target, moves = _counterpart(request.path, Side.VERSION, plan, plans) or (None, [])
            with self._noting(request.version, request.hub, None):
                snapshots = tuple(bind_snapshot(request, request.path, target, moves, plan.steps))
                plans[plan.version] = replace(plan, steps=(*plan.steps, *snapshots))
        return plans

    def _check_uses(self, struct: Struct, hub: Struct) -> None:
        """Report lenses for fields of nested structs that are also used where no lens maps the field."""
        for lens in lenses_above(struct, self.api.types) if struct.lenses else ():
            own, path = lens.field.hub, ".".join(lens.names)
            if own is None or own.from_above is None:
                continue
            uses = tuple(dict.fromkeys(uses_without_lens(lens, self.api.types)))
            with self._noting(struct, hub, None):
                if uses:
                    message = (
                        f"`lenses:` of {struct.id.version} `{struct.id.name}` map `{path}`, but not {listing(uses)}"
                    )
                    self.report.error("AG0609", lens.lens.place, message, hint=_use_hint(uses))

    def _preserved(self, struct: Struct, hub: Struct, steps: list[Step]) -> Iterable[Step]:
        """The step for `preserve:` of a kind, in each version but the one that the hub follows."""
        spec = struct.kind.preserve if struct.kind is not None else None
        if spec is None or struct.id.seen_as:
            return ()
        followed = next(id_ for id_, named in self.hub_of.items() if named == hub.id and not id_.seen_as)
        if followed == struct.id:
            return ()
        request = self._request(LensSpec(spec.annotation.place), struct.fields[:1], struct, hub)
        preserved: list[Step] = []
        with self._noting(struct, hub, None):
            preserved += bind_preserved(request, spec, followed, steps)
        return preserved

    def _steps(self, struct: Struct, hub: Struct) -> Iterator[Step]:
        steps = list(self._fields(struct, hub, struct, ()))
        moves = {step.hub: step.version for step in steps if isinstance(step, Move)}
        steps = [replace(each, primary=moves.get(each.hub)) if isinstance(each, Alias) else each for each in steps]
        self._check_uses(struct, hub)
        above: list[Step] = []
        for entry in struct.lenses:
            with self._noting(struct, hub, None):
                above += self._from_above(entry, struct, hub)
        steps = _with_sole_builders(_with_members(struct, steps, above))
        steps += self._parents(steps)
        for entry in struct.hub_only:
            with self._noting(struct, hub, entry.path):
                steps += self._hub_only(entry, struct, hub)
        self._check_annotations(struct)
        self._check_meetings(struct, steps)
        self._check_wholes(struct, steps)
        self._check_conditions(steps)
        return iter(sorted(steps, key=lambda step: any(step.conditions())))

    def _request(self, spec: LensSpec, path: FieldPath, struct: Struct, hub: Struct) -> LensRequest:
        return LensRequest(spec, path, struct, hub, self.types, self.hub_of, self.report)

    @contextmanager
    def _noting(self, root: Struct, hub: Struct, place: object) -> Iterator[None]:
        """Record a hub field as failed if its lens has errors; all hub fields if the lens does not name an existing
        one. A rejected lens ends the block.
        """
        known = self.report.error_count
        with suppress(LensRejected):
            yield
        if self.report.error_count > known:
            names = {field.json_name for field in hub.fields}
            named = str(place).partition(".")[0] in names
            self.failed.setdefault(root.id, set()).update({str(place)} if named else names)

    def _fields(self, root: Struct, hub: Struct, holder: Struct, above: FieldPath) -> Iterator[Step]:
        declared = lenses_by_path(root) if above else {}
        for field in holder.fields:
            path = (*above, field)
            from_above = declared.get(json_names(path))
            if from_above is not None and not from_above.is_flattening:
                continue  # declared in `lenses:` of the type
            spec = from_above or field.hub or LensSpec(field.place)
            request = self._request(spec, path, root, hub)
            if spec.preserve is not None:
                self._snapshots.append(request)
            if spec.is_flattening:
                yield from self._flattened(request, root, hub, field, path)
            elif field.hub is None:
                target = hub.field(field.json_name)
                if target is not None:
                    with self._noting(root, hub, target.json_name):
                        yield bind_move(request, (target,), (), Parent.WHEN_SET, declared=False)
            else:
                with self._noting(root, hub, spec.to or field.json_name):
                    yield from lens_for(spec).bind(request)

    def _flattened(
        self, request: LensRequest, root: Struct, hub: Struct, field: Field, path: FieldPath
    ) -> Iterator[Step]:
        nested = struct_behind(field.type, self.types)
        known = self.report.error_count
        with self._noting(root, hub, None):
            allow_words(request, "`.`", "to", "parent")
            if nested is None:
                raise request.rejected("AG0602", f"`hub: .` requires a struct, but {request.where} is {field.type}")
        if nested is None or self.report.error_count > known:
            return
        policy = request.parent
        steps = [_with_parent(step, policy, path) for step in self._fields(root, hub, nested, path)]
        yield from steps
        if field.can_be_none:
            members = tuple(m for step in steps for m in _mapped(step, Side.VERSION))
            if any(_policy(step) is Parent.ALWAYS for step in steps):
                policy = Parent.ALWAYS  # a struct that is always built needs the one that contains it
            yield OptionalParent(Side.VERSION, path, members, policy)

    def _parents(self, steps: list[Step]) -> list[Step]:
        """The optional structs that only the hub has round fields that are moved into them."""
        version_paths = {step.hub: step.version for step in steps if isinstance(step, Move)}
        parents: dict[FieldPath, tuple[list[_Tested], list[_Tested], Parent]] = {}
        for step in steps:
            for path, is_lost in _mapped(step, Side.HUB):
                for parent in optional_parents(path):
                    members, others, policy = parents.get(parent, ([], [], Parent.WHEN_SET))
                    always = Parent.ALWAYS in (policy, _policy(step))
                    members, others = [*members, (path, is_lost)], [*others, *_building(step)]
                    parents[parent] = (members, others, Parent.ALWAYS if always else policy)
        return [
            OptionalParent(
                Side.HUB, path, tuple(members), policy, version_paths.get(path), tuple(dict.fromkeys(siblings))
            )
            for path, (members, siblings, policy) in parents.items()
        ]

    def _from_above(self, entry: PathLens, struct: Struct, hub: Struct) -> Iterable[Step]:
        bound = bind_path(entry.path, struct, self.types)
        if isinstance(bound, PathProblem):
            self.report.error(
                "AG0615",
                entry.path.place,
                f"{struct.id.name} has no `{entry.path}`: {bound.message}",
                hint=suggestion(entry.path, bound),
            )
            return ()
        path = bound.fields
        last = bound.steps[-1]
        spec = entry.lens
        owner = last.field if isinstance(last, FieldStep) else None
        request = self._request(spec, path or ((owner,) if owner else struct.fields[:1]), struct, hub)
        placed = replace(request, at=bound)
        if spec.drop is not None and isinstance(last, KeyStep):
            return DROP.bind(placed)
        if spec.constant is not None or spec.source is not None:
            return bind_from_above(placed)
        if spec.clamp is not None:
            return CLAMP_FROM_ABOVE.bind(placed)
        if spec.annotation is not None:
            return bind_marker(placed)
        if path is not None and spec.preserve is not None:
            self._snapshots.append(request)
            if spec.words() == {"preserve"}:
                return ()
        if path is not None and spec.is_flattening:
            return self._flattened_above(request, path)
        if path is not None:
            return lens_for(spec).bind(request)
        self.report.error(
            "AG0609",
            spec.place,
            f"`{entry.path}` is in a list or map, for whose elements `lenses:` cannot declare this lens",
            hint="declare it on the field itself, with a path in the same element, or `byHand` for a value that leaves the list or map",
        )
        return ()

    def _flattened_above(self, request: LensRequest, path: FieldPath) -> Iterable[Step]:
        """No steps: the fields of a struct that is flattened from above have theirs, if it is in a flattened one."""
        declared = lenses_by_path(request.version)
        for i in range(1, len(path)):
            lens = declared.get(json_names(path[:i])) or path[i - 1].hub
            if lens is None or not lens.is_flattening:
                request.error(
                    "AG0602",
                    f"`{spell(path)}` is in `{spell(path[:i])}`, which is converted as a whole",
                    hint=f"flatten that, too: `{spell(path[:i])}: .`, or write `hub: .` on the field itself",
                )
                break
        return ()

    def _hub_only(self, entry: PathLens, struct: Struct, hub: Struct) -> Iterable[Step]:
        spec = entry.lens
        bound = bind_path(entry.path, hub, self.types)
        if isinstance(bound, PathProblem):
            report_missing(self.report, entry.path, bound, hub, self.types)
            return ()
        request = replace(self._request(spec, struct.fields[:1], struct, hub), side=Side.HUB, at=bound)
        if spec.annotation is not None and spec.constant is None and spec.source is None:
            return bind_annotation(request, self._wire(request, struct))
        for lens in HUB_ONLY:
            if lens.matches(spec):
                return lens.bind(request)
        request.error(
            "AG0603",
            "what a version has no field for is `annotation`, `constant`, `from`, `drop` or `byHand`",
            place=spec.place,
        )
        return ()

    def _wire(self, request: LensRequest, struct: Struct) -> Type | None:
        """The type in which a hub value is written as JSON: given by `as:`, or the version's own."""
        if request.spec.as_type is not None:
            scope = Scope(names_of(self.api), struct.id.group, struct.id.version)
            return resolve_type(request.spec.as_type, scope, Run(self.report))
        return json_type(request.bound.type, struct.id, self.hub_of)

    def _check_annotations(self, struct: Struct) -> None:
        """Report two lenses that write the same annotation: one value would overwrite the other."""
        first: dict[str, PathLens] = {}
        for entry in (*struct.lenses, *struct.hub_only):
            key = entry.lens.annotation
            if key is not None and (other := first.setdefault(key.value, entry)) is not entry:
                self.report.error(
                    "AG0607",
                    key.place,
                    f"`{entry.path}` and `{other.path}` of {struct.id.version} `{struct.id.name}` are both in the annotation `{key.value}`",
                    hint="name another annotation in one of them",
                    related=[Related(other.lens.place, "the other one")],
                )

    def _check_meetings(self, struct: Struct, steps: list[Step]) -> None:
        """Report two fields that write the same hub field: one would overwrite the other."""
        fields_by_place: dict[str, Field] = {}
        for step in steps:
            if not isinstance(step, Move | Split):
                continue
            field = step.version[-1]
            for place in step.hub_places():
                if place in fields_by_place:
                    self.report.error(
                        "AG0607",
                        field.hub.place if field.hub else field.place,
                        f"{struct.id.name}.{field.json_name} and {fields_by_place[place].json_name} are both `{place}` in the hub",
                        hint=f"if they mean the same, say `hub: {{alias: {place}}}` on one",
                        related=[Related(fields_by_place[place].place, "the other one")],
                    )
                fields_by_place.setdefault(place, field)

    def _check_wholes(self, struct: Struct, steps: list[Step]) -> None:
        """Check that a struct that is converted as a whole gets no values from other fields, which would silently
        replace its own.
        """
        wholes = {spell(s.hub): s for s in steps if isinstance(s, Move) and isinstance(s.value, Copied)}
        for step in steps:
            if not isinstance(step, Move) or len(step.hub) == 1:
                continue
            copied = next((wholes[p] for i in range(1, len(step.hub)) if (p := spell(step.hub[:i])) in wholes), None)
            if copied is not None:
                field, other = step.version[-1], copied.version[-1]
                self.report.error(
                    "AG0607",
                    field.hub.place if field.hub else field.place,
                    f"{struct.id.name}.{spell(step.version)} goes into `{spell(copied.hub)}` of the hub, which is"
                    f" {spell(copied.version)} with all its fields",
                    hint="remove one of the two lenses, or map the other fields of the struct one by one",
                    related=[Related(other.place, "the other one")],
                )

    def _check_conditions(self, steps: list[Step]) -> None:
        """Report conditions on fields whose value depends on a condition: the result would depend on the order of the
        two.
        """
        conditional = {".".join(place) for step in steps if any(step.conditions()) for place in step.changes(False)}
        for step in steps:
            for part in parts(tuple(step.conditions()), Equals, IsSet):
                if str(part.path) in conditional:
                    self.report.error(
                        "AG0611",
                        part.path.place,
                        f"the value of `{part.path}` depends on a condition, so no condition can depend on it",
                        hint="use the fields on which that value depends in the condition",
                    )


def _with_sole_builders(steps: list[Step]) -> list[Step]:
    """Return the steps; each move with `absent` knows where no other field builds the optional parents of its field."""
    fields = {
        side: Counter(
            json_names(parent) for step in steps for path, _ in _mapped(step, side) for parent in optional_parents(path)
        )
        for side in Side
    }

    def builds_alone(move: Move, side: Side) -> bool:
        parents = optional_parents(move.version if side is Side.VERSION else move.hub)
        return bool(parents) and fields[side][json_names(parents[-1])] == 1

    return [
        (
            replace(step, sole_builder_on=frozenset(side for side in Side if builds_alone(step, side)))
            if isinstance(step, Move) and step.absent is not None
            else step
        )
        for step in steps
    ]


def _with_members(struct: Struct, steps: list[Step], above: list[Step]) -> list[Step]:
    """The steps and those of lenses from above; flattened structs have the fields of the latter, too."""
    declared = lenses_by_path(struct)
    always = [
        step.path
        for step in steps
        if isinstance(step, OptionalParent) and _is_always(declared.get(json_names(step.path)) or step.path[-1].hub)
    ]
    more = [
        (
            replace(step, parent=Parent.ALWAYS)
            if isinstance(step, Move | Split) and _is_below(step.version, always)
            else step
        )
        for step in above
    ]
    kept_steps: list[Step] = []
    for step in steps:
        if isinstance(step, OptionalParent) and step.side is Side.VERSION:
            below = [each for each in more if isinstance(each, Move | Split) and _is_below(each.version, (step.path,))]
            members = tuple(member for each in below for member in _mapped(each, Side.VERSION))
            is_always = any(each.parent is Parent.ALWAYS for each in below)
            policy = Parent.ALWAYS if is_always else step.policy
            step = replace(step, members=(*step.members, *members), policy=policy)
        kept_steps.append(step)
    return [*kept_steps, *more]


def _use_hint(uses: Iterable[str]) -> str:
    """Return the fix for uses of a field without a lens."""
    if all("[]" in use for use in uses):
        return "give the field with the list or map a type of its own, because no lens maps a value out of an element"
    return "add lenses for them to `lenses:` of their types, or give the struct a type of its own in one of the fields"


def with_paired_parents(plan: TypePlan, plans: Mapping[TypeId, TypePlan]) -> TypePlan:
    """Return the plan; optional structs that a moved field builds know the same struct of the other side.

    A struct that both sides have is converted as a whole. It is lost only if a field that moves into it builds it.
    """
    steps = [
        (
            replace(step, paired=_paired(step.path, Side.HUB, plan, plans))
            if isinstance(step, OptionalParent) and step.side is Side.HUB and step.paired is None
            else step
        )
        for step in plan.steps
    ]
    known = {json_names(step.path) for step in steps if isinstance(step, OptionalParent) and step.side is Side.VERSION}
    parents: dict[tuple[str, ...], OptionalParent] = {}
    for step in steps:
        for path in optional_parents(step.version) if isinstance(step, Move) else ():
            other = None if json_names(path) in known else _paired(path, Side.VERSION, plan, plans)
            if other is None or not other[-1].can_be_none:
                continue
            assert isinstance(step, Move)
            parent = parents.get(json_names(path)) or OptionalParent(Side.VERSION, path, (), step.parent, other)
            policy = Parent.ALWAYS if Parent.ALWAYS in (parent.policy, step.parent) else Parent.WHEN_SET
            siblings = (*parent.siblings, (step.hub, step.builds_parents("obj", False)))
            parents[json_names(path)] = replace(parent, policy=policy, siblings=siblings)
    return replace(plan, steps=(*steps, *parents.values()))


def _counterpart(
    path: FieldPath, side: Side, plan: TypePlan, plans: Mapping[TypeId, TypePlan]
) -> tuple[FieldPath, list[Move]] | None:
    """Return the path on the other side of what moves convert as a whole, and these moves: of the structs on the way, and
    of the field or struct itself. None if no moves convert it.
    """
    names = json_names(path)
    moves = [
        (step, *((step.version, step.hub) if side is Side.VERSION else (step.hub, step.version)))
        for step in plan.steps
        if isinstance(step, Move)
    ]
    for move, own_path, other_path in moves:
        if json_names(own_path) == names:
            return other_path, [move]
    for move, own_path, other_path in moves:
        if names[: len(own_path)] == json_names(own_path) and isinstance(move.value, Converted):
            inner = _counterpart(path[len(own_path) :], side, plans[move.value.version], plans)
            return None if inner is None else ((*other_path, *inner[0]), [move, *inner[1]])
    return None


def _paired(path: FieldPath, side: Side, plan: TypePlan, plans: Mapping[TypeId, TypePlan]) -> FieldPath | None:
    """Return the path on the other side of a struct that is converted as a whole; None without one."""
    found = _counterpart(path, side, plan, plans)
    return None if found is None else found[0]


def _is_always(spec: LensSpec | None) -> bool:
    """Whether a lens builds its struct always."""
    return spec is not None and spec.parent is not None and spec.parent.value == Parent.ALWAYS


def _is_below(path: FieldPath, structs: Iterable[FieldPath]) -> bool:
    """Whether a field is in one of the structs, at any depth."""
    names = json_names(path)
    return any(len(path) > len(each) and names[: len(each)] == json_names(each) for each in structs)


def _with_parent(step: Step, policy: Parent, flattened: FieldPath) -> Step:
    """The step of a field below a flattened struct. `always` applies at any depth, `whenSet` to the struct's own
    fields.
    """
    if isinstance(step, Move | Split):
        return replace(step, parent=policy) if policy is Parent.ALWAYS or step.version[:-1] == flattened else step
    if isinstance(step, OptionalParent) and step.side is Side.VERSION and policy is Parent.ALWAYS:
        return replace(step, policy=policy)
    return step


_Tested = tuple[FieldPath, Test]
"""A field and a test about its value."""


def _mapped(step: Step, side: Side) -> tuple[_Tested, ...]:
    """The fields of a side that a step maps, each with the test that its value does not restore optional parents."""
    match step:
        case Move():
            return ((step.version if side is Side.VERSION else step.hub, step.is_lost_with_parents(side)),)
        case Split():
            paths = (step.version,) if side is Side.VERSION else (step.number, step.name)
            return tuple((path, IsZero(at("obj", path), path[-1])) for path in paths)
    return ()


def _building(step: Step) -> tuple[_Tested, ...]:
    """The field of the version that a step maps, with the test that its value builds optional parents in the hub."""
    match step:
        case Move():
            return ((step.version, step.builds_parents("obj", True)),)
        case Split():
            return ((step.version, Not(IsZero(at("obj", step.version), step.version[-1]))),)
    return ()


def _policy(step: Step) -> Parent:
    return step.parent if isinstance(step, Move | Split) else Parent.WHEN_SET
