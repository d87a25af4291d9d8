"""What goes wrong in conversions that Kubernetes' generators write, and does not here."""

from __future__ import annotations

from pathlib import Path

import pytest

from apigen.hub.proof import prove_kinds
from tests.bugs_of_others.made import build, check_files, two_versions

ANNOTATIONS = "metadata: {type: meta/v1.ObjectMeta, omitEmpty: true, protobuf: 90}"


@pytest.mark.slow
def test_fields_of_one_type_in_another_order(tmp_path: Path) -> None:
    """Structs of the same layout are copied in one piece there, so that a swap of two fields swaps their values."""
    first = """
        Thing: {fields: {inner: {type: Inner}}}
        Inner: {fields: {host: {type: string, protobuf: 1}, path: {type: string, protobuf: 2}, a: {type: int32}, b: {type: int32}}}
        """
    second = """
        Thing: {fields: {inner: {type: Inner}}}
        Inner: {fields: {path: {type: string, protobuf: 2}, host: {type: string, protobuf: 1}, b: {type: int32}, a: {type: int32}}}
        """
    package = build(two_versions(first, second), tmp_path)
    beta = package.make("v1beta1", inner={"host": "h", "path": "p", "a": 1, "b": 2})
    new = package.scheme.convert(beta, "one.example.com/v1").inner
    assert (new.host, new.path, new.a, new.b) == ("h", "p", 1, 2)
    assert package.scheme.convert(package.scheme.convert(beta, "one.example.com/v1"), "one.example.com/v1beta1") == beta


@pytest.mark.parametrize("lacking", ["v1", "v1beta1"])
def test_a_field_that_only_one_version_has(tmp_path: Path, lacking: str) -> None:
    """The other generator omits the field and exits with 0; it ignores a field that only the target has."""
    with_, without = "Thing: {fields: {a: {type: string}, b: {type: string}}}", "Thing: {fields: {a: {type: string}}}"
    files = two_versions(without, with_) if lacking == "v1" else two_versions(with_, without)
    checked, errors = check_files(files, tmp_path)
    assert checked.backend_input is None
    assert errors == [
        f"AG0701 one/{lacking}.yaml:2:3: {lacking} `Thing` has no field for `b` of the hub, so the conversion would lose it"
    ]


def test_new_hub_field_needs_one_line_per_version(tmp_path: Path) -> None:
    """In the other generator it breaks the build of every version, which then needs a hand-written function."""
    without = f"Thing: {{fields: {{{ANNOTATIONS}}}, hubOnly: {{fresh: {{annotation: one.example.com/fresh}}}}}}"
    files = two_versions(f"Thing: {{fields: {{{ANNOTATIONS}, fresh: {{type: string, optional: true}}}}}}", without)
    package = build(files, tmp_path)
    new = package.make("v1", fresh="x")
    old = package.scheme.convert(new, "one.example.com/v1beta1")
    assert old.metadata.annotations == {"one.example.com/fresh": '"x"'}, "kept where older versions can carry it"
    back = package.scheme.convert(old, "one.example.com/v1")
    assert back == new and not back.metadata.annotations, "and gone when it is read"


def test_map_keys_of_another_string_type(tmp_path: Path) -> None:
    """There a map of other keys comes out empty, without a word."""
    package = build(
        two_versions(
            """
            Thing: {fields: {texts: {type: "map[string]string", omitEmpty: true}, parts: {type: "map[string]Part", omitEmpty: true}}}
            Part: {fields: {name: {type: string}}}
            """,
            """
            Thing: {fields: {texts: {type: "map[Label]Value", omitEmpty: true}, parts: {type: "map[Mode]Part", omitEmpty: true}}}
            Label: {is: string}
            Value: {is: string}
            Mode: {enum: {A: {}}, open: true}
            Part: {fields: {name: {type: string}}}
            """,
        ),
        tmp_path,
    )
    beta = package.make("v1beta1", texts={"a": "b"}, parts={"A": {"name": "x"}, "B": {"name": "z"}})
    new = package.scheme.convert(beta, "one.example.com/v1")
    assert new.texts == {"a": "b"} and {k: v.name for k, v in new.parts.items()} == {"A": "x", "B": "z"}
    assert package.scheme.convert(new, "one.example.com/v1beta1") == beta


