"""Generated validation: each constraint, in the words and paths of the version that the hub follows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.codegen.gated_packages import Gated, build, specs
from tests.effort import within

Build = Callable[..., Gated]
META = "metadata: {type: meta/v1.ObjectMeta, required: false, protobuf: 1}"
STATUS = "status: {type: FrobberStatus, required: false, protobuf: 90}"
STATUS_TYPE = "FrobberStatus: {fields: {count: {type: int32, omitEmpty: true, minimum: 0, protobuf: 1}}}"


def types_of(fields: str, rest: str = "", block: str = "") -> str:
    """A Frobber with some fields next to metadata and status, what else its block has, and other types."""
    return f"""
    Frobber:
      fields:
        {META}
        {STATUS}
        {fields}
      {block}
    {STATUS_TYPE}
    {rest}
    """


@pytest.fixture
def built(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Build:
    def run(fields: str, rest: str = "", block: str = "", hub: str = "") -> Gated:
        return build(specs(types_of(fields, rest, block), hub=hub), tmp_path_factory.mktemp("validated"), monkeypatch)

    return run


def errors(package: Gated, obj: Any, old: Any = None, text: str = "") -> list[str]:
    strategy, features = package.strategy("Frobber"), package.features("1.13", text)
    if old is None:
        return [str(e) for e in strategy.validate(obj, features=features)]
    return [str(e) for e in strategy.validate_update(obj, old, features=features)]


def validate(package: Gated, **values: Any) -> list[str]:
    return errors(package, package.types.Frobber(**values))


def test_numbers(built: Build) -> None:
    package = built("""a: {type: int32, minimum: 1, maximum: 9, multipleOf: 3, protobuf: 2}
        b: {type: float64, optional: true, exclusiveMinimum: 0, exclusiveMaximum: 1.5, protobuf: 3}
        c: {type: int64, omitEmpty: true, minimum: 5, protobuf: 4}""")
    assert validate(package, a=3) == []
    assert validate(package, a=0) == ["a: Invalid value: 0: must be greater than or equal to 1"], "it may be meant"
    assert validate(package, a=10) == [
        "a: Invalid value: 10: must be less than or equal to 9",
        "a: Invalid value: 10: must be a multiple of 3",
    ]
    assert validate(package, a=3, b=0.0) == ["b: Invalid value: 0: must be greater than 0"]
    assert validate(package, a=3, b=1.5) == ["b: Invalid value: 1.5: must be less than 1.5"]
    assert validate(package, a=3, c=0) == [], "zero is unset"
    assert validate(package, a=3, c=4) == ["c: Invalid value: 4: must be greater than or equal to 5"]


def test_strings(built: Build) -> None:
    package = built("""a: {type: string, required: false, minLength: 2, maxLength: 3, protobuf: 2}
        b: {type: string, omitEmpty: true, maxBytes: 3, protobuf: 3}
        c: {type: string, optional: true, pattern: "^[a-z$]+$", protobuf: 4}
        d: {type: string, optional: true, format: k8s-short-name, protobuf: 5}
        e: {type: bytes, omitEmpty: true, maxBytes: 2, protobuf: 6}
        f: {type: string, minLength: 1, protobuf: 7}""")
    assert validate(package, f="x") == []
    assert validate(package) == ["f: Too short: must be at least 1 character"]
    assert validate(package, f="x", a="é") == ["a: Too short: must be at least 2 characters"]
    assert validate(package, f="x", a="éééé") == ["a: Too long: may not be more than 3 characters"]
    assert validate(package, f="x", b="éé") == ["b: Too long: may not be more than 3 bytes"]
    assert validate(package, f="x", c="a$") == []
    for bad in ("", "A", "a\n", "٣"):
        assert validate(package, f="x", c=bad)[0].endswith("must match the pattern '^[a-z$]+$'")
    assert validate(package, f="x", d="a.b") == ['d: Invalid value: "a.b": must not contain dots']
    assert validate(package, f="x", e=b"abc") == ["e: Too long: may not be more than 2 bytes"]


HOSTILE_PATTERNS = ("^([a-z0-9]+-?)*$", r"^(\w+\s?)*$", "^(a|aa)+$", "^(([a-z])+.)+[A-Z]([a-z])+$", r"^\p{Greek}+$")


def test_nonlinear_pattern_uses_the_matcher(built: Build) -> None:
    fields = "\n        ".join(
        f"f{number}: {{type: string, optional: true, pattern: '{pattern}', protobuf: {number + 2}}}"
        for number, pattern in enumerate((*HOSTILE_PATTERNS, "^[a-z]+$"))
    )
    package = built(fields)
    text = Path(package.hub("validation").__file__).read_text(encoding="utf-8")
    assert text.count("not matches(") == len(HOSTILE_PATTERNS) and text.count("re.search(") == 1
    with within(3_000_000):
        errors = validate(package, **{f"f{number}": "a" * 50_000 + "!" for number in range(6)})
    assert [error.partition(":")[0] for error in errors] == [f"f{number}" for number in range(6)]
    assert validate(package, f0="a-b", f1="a b", f2="aaa", f3="ab.Ab", f4="αβ", f5="a") == []


def test_required_is_reported_only_for_detectable_absence(built: Build) -> None:
    package = built(
        """number: {type: int32, protobuf: 2}
        text: {type: string, protobuf: 3}
        flag: {type: bool, protobuf: 4}
        mode: {type: Mode, protobuf: 5}
        list: {type: "[]string", nullable: true, protobuf: 6}
        time: {type: Time, protobuf: 7}
        inner: {type: Inner, protobuf: 8}
        optional: {type: int32, optional: true, required: true, protobuf: 9}
        omitted: {type: int32, omitEmpty: true, required: true, protobuf: 10}
        map: {type: "map[string]string", omitEmpty: true, required: true, protobuf: 11}
        free: {type: string, nullable: true, required: false, protobuf: 12}""",
        """
    Mode: {enum: {On: {}, Off: {}}}
    Inner: {fields: {name: {type: string, nullable: true, protobuf: 1}}}
    """,
    )
    names = ("mode", "list", "time", "inner.name", "optional", "omitted", "map")
    assert validate(package) == [f"{name}: Required value" for name in names]
    time = package.module("runtime").Time.parse("2006-01-02T15:04:05Z")
    inner = package.types.Inner(name="")
    assert validate(package, mode="On", list=[], time=time, inner=inner, optional=0, omitted=1, map={"a": "b"}) == []


def test_none_is_accepted_for_optional_keys(built: Build) -> None:
    package = built(
        'c: {type: "[]Part", omitEmpty: true, listType: map, listMapKeys: [name, share], protobuf: 2}',
        """
    Part:
      fields:
        name: {type: string, protobuf: 1}
        share: {type: string, optional: true, protobuf: 2}
        weight: {type: int32, omitEmpty: true, maximum: 9, protobuf: 3}
    """,
    )
    part = package.types.Part
    assert validate(package, c=[part(name="a"), part(name="a", share=""), part(name="a", share="x")]) == []
    assert validate(package, c=[part(name="a"), part(name="a", share="x"), part(name="a")]) == [
        'c[2]: Duplicate value: {"name":"a","share":null}'
    ]
    frobber = package.types.Frobber
    old = frobber(c=[part(name="a", weight=10), part(name="a", share="x", weight=1)])
    moved = frobber(c=[part(name="a", share="x", weight=1), part(name="a", weight=10)])
    assert errors(package, moved, old) == [], "the same element, unchanged, in another place"
    swapped = frobber(c=[part(name="a", weight=1), part(name="a", share="x", weight=10)])
    assert errors(package, swapped, old) == [
        "c[1].weight: Invalid value: 10: must be less than or equal to 9"
    ], "None pairs with None only"


def test_open_enum_rejects_only_values_of_disabled_gates(built: Build) -> None:
    package = built(
        """a: {type: Mode, protobuf: 2}
        b: {type: "[]Mode", omitEmpty: true, protobuf: 3}
        c: {type: Plain, required: true, default: Other, protobuf: 4}
        d: {type: "map[string]Plain", omitEmpty: true, protobuf: 5}
        e: {type: Plain, optional: true, required: true, protobuf: 6}""",
        """
    Mode: {open: true, enum: {On: {}, New: {featureGate: GateA}}}
    Plain: {open: true, enum: {Some: {}}}
    """,
    )
    assert validate(package, a="Unheard", c="Unheard", d={"x": "Unheard"}, e="") == []
    assert validate(package) == ["e: Required value"], "empty text may be meant; None is nothing"
    off = 'Invalid value: "New": only allowed if the GateA feature is enabled'
    frobber = package.types.Frobber(a="New", b=["On", "New"], e="")
    assert errors(package, frobber, text="GateA=false") == [f"a: {off}", f"b[1]: {off}"]
    assert errors(package, frobber, text="GateA=true") == []
    assert errors(package, frobber, frobber, text="GateA=false") == [], "what the old object has stays"


def test_open_enum_selects_a_union_member_or_none(built: Build) -> None:
    package = built(
        "a: {type: Way, optional: true, protobuf: 2}",
        """
    Way:
      fields:
        kind: {type: Kind, protobuf: 1}
        one: {type: int32, optional: true, protobuf: 2}
        two: {type: int32, optional: true, protobuf: 3}
      unions: [{discriminator: kind, members: {One: one, Two: two}, optional: true}]
    Kind: {open: true, enum: {One: {}, Three: {}}}
    """,
    )
    way = package.types.Way
    assert validate(package, a=way(kind="One", one=1)) == validate(package, a=way(kind="Two", two=1)) == []
    assert validate(package, a=way(kind="Three")) == validate(package, a=way(kind="Unheard")) == []
    assert validate(package, a=way(kind="Three", two=1)) == [
        'a.two: Invalid value: "": may only be specified when `kind` is "Two"'
    ]


def test_lists(built: Build) -> None:
    package = built(
        """a: {type: "[]int32", omitEmpty: true, minItems: 2, maxItems: 3, items: {minimum: 1}, protobuf: 2}
        b: {type: "[]string", omitEmpty: true, listType: set, items: {maxLength: 2}, protobuf: 3}
        c: {type: "[]Part", omitEmpty: true, listType: map, listMapKeys: [port, protocol], protobuf: 4}
        d: {type: "[]Part", nullable: true, uniqueItems: true, protobuf: 5}""",
        """
    Part:
      fields:
        port: {type: int32, protobuf: 1}
        protocol: {type: string, protobuf: 2, default: TCP}
        weight: {type: int32, omitEmpty: true, maximum: 9, protobuf: 3}
    """,
    )
    part = package.types.Part
    assert validate(package, d=[]) == []
    assert validate(package, d=[], a=[0]) == [
        "a: Too few: 1: must have at least 2 items",
        "a[0]: Invalid value: 0: must be greater than or equal to 1",
    ]
    assert validate(package, d=[], a=[1, 2, 3, 4]) == ["a: Too many: 4: must have at most 3 items"]
    assert validate(package, d=[], b=["a", "b", "a", "abc"]) == [
        'b[2]: Duplicate value: "a"',
        "b[3]: Too long: may not be more than 2 characters",
    ]
    assert validate(package, d=[], c=[part(port=1), part(port=1, protocol="TCP"), part(port=1, weight=10)]) == [
        'c[2]: Duplicate value: {"port":1,"protocol":""}',
        "c[2].weight: Invalid value: 10: must be less than or equal to 9",
    ]
    assert validate(package, d=[part(port=1), part(port=2), part(port=1)]) == ["d[2]: Duplicate value: null"]


def test_maps(built: Build) -> None:
    package = built(
        """a: {type: "map[string]string", omitEmpty: true, minProperties: 2, maxProperties: 3,
            keys: {format: k8s-short-name}, values: {maxLength: 2}, protobuf: 2}
        b: {type: "map[string]Part", omitEmpty: true, protobuf: 3}
        c: {type: "map[string]Parts", omitEmpty: true, protobuf: 4}""",
        """
    Part: {fields: {weight: {type: int32, maximum: 9, protobuf: 1}}}
    Parts: {is: "[]Part", nullable: true}
    """,
    )
    part = package.types.Part
    assert validate(package, a={"a": "1", "b.c": "123"}) == [
        'a: Invalid value: "b.c": must not contain dots',
        "a[b.c]: Too long: may not be more than 2 characters",
    ]
    assert validate(package, a={"a": ""}) == ["a: Too few: 1: must have at least 2 items"]
    assert validate(package, a=dict.fromkeys("abcd", "")) == ["a: Too many: 4: must have at most 3 items"]
    assert validate(package, b={"k": part(weight=10)}) == [
        "b[k].weight: Invalid value: 10: must be less than or equal to 9"
    ]
    assert validate(package, c={"k": [part(), part(weight=10)], "n": None}) == [
        "c[k][1].weight: Invalid value: 10: must be less than or equal to 9"
    ]


def test_constraints_of_type_aliases_apply(built: Build) -> None:
    package = built(
        """a: {type: Percent, optional: true, minimum: 1, protobuf: 2}
        b: {type: "[]Percent", omitEmpty: true, protobuf: 3}
        c: {type: "map[Key]string", omitEmpty: true, protobuf: 4}""",
        """
    Percent: {is: int32, minimum: 0, maximum: 100}
    Key: {is: string, maxLength: 2}
    """,
    )
    assert validate(package, a=0) == ["a: Invalid value: 0: must be greater than or equal to 1"]
    assert validate(package, a=101, b=[-1]) == [
        "a: Invalid value: 101: must be less than or equal to 100",
        "b[0]: Invalid value: -1: must be greater than or equal to 0",
    ]
    assert validate(package, c={"abc": ""}) == ["c: Too long: may not be more than 2 characters"]


def test_unions(built: Build) -> None:
    package = built(
        """a: {type: int32, optional: true, protobuf: 2}
        b: {type: string, omitEmpty: true, protobuf: 3}
        choice: {type: Choice, required: false, protobuf: 4}""",
        """
    Choice:
      fields:
        type: {type: string, required: false, protobuf: 1}
        on: {type: Empty, optional: true, protobuf: 2}
        off: {type: Empty, optional: true, protobuf: 3}
      unions: [{discriminator: type, members: {On: on, Off: off}, empty: [None]}]
    Empty: {fields: {x: {type: int32, omitEmpty: true, protobuf: 1}}}
    """,
        block="unions: [{members: [a, b]}]",
    )
    types = package.types
    assert validate(package, a=0) == []
    assert validate(package) == ['Invalid value: "": must specify one of: `a`, `b`']
    assert validate(package, a=0, b="x") == ['Invalid value: "{a, b}": must specify exactly one of: `a`, `b`']
    choice = types.Choice(type="On", off=types.Empty())
    assert validate(package, a=0, choice=choice) == [
        'choice.on: Invalid value: "": must be specified when `type` is "On"',
        'choice.off: Invalid value: "": may only be specified when `type` is "Off"',
    ]


def test_requires_and_forbids(built: Build) -> None:
    package = built("""a: {type: int32, optional: true, requires: [b], forbids: [c], protobuf: 2}
        b: {type: string, omitEmpty: true, protobuf: 3}
        c: {type: "[]string", omitEmpty: true, protobuf: 4}""")
    frobber = package.types.Frobber
    assert validate(package, b="x", c=["x"]) == []
    assert validate(package, a=0, b="x") == []
    assert validate(package, a=0, c=["x"]) == [
        "b: Required value: must be set when a is set",
        "c: Forbidden: may not be set when a is set",
    ]
    old = frobber(a=0, c=["x"])
    assert errors(package, frobber(a=1, c=["y"]), old) == [], "set is what was set, unset what was not"
    assert errors(package, frobber(a=1, c=["y"]), frobber(c=["x"])) == errors(package, frobber(a=1, c=["y"]))


def test_cel_rules_are_evaluated_with_other_constraints(built: Build) -> None:
    package = built('a: {type: int32, maximum: 5, rules: [{rule: "self > 0", message: positive}], protobuf: 2}')
    assert validate(package) == ["a: Invalid value: 0: positive"]
    assert validate(package, a=1) == []
    assert validate(package, a=6) == ["a: Invalid value: 6: must be less than or equal to 5"]


def test_paths_are_those_of_the_version_that_the_hub_follows(built: Build) -> None:
    package = built(
        """size: {type: int32, minimum: 1, hub: height, protobuf: 2}
        parts: {type: "[]Part", omitEmpty: true, hub: pieces, listType: map, listMapKeys: [id], protobuf: 3}""",
        """
    Part:
      fields:
        id: {type: string, hub: identity, protobuf: 1}
        wide: {type: int32, optional: true, hub: width, protobuf: 2, maximum: 9, featureGate: GateC}
    """,
    )
    types = package.types
    part = types.Part(identity="a", width=10)
    assert validate(package, height=0, pieces=[part, part]) == [
        "size: Invalid value: 0: must be greater than or equal to 1",
        'parts[1]: Duplicate value: {"id":"a"}',
        "parts[0].wide: Invalid value: 10: must be less than or equal to 9",
        "parts[1].wide: Invalid value: 10: must be less than or equal to 9",
    ]
    obj = types.Frobber(pieces=[types.Part(identity="a", width=10)])
    dropped = package.strategy("Frobber").prepare_for_create(obj, features=package.features())
    assert [w.path for w in dropped] == ["parts[0].wide"]


def test_status_is_validated_when_it_is_written(built: Build) -> None:
    package = built("a: {type: int32, optional: true, protobuf: 2}")
    types = package.types
    obj = types.Frobber(status=types.FrobberStatus(count=-1))
    assert errors(package, obj) == [], "it is emptied on creation"
    found = package.strategy("Frobber", "status").validate_update(obj, types.Frobber(), features=package.features())
    assert [str(e) for e in found] == ["status.count: Invalid value: -1: must be greater than or equal to 0"]


def test_hand_written_validation_is_called(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "hand" / "things_example_com" / "v1"
    folder.mkdir(parents=True)
    for package_folder in (tmp_path / "hand", folder.parent, folder):
        (package_folder / "__init__.py").touch()
    (folder / "validation.py").write_text(
        "def validate_frobber(obj, path, options):\n"
        "    return [f'{path.child(\"a\")}: {obj.a} is odd, updating: {options.updating}'] if obj.a % 2 else []\n"
    )
    package = build(specs(types_of("a: {type: int32, protobuf: 2}")), tmp_path, monkeypatch)
    frobber = package.types.Frobber
    assert errors(package, frobber(a=2)) == []
    assert errors(package, frobber(a=3)) == ["a: 3 is odd, updating: False"]
    assert errors(package, frobber(a=3), frobber(a=2)) == ["a: 3 is odd, updating: True"]
    assert errors(package, frobber(a=3), frobber(a=3)) == [], "unchanged values are not validated"


def test_every_choice_can_be_checked(built: Build) -> None:
    package = built("a: {type: int32, protobuf: 2}", hub="")
    assert validate(package) == []
