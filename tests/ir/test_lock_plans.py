"""What locks hold on to, besides numbers."""

from __future__ import annotations

from pathlib import Path

from apigen.ir.locks import locked_types, plan_locks
from apigen.language.locks import write_lock
from apigen.language.model import LockedField, LockedType, LockFile
from tests.ir.resolving import META, load_and_resolve, struct, write_specs

V1 = """
types:
  Frobber:
    fields:
      podIPs: {type: "[]string", nullable: true}
      inner: {type: Inner, inline: true}
    tombstones:
      depth: {protobuf: 9}
  Inner:
    fields:
      from: {type: string}
  Mode:
    enum: {Flat: {}, Round: {}}
    tombstones: {Square: {}}
  Label: {is: string}
"""


def generate_locks(folder: Path) -> dict[str, str]:
    """Write the locks, as `apigen generate` does; returns their texts."""
    spec, api, report = load_and_resolve(folder)
    assert [d.message for d in report.diagnostics] == []
    texts = {lock.file: lock.text for lock in plan_locks(api, spec)}
    for file, text in texts.items():
        (folder / file).write_text(text, encoding="utf-8")
    return texts


def test_lock_contains_all_assigned_numbers(tmp_path: Path) -> None:
    write_specs(tmp_path, {"v1.yaml": V1})
    spec, api, _ = load_and_resolve(tmp_path)
    version = [type_ for id_, type_ in api.types.items() if id_.version == "v1"]
    assert locked_types(version, {}) == (
        LockedType(
            "Frobber",
            (LockedField("depth", None, 9), LockedField("podIPs", "pod_ips", 10), LockedField("inner", None, 11)),
            11,
        ),
        LockedType("Inner", (LockedField("from", "from_", 1),), 1),
        LockedType(
            "Mode",
            (LockedField("Square", None, None), LockedField("Flat", "FLAT", None), LockedField("Round", "ROUND", None)),
            0,
        ),
    )
    assert [lock.file for lock in plan_locks(api, spec)] == ["things.example.com/v1.lock.yaml"]


def test_locks_are_a_fixed_point(tmp_path: Path) -> None:
    kinds = {"group.yaml": "group: things.example.com\nversions: {v1: {storage: true}}\nkinds: {Frobber: {}}\n"}
    write_specs(tmp_path, {"v1.yaml": V1, **kinds, **META})
    _, before, _ = load_and_resolve(tmp_path)
    first = generate_locks(tmp_path)
    _, after, _ = load_and_resolve(tmp_path)
    assert generate_locks(tmp_path) == first
    assert after == before


def test_removed_type_stays_locked(tmp_path: Path) -> None:
    write_specs(tmp_path, {"v1.yaml": V1})
    generate_locks(tmp_path)
    write_specs(tmp_path, {"v1.yaml": "types: {}\n"})
    generate_locks(tmp_path)
    write_specs(tmp_path, {"v1.yaml": "types: {Frobber: {fields: {}}}\n"})
    _, _, report = load_and_resolve(tmp_path)
    assert [(d.code, d.message.split()[0]) for d in report.diagnostics] == [
        ("AG0408", "`depth`"),
        ("AG0408", "`inner`"),
        ("AG0408", "`podIPs`"),
    ]


def test_locked_name_is_kept_if_the_derivation_changes(tmp_path: Path) -> None:
    """If the derivation changes, fields keep their names."""
    write_specs(tmp_path, {"v1.yaml": "types: {Frobber: {fields: {podIPs: {type: string}}}}\n"})
    old = LockedType("Frobber", (LockedField("podIPs", "pod_i_ps", 1),), 1)
    lock = LockFile("v1", load_and_resolve(tmp_path)[0].groups[0].place, (old,))
    (tmp_path / "things.example.com/v1.lock.yaml").write_text(write_lock(lock))
    _, api, report = load_and_resolve(tmp_path)
    assert not report.has_errors
    assert [f.py_name for f in struct(api, "Frobber").fields] == ["pod_i_ps"]


def test_tombstone_gets_its_number_from_the_lock(tmp_path: Path) -> None:
    write_specs(tmp_path, {"v1.yaml": "types: {Frobber: {fields: {a: {type: string}, b: {type: string}}}}\n"})
    generate_locks(tmp_path)
    write_specs(tmp_path, {"v1.yaml": "types: {Frobber: {fields: {a: {type: string}}, tombstones: {b: {}}}}\n"})
    _, api, report = load_and_resolve(tmp_path)
    assert not report.has_errors
    assert [(t.name, t.number) for t in struct(api, "Frobber").tombstones] == [("b", 2)]


def test_inlined_field_is_not_a_restored_field(tmp_path: Path) -> None:
    write_specs(tmp_path, {"v1.yaml": V1})
    generate_locks(tmp_path)
    texts = generate_locks(tmp_path)
    assert "inner: {protobuf: 11}" in texts["things.example.com/v1.lock.yaml"]


def test_each_version_has_its_own_lock(tmp_path: Path) -> None:
    """Two versions can have a type of the same name; each lock has only its own numbers."""
    versions = {"group.yaml": "group: things.example.com\nversions: {v1: {storage: true}, v2: {}}\n"}
    write_specs(
        tmp_path, {**versions, "v1.yaml": "types: {Box: {fields: {a: {type: string}}}}\n", "v2.yaml": "types: {}\n"}
    )
    generate_locks(tmp_path)
    write_specs(tmp_path, {**versions, "v2.yaml": "types: {Box: {fields: {b: {type: string}}}}\n"})
    spec, api, _ = load_and_resolve(tmp_path)
    locks = plan_locks(api, spec)
    assert [lock.file.rpartition("/")[2] for lock in locks] == ["v1.lock.yaml", "v2.lock.yaml"]
    assert ["a:" in lock.text for lock in locks] == [True, False]
    assert ["b:" in lock.text for lock in locks] == [False, True]


def test_nested_inline_structs_are_locked_in_the_outer_struct(tmp_path: Path) -> None:
    types = """
    types:
      Outer: {fields: {middle: {type: Middle, inline: true}}}
      Middle: {fields: {inner: {type: Inner, inline: true}}}
      Inner: {fields: {a: {type: string}}}
    """
    write_specs(tmp_path, {"v1.yaml": types})
    _, api, _ = load_and_resolve(tmp_path)
    version = [type_ for id_, type_ in api.types.items() if id_.version == "v1"]
    assert {type_.name: [field.json_name for field in type_.fields] for type_ in locked_types(version, {})} == {
        "Outer": ["middle"],
        "Middle": ["inner"],
        "Inner": ["a"],
    }