def test_maps_with_incompatible_values(tmp_path: Path) -> None:
    fields = 'Thing: {fields: {m: {type: "map[string]%s", omitEmpty: true}}}'
    _, errors = check_files(two_versions(fields % "string", fields % "int32"), tmp_path)
    assert errors == [
        "AG0604 one/v1beta1.yaml:2:20: v1beta1 `Thing.m` is map[string]int32, but `m` of the hub is map[string]string;"
        " the conversion between these types must be declared"
    ]


@pytest.mark.parametrize("value", [2**31 - 1, -(2**31), 2**31, -(2**31) - 1, 2**40])
def test_narrower_integers_are_checked(tmp_path: Path, value: int) -> None:
    """There 4294967297 becomes 1."""
    fields = 'Thing: {fields: {one: {type: %s, optional: true}, many: {type: "[]%s", omitEmpty: true}}}'
    package = build(two_versions(fields % ("int64", "int64"), fields % ("int32", "int32")), tmp_path)
    for given in ({"one": value}, {"many": [1, value]}):
        new = package.make("v1", **given)
        if -(2**31) <= value < 2**31:
            old = package.scheme.convert(new, "one.example.com/v1beta1")
            assert package.scheme.convert(old, "one.example.com/v1") == new
        else:
            with pytest.raises(package.error, match="does not fit"):
                package.scheme.convert(new, "one.example.com/v1beta1")


def test_integer_to_string_is_an_error(tmp_path: Path) -> None:
    """There 65 becomes "A": Go converts a number to the character of that code."""
    _, errors = check_files(
        two_versions("Thing: {fields: {a: {type: string}}}", "Thing: {fields: {a: {type: int32}}}"), tmp_path
    )
    assert [error.partition(" ")[0] for error in errors] == ["AG0604"]
    v1beta1 = "Thing: {fields: {a: {type: int32, hub: {format: decimal}}}}"
    package = build(two_versions("Thing: {fields: {a: {type: string}}}", v1beta1), tmp_path / "declared")
    assert package.scheme.convert(package.make("v1beta1", a=65), "one.example.com/v1").a == "65"
    with pytest.raises(package.error):
        package.scheme.convert(package.make("v1", a="A"), "one.example.com/v1beta1")


@pytest.mark.parametrize("share", [False, True])
def test_writing_to_the_copy_does_not_change_the_source(tmp_path: Path, share: bool) -> None:
    """conversion-gen assigns the metadata, so that an annotation written to the copy also appears in the source."""
    files = two_versions(
        """
        Thing:
          fields:
            metadata: {type: meta/v1.ObjectMeta, omitEmpty: true, protobuf: 1}
            parts: {type: "[]Part", omitEmpty: true}
            labels: {type: "map[string]string", omitEmpty: true}
            note: {type: string, optional: true}
        Part: {fields: {names: {type: "[]string", omitEmpty: true}}}
        """,
        """
        Thing:
          fields:
            metadata: {type: meta/v1.ObjectMeta, omitEmpty: true, protobuf: 1}
            parts: {type: "[]Part", omitEmpty: true}
            labels: {type: "map[string]string", omitEmpty: true}
          hubOnly: {note: {annotation: one.example.com/note}}
        Part: {fields: {names: {type: "[]string", omitEmpty: true}}}
        """,
    )
    package = build(files, tmp_path)
    new = package.make(
        "v1", metadata={"annotations": {"a": "b"}}, parts=[{"names": ["x"]}], labels={"l": "m"}, note="kept"
    )
    before = package.text(new)
    old = package.scheme.convert(new, "one.example.com/v1beta1", share=share)
    assert old.metadata.annotations["one.example.com/note"] == '"kept"'
    assert package.text(new) == before, "not even when sharing is allowed"
    carried = package.text(old)
    again = package.scheme.convert(old, "one.example.com/v1", share=share)
    assert again.note == "kept" and package.text(old) == carried, "reading takes it out of the copy, not of the source"
    if not share:
        old.metadata.annotations["c"] = old.labels["c"] = "d"
        old.parts[0].names.append("y")
        assert package.text(new) == before


