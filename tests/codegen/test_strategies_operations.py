"""What a kind's `strategy:` changes: generation, what is reset and kept, hooks, subresources."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from tests.codegen.gated_packages import Gated, build, specs

Build = Callable[..., Gated]

TYPES = """
    Frobber:
      fields:
        metadata: {type: meta/v1.ObjectMeta, required: false, protobuf: 1}
        spec: {type: FrobberSpec, required: false, protobuf: 2}
        status: {type: FrobberStatus, required: false, protobuf: 3}
    FrobberSpec:
      fields:
        size: {type: int32, omitEmpty: true, protobuf: 1}
        width: {type: int32, optional: true, protobuf: 2, featureGate: GateC}
        names: {type: "[]string", omitEmpty: true, protobuf: 3}
        template: {type: Template, optional: true, protobuf: 4}
    Template:
      fields:
        name: {type: string, omitEmpty: true, protobuf: 1}
        notes: {type: "[]Note", omitEmpty: true, protobuf: 2}
        byKey: {type: "map[string]Note", omitEmpty: true, protobuf: 3}
    Note:
      fields:
        text: {type: string, omitEmpty: true, protobuf: 1}
    FrobberStatus:
      fields:
        count: {type: int32, omitEmpty: true, protobuf: 1}
        config: {type: Template, optional: true, protobuf: 2}
    """


@pytest.fixture
def built(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Build:
    def run(strategy: str = "", types: str = TYPES, subresources: str = "status: {}") -> Gated:
        kind = (
            "Frobber: {scope: Namespaced, plural: frobbers, "
            f"subresources: {{{subresources}}}, strategy: {strategy or '{}'}}}"
        )
        return build(specs(types, kinds=kind), tmp_path_factory.mktemp("operations"), monkeypatch)

    return run


def create(package: Gated, obj: Any, text: str = "") -> Any:
    package.strategy("Frobber").prepare_for_create(obj, features=package.features("1.13", text))
    return obj


def update(package: Gated, obj: Any, old: Any, subresource: str = "") -> Any:
    before = copy.deepcopy(old)
    package.strategy("Frobber", subresource).prepare_for_update(obj, old, features=package.features())
    assert old == before
    return obj


def generations(package: Gated, change: Callable[[Any], object], subresource: str = "") -> int:
    """The generation after a change of an object at generation 4."""
    types = package.types
    old = types.Frobber(spec=types.FrobberSpec(names=["a"]))
    old.metadata.generation = 4
    obj = copy.deepcopy(old)
    change(obj)
    generation: int = update(package, obj, old, subresource).metadata.generation
    return generation


def set_size(obj: Any) -> None:
    obj.spec.size = 9


def annotate(obj: Any) -> None:
    obj.metadata.annotations = {"a": "b"}


def widen(obj: Any) -> None:
    obj.spec.width = 9


@pytest.mark.parametrize(
    ("strategy", "created", "sized", "annotated", "widened"),
    [
        ("", 1, 5, 4, 4),
        ("{generation: none}", 0, 4, 4, 4),
        ("{generation: {start: 7}}", 7, 5, 4, 4),
        ("{generation: {start: 1, bump: []}}", 1, 4, 4, 4),
        ("{generation: {bump: [spec, metadata.annotations]}}", 1, 5, 5, 4),
        ("{generation: {bump: [metadata.annotations]}}", 1, 4, 5, 4),
        ("{generation: {before: drop}}", 1, 5, 4, 5),
        ("{generation: {bump: [spec.template.name]}}", 1, 4, 4, 4),
    ],
)
def test_generation(built: Build, strategy: str, created: int, sized: int, annotated: int, widened: int) -> None:
    package = built(strategy)
    obj = package.types.Frobber()
    assert create(package, obj).metadata.generation == created
    assert generations(package, set_size) == sized
    assert generations(package, annotate) == annotated
    assert generations(package, widen) == widened


def test_generation_below_an_optional_parent(built: Build) -> None:
    package = built("{generation: {bump: [spec.template.name]}}")

    def name(text: str) -> Callable[[Any], object]:
        return lambda obj: setattr(obj.spec, "template", package.types.Template(name=text))

    assert generations(package, name("x")) == 5
    assert generations(package, lambda obj: setattr(obj.spec, "names", None)) == 4


def test_generation_by_exact_equality(built: Build) -> None:
    """Semantically, absent and empty are the same; exactly, they are not."""

    def empty(obj: Any) -> None:
        obj.spec.template.notes = []

    for strategy, wanted in (("", 0), ("{generation: {equality: exact}}", 1)):
        package = built(strategy)
        types = package.types
        old = types.Frobber(spec=types.FrobberSpec(template=types.Template()))
        obj = copy.deepcopy(old)
        empty(obj)
        assert update(package, obj, old).metadata.generation == wanted


def test_maximum_generation_wraps_around(built: Build) -> None:
    package = built()
    old, obj = package.types.Frobber(), package.types.Frobber()
    old.metadata.generation = 2**63 - 1
    obj.spec.size = 1
    assert update(package, obj, old).metadata.generation == -(2**63)


def test_kinds_without_status_have_no_generation(built: Build) -> None:
    package = built(subresources="")
    obj = package.types.Frobber(status=package.types.FrobberStatus(count=3))
    assert create(package, obj).metadata.generation == 0
    assert obj.status.count == 3, "and no status to be reset"
    assert generations(package, set_size) == 4


def test_create_resets_declared_fields(built: Build) -> None:
    package = built("{create: {reset: [status.config, spec.names, 'spec.template.notes[].text', metadata.labels]}}")
    types = package.types
    spec = types.FrobberSpec(names=["a"], template=types.Template(notes=[types.Note(text="x")]))
    obj = types.Frobber(spec=spec, status=types.FrobberStatus(count=1, config=types.Template()))
    obj.metadata.labels = {"a": "b"}
    create(package, obj)
    assert obj.status == types.FrobberStatus(count=1)
    assert obj.spec == types.FrobberSpec(template=types.Template(notes=[types.Note()]))
    assert obj.metadata.labels is None
    package = built("{create: {reset: []}}")
    types = package.types
    assert create(package, types.Frobber(status=types.FrobberStatus(count=1))).status.count == 1


def test_status_update_keeps_declared_fields(built: Build) -> None:
    package = built("{status: {keep: [spec, metadata], except: [metadata.managedFields]}}")
    types = package.types
    old, obj = types.Frobber(spec=types.FrobberSpec(size=1)), types.Frobber(spec=types.FrobberSpec(size=2))
    old.metadata.labels, obj.metadata.labels = {"a": "old"}, {"a": "new"}
    meta = package.module("meta.v1.types")
    obj.metadata.managed_fields = [meta.ManagedFieldsEntry(manager="me")]
    old.metadata.managed_fields = [meta.ManagedFieldsEntry(manager="them")]
    obj.status.count = 4
    update(package, obj, old, "status")
    assert obj.spec == old.spec and obj.status.count == 4
    assert obj.metadata.labels == {"a": "old"} and obj.metadata.labels is not old.metadata.labels
    assert [entry.manager for entry in obj.metadata.managed_fields] == ["me"]


def test_keep_with_exception_below_optional_parents(built: Build) -> None:
    package = built("{polish: {keep: [.], except: [spec.template.notes]}}", subresources="status: {}, polish: {}")
    types = package.types

    def frobber(template: Any, size: int) -> Any:
        return types.Frobber(
            spec=types.FrobberSpec(size=size, template=template), status=types.FrobberStatus(count=size)
        )

    new, old = [types.Note(text="new")], [types.Note(text="old")]

    def polished(obj: Any, old: Any) -> tuple[Any, Any]:
        update(package, obj, old, "polish")
        return obj.spec, obj.status

    before = frobber(types.Template(name="old", notes=old), 1)
    wanted = frobber(types.Template(name="old", notes=new), 1)
    obj = frobber(types.Template(name="new", notes=new), 2)
    assert polished(obj, before) == (wanted.spec, wanted.status)
    assert obj.metadata.generation == 1, "that one place counts as a change"
    obj = frobber(None, 2)
    assert polished(obj, before)[0] == types.FrobberSpec(size=1, template=types.Template(name="old"))
    obj = frobber(types.Template(notes=new), 2)
    assert polished(obj, frobber(None, 1))[0] == types.FrobberSpec(size=1)
    assert obj.metadata.generation == 0


def test_kept_parts_are_deep_copies(built: Build) -> None:
    package = built("{update: {keep: [spec.template.notes, spec.template.byKey, status]}}")
    types = package.types
    template = types.Template(notes=[types.Note(text="a")], by_key={"k": types.Note(text="b")})
    old = types.Frobber(spec=types.FrobberSpec(template=template))
    obj = update(package, types.Frobber(spec=types.FrobberSpec(template=types.Template(name="n"))), old)
    assert obj.spec.template == types.Template(name="n", notes=template.notes, by_key=template.by_key)
    obj.spec.template.notes[0].text = obj.spec.template.by_key["k"].text = "changed"
    obj.spec.template.notes.clear()
    assert template.notes == [types.Note(text="a")] and template.by_key == {"k": types.Note(text="b")}
    obj = update(package, types.Frobber(), old)
    assert obj.spec.template is None, "no parent is built"
    without = types.Frobber()
    obj = update(package, types.Frobber(spec=types.FrobberSpec(template=types.Template(notes=[types.Note()]))), without)
    assert obj.spec.template == types.Template()


def test_update_that_keeps_all_fields_changes_no_generation(built: Build) -> None:
    """Like a CertificateSigningRequest, of which neither spec nor status can be updated."""
    package = built("{update: {keep: [spec, status]}}")
    assert generations(package, set_size) == 4


def test_gated_data_kept_from_the_old_object_is_not_a_drop(built: Build) -> None:
    package = built("{status: {keep: [spec]}}")
    obj = package.types.Frobber(spec=package.types.FrobberSpec(width=3))
    dropped = package.strategy("Frobber", "status").prepare_for_update(
        obj, package.types.Frobber(), features=package.features()
    )
    assert dropped == [] and obj.spec.width is None


def test_other_subresources_work_like_an_update(built: Build) -> None:
    package = built(subresources="status: {}, polish: {}")
    assert generations(package, set_size, "polish") == 5
    old, obj = package.types.Frobber(), package.types.Frobber(status=package.types.FrobberStatus(count=1))
    assert update(package, obj, old, "polish").status.count == 0


def test_hooks_run_after_the_generated_steps(built: Build) -> None:
    package = built("{hooks: [create, update, status]}")
    types = package.types
    seen: list[Any] = []
    main, status = package.strategy("Frobber"), package.strategy("Frobber", "status")

    @main.hook("create")
    def created(context: object, old: Any, new: Any) -> None:
        seen.append(("create", context, old, new.metadata.generation))

    @main.hook("update")
    def updated(context: object, old: Any, new: Any) -> None:
        seen.append(("update", context, old.spec.size, new.spec.width))

    @status.hook("status")
    def status_updated(context: object, old: Any, new: Any) -> None:
        seen.append(("status", context, old.spec.size, new.spec.size))

    features = package.features()
    main.prepare_for_create(types.Frobber(), features=features, context="alice")
    old = types.Frobber(spec=types.FrobberSpec(size=1))
    main.prepare_for_update(types.Frobber(spec=types.FrobberSpec(width=2)), old, features=features, context="bob")
    status.prepare_for_update(types.Frobber(spec=types.FrobberSpec(size=2)), old, features=features)
    assert seen == [("create", "alice", None, 1), ("update", "bob", 1, None), ("status", None, 1, 1)]
    with pytest.raises(ValueError, match="Frobber has no hook for 'updat', did you mean update"):
        main.hook("updat")
    with pytest.raises(ValueError, match="Frobber has no hook for 'create'; it has status"):
        status.hook("create")