NULLABLE = """
    Thing: {fields: {rows: {type: "map[string]Row", omitEmpty: true}, part: {type: Part, optional: true}}}
    Row: {is: "[]Part", nullable: true}
    Part: {fields: {name: {type: string}}}
    """
BY_HAND = """
def part_to_hub(source, generated):
    hub = generated(source)
    hub.name = hub.name.upper()
    return hub


def part_from_hub(hub, generated):
    source = generated(hub)
    source.name = source.name.lower()
    return source
"""


def test_nullable_elements_and_hand_written_functions(tmp_path: Path) -> None:
    """Other generators: code for lists of pointers did not compile, or copies in memory bypassed the hand-written function."""
    package = build(two_versions(NULLABLE, NULLABLE), tmp_path, hand={"one/v1beta1/conversions.py": BY_HAND})
    old = package.make("v1beta1", rows={"none": None, "empty": [], "some": [{"name": "a"}]}, part={"name": "b"})
    new = package.scheme.convert(old, "one.example.com/v1")
    assert (new.rows["none"], new.rows["empty"]) == (None, [])
    assert (new.rows["some"][0].name, new.part.name) == (
        "A",
        "B",
    ), "the hand-written function runs wherever the type is used"
    assert package.scheme.convert(new, "one.example.com/v1beta1") == old


TWO = two_versions(
    'Thing: {fields: {part: {type: one/v1.Part}, parts: {type: "[]one/v1.Part", omitEmpty: true}}}',
    'Thing: {fields: {part: {type: one/v1beta1.Part}, parts: {type: "[]one/v1beta1.Part", omitEmpty: true}}}',
    name="two",
)
ONE = two_versions(NULLABLE, NULLABLE)


@pytest.mark.parametrize("groups", [None, ("two",), ("one", "two")])
def test_conversions_of_another_group(tmp_path: Path, groups: tuple[str, ...] | None) -> None:
    """The other generator ignores functions generated in another package, which must be wrapped manually."""
    hand = {"one/v1beta1/conversions.py": BY_HAND}
    package = build({**ONE, **TWO}, tmp_path, hand=hand, groups=groups)
    old = package.make("v1beta1", "two", part={"name": "a"}, parts=[{"name": "b"}])
    new = package.scheme.convert(old, "two.example.com/v1")
    assert (new.part.name, new.parts[0].name) == ("A", "B")
    assert package.scheme.convert(new, "two.example.com/v1beta1") == old


def test_output_does_not_depend_on_what_is_generated_with_it(tmp_path: Path) -> None:
    alone = build(ONE, tmp_path / "alone", groups=("one",))
    together = build({**ONE, **TWO}, tmp_path / "together")
    chosen = build({**ONE, **TWO}, tmp_path / "chosen", groups=("one",))
    files = [
        path.relative_to(alone.folder) for path in (alone.folder / "one").rglob("*") if path.suffix in (".py", ".proto")
    ]
    assert len(files) > 10
    for path in files:
        texts = {(package.folder / path).read_text() for package in (alone, together, chosen)}
        assert len(texts) == 1, path


def test_renames_and_moves_are_declared(tmp_path: Path) -> None:
    """There a rename is a function by hand, and a field that moves out of its struct must be written all over."""
    package = build(
        two_versions(
            "Thing: {fields: {spec: {type: Spec}, status: {type: Status, omitEmpty: true}}}\n"
            "Spec: {fields: {size: {type: int32}}}\n"
            "Status: {fields: {phase: {type: string, omitEmpty: true}}}",
            "Thing: {fields: {spec: {type: Spec}, phase: {type: string, omitEmpty: true, hub: status.phase}}}\n"
            "Spec: {fields: {width: {type: int32, hub: size}}}",
        ),
        tmp_path,
    )
    old = package.make("v1beta1", spec={"width": 4}, phase="Ready")
    new = package.scheme.convert(old, "one.example.com/v1")
    assert (new.spec.size, new.status.phase) == (4, "Ready")
    assert package.scheme.convert(new, "one.example.com/v1beta1") == old


def test_declared_loss_has_a_reason(tmp_path: Path) -> None:
    """There one marker hides both."""
    v1beta1 = "Thing: {fields: {a: {type: string}, old: {type: string, hub: {drop: no client read it}}}}"
    checked, errors = check_files(two_versions("Thing: {fields: {a: {type: string}}}", v1beta1), tmp_path)
    assert not errors and checked.backend_input is not None
    (proof,) = prove_kinds(checked.backend_input.hub, checked.backend_input.types)
    assert "`old` is never preserved [drop: no client read it]" in {lost.sentence() for lost in proof.lost}


def test_proof_covers_round_trips_through_other_versions(tmp_path: Path) -> None:
    fields = "Thing: {fields: {a: {type: string, omitEmpty: true}}, hubOnly: {b: {drop: too new}}}"
    checked, _ = check_files(
        two_versions("Thing: {fields: {a: {type: string, omitEmpty: true}, b: {type: string}}}", fields), tmp_path
    )
    assert checked.backend_input is not None
    (proof,) = prove_kinds(checked.backend_input.hub, checked.backend_input.types)
    (lost,) = proof.lost
    assert (lost.version.version, lost.affected[0].version.version) == ("v1beta1", "v1")
    assert lost.sentence() == "`b` is never preserved [drop: too new]"


def test_none_stays_none_and_empty_stays_empty(tmp_path: Path) -> None:
    fields = """
        Thing:
          fields:
            list: {type: "[]Part", nullable: true}
            map: {type: "map[string]string", optional: true}
            part: {type: Part, optional: true}
        Part: {fields: {name: {type: string}}}
        """
    package = build(two_versions(fields, fields), tmp_path)
    for given in ({"list": None, "map": None, "part": None}, {"list": [], "map": {}, "part": {"name": ""}}):
        new = package.scheme.convert(package.make("v1beta1", **given), "one.example.com/v1")
        assert (new.list, new.map, new.part is None) == (given["list"], given["map"], given["part"] is None)


def test_api_version_and_kind_are_set_not_copied(tmp_path: Path) -> None:
    fields = "Thing: {fields: {a: {type: string}}}"
    package = build(two_versions(fields, fields), tmp_path)
    old = package.module("one.v1beta1.types").Thing(api_version="wrong/v9", kind="Wrong", a="x")
    new = package.scheme.convert(old, "one.example.com/v1")
    assert (new.api_version, new.kind) == ("one.example.com/v1", "Thing")


def test_aliases_of_aliases(tmp_path: Path) -> None:
    """There an alias of a type of another package is not followed."""
    package = build(
        two_versions(
            'Thing: {fields: {a: {type: Names}}}\nNames: {is: "[]Name"}\nName: {is: other/v1.Label}',
            'Thing: {fields: {a: {type: "[]string", required: true}}}',
        )
        | {
            "other/group.yaml": "group: other.example.com\nversions: {v1: {}}\n",
            "other/v1.yaml": "types: {Label: {is: Text}, Text: {is: string}}\n",
        },
        tmp_path,
    )
    assert package.scheme.convert(package.make("v1beta1", a=["x"]), "one.example.com/v1").a == ["x"]
