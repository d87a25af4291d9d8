"""What valid specs become."""

from __future__ import annotations

from pathlib import Path

import pytest

from apigen.diagnostics import Report
from apigen.ir.model import HubRef, Lifecycle, Presence, Release, Replacement, TypeId
from apigen.ir.resolve import resolve
from apigen.language.load import load_api
from tests.ir.resolving import META, resolved, struct

KINDS = """
group: things.example.com
versions:
  v1beta1: {introduced: "1.9", deprecated: "1.12", removed: "1.15", replacement: v1}
  v1: {introduced: "1.12", storage: true}
hub: v1
kinds:
  Frobber: {scope: Namespaced, plural: frobbers, shortNames: [fr]}
  Policy: {scope: Cluster, list: false}
  Bus: {hub: others/hub.Coach}
"""
OTHERS = {
    "others/group.yaml": "group: others.example.com\nversions: {v1: {storage: true}}\nhub: v1\n",
    "others/v1.yaml": "types: {Bus: {hub: Coach, fields: {}}}\n",
}


@pytest.mark.parametrize(
    ("body", "presence", "required", "can_be_none"),
    [
        ("{type: string}", Presence.PLAIN, True, False),
        ("{type: string, required: false}", Presence.PLAIN, False, False),
        ("{type: string, nullable: true}", Presence.NULLABLE, True, True),
        ("{type: string, optional: true}", Presence.OPTIONAL, False, True),
        ("{type: string, optional: true, required: true}", Presence.OPTIONAL, True, True),
        ("{type: string, omitEmpty: true}", Presence.OMIT_EMPTY, False, False),
        ('{type: "[]string", omitEmpty: true}', Presence.OMIT_EMPTY, False, True),
        ('{type: "map[string]string", omitEmpty: true}', Presence.OMIT_EMPTY, False, True),
        ("{type: bytes, omitEmpty: true}", Presence.OMIT_EMPTY, False, True),
        ("{type: bytes}", Presence.PLAIN, True, False),
        ("{type: Time}", Presence.PLAIN, True, True),
        ("{type: Quantity}", Presence.PLAIN, True, False),
    ],
)
def test_presence(body: str, presence: Presence, required: bool, can_be_none: bool, tmp_path: Path) -> None:
    api = resolved(tmp_path, {"v1.yaml": f"types: {{Frobber: {{fields: {{width: {body}}}}}}}\n"})
    (width,) = struct(api, "Frobber").fields
    assert (width.presence, width.required, width.can_be_none) == (presence, required, can_be_none)


def test_inline_structs_are_flattened_in_field_order(tmp_path: Path) -> None:
    text = """
    types:
      Volume:
        fields:
          name: {type: string, protobuf: 1}
          volumeSource: {type: VolumeSource, inline: true, protobuf: 2}
          size: {type: int32, protobuf: 3}
        defaults:
          emptyDir: {when: {unset: volumeSource}, value: {}}
      VolumeSource:
        fields:
          hostPath: {type: HostPath, optional: true, protobuf: 1}
          deep: {type: Deep, inline: true, protobuf: 2}
        unions: [{members: all}]
        defaults: {nfs: {when: {$.hostPath: null}, value: null, overwrite: true}}
        hubOnly: {gone: {drop: no more}}
      Deep:
        fields:
          emptyDir: {type: HostPath, optional: true, protobuf: 1}
          nfs: {type: string, optional: true, protobuf: 2}
        lenses: {nfs: newNfs}
      HostPath:
        fields: {}
    """
    volume = struct(resolved(tmp_path, {"v1.yaml": text}), "Volume")
    assert [(f.json_name, f.via, f.number) for f in volume.fields] == [
        ("name", (), 1),
        ("hostPath", ("volumeSource",), 1),
        ("emptyDir", ("volumeSource", "deep"), 1),
        ("nfs", ("volumeSource", "deep"), 2),
        ("size", (), 3),
    ]
    assert [(i.name, i.via, i.number) for i in volume.inlines] == [
        ("volumeSource", (), 2),
        ("deep", ("volumeSource",), 2),
    ]
    assert [([m.json_name for m in u.members], u.via) for u in volume.unions] == [
        (["hostPath", "emptyDir", "nfs"], ("volumeSource",))
    ]
    assert [str(d.path) for d in volume.defaults] == ["emptyDir", "nfs"]
    assert [str(lens.path) for lens in volume.lenses] == ["nfs"]
    assert [str(lens.path) for lens in volume.hub_only] == ["gone"]


def test_each_version_with_the_kind_gets_its_list(tmp_path: Path) -> None:
    files = {
        "group.yaml": KINDS,
        "v1beta1.yaml": "types: {Frobber: {fields: {}}, Policy: {fields: {}}}\n",
        "v1.yaml": "types: {Frobber: {fields: {}}, FrobberList: {fields: {}}, Bus: {fields: {}}}\n",
    }
    api = resolved(tmp_path, {**files, **META, **OTHERS})
    group = api.group("things.example.com")
    assert [[id_.name for id_ in version.types] for version in group.versions] == [
        ["Frobber", "Policy", "FrobberList"],
        ["Frobber", "FrobberList", "Bus", "BusList"],
    ]
    frobbers = struct(api, "FrobberList", "v1beta1")
    assert frobbers.list_of == TypeId("things.example.com", "v1beta1", "Frobber")
    assert [(f.json_name, str(f.type), f.presence, f.required, f.number) for f in frobbers.fields] == [
        ("metadata", "ListMeta", Presence.PLAIN, False, 1),
        ("items", "[]Frobber", Presence.NULLABLE, True, 2),
    ]
    assert struct(api, "FrobberList").list_of == TypeId("things.example.com", "v1", "Frobber")
    assert struct(api, "FrobberList").fields == ()
    assert struct(api, "BusList").has_type_meta


def test_kinds(tmp_path: Path) -> None:
    files = {
        "group.yaml": KINDS,
        "v1beta1.yaml": "types: {Frobber: {fields: {}}}\n",
        "v1.yaml": "types: {Frobber: {fields: {}}, Policy: {fields: {}}, Bus: {fields: {}}}\n",
    }
    frobber, policy, bus = resolved(tmp_path, {**files, **META, **OTHERS}).group("things.example.com").kinds
    assert (frobber.plural, frobber.singular, frobber.short_names, frobber.namespaced) == (
        "frobbers",
        "frobber",
        ("fr",),
        True,
    )
    assert (policy.plural, policy.has_list, policy.namespaced) == ("policies", False, False)
    assert (bus.plural, bus.hub) == ("buses", HubRef("others", "Coach"))


def test_kind_inherits_the_lifecycle_of_its_version(tmp_path: Path) -> None:
    files = {
        "group.yaml": KINDS,
        "v1beta1.yaml": """
            types:
              Frobber: {removed: "1.14", fields: {}}
              Policy: {replacement: others/v1.Bus, fields: {}}
            """,
        "v1.yaml": "types: {Frobber: {fields: {}}, Bus: {fields: {}}}\n",
    }
    others = {**OTHERS, "others/group.yaml": OTHERS["others/group.yaml"] + "kinds: {Bus: {list: false}}\n"}
    api = resolved(tmp_path, {**files, **META, **others})
    came, old = Release(1, 9), Release(1, 12)
    frobber = Lifecycle(came, old, Release(1, 14), Replacement("things.example.com", "v1", "Frobber"))
    assert struct(api, "Frobber", "v1beta1").lifecycle == frobber
    # The list follows its kind, not only its version.
    assert struct(api, "FrobberList", "v1beta1").lifecycle == Lifecycle(
        came, old, Release(1, 14), Replacement("things.example.com", "v1", "FrobberList")
    )
    policy = Lifecycle(came, old, Release(1, 15), Replacement("others.example.com", "v1", "Bus"))
    assert struct(api, "Policy", "v1beta1").lifecycle == policy
    version = api.group("things.example.com").version("v1beta1")
    assert version is not None
    assert version.lifecycle == Lifecycle(came, old, Release(1, 15), Replacement("things.example.com", "v1", ""))


def test_replacement_outside_the_specs_is_not_verified(tmp_path: Path) -> None:
    text = """
    types:
      Frobber: {replacement: far.example.org/v3.Thing, fields: {}}
    """
    group = "group: things.example.com\nversions: {v1: {storage: true}}\nkinds: {Frobber: {list: false}}\n"
    api = resolved(tmp_path, {"group.yaml": group, "v1.yaml": text})
    assert struct(api, "Frobber").lifecycle.replacement == Replacement("far.example.org", "v3", "Thing")


def test_replacement_in_the_core_group(tmp_path: Path) -> None:
    core = "group: ''\nversions: {v1beta1: {replacement: v1}, v1: {storage: true}}\nkinds: {Pod: {list: false}}\n"
    types = "types: {Pod: {fields: {}}}\n"
    files = {"core/group.yaml": core, "core/v1beta1.yaml": types, "core/v1.yaml": types, "v1.yaml": "types: {}\n"}
    api = resolved(tmp_path, files)
    assert api.struct(TypeId("core", "v1beta1", "Pod")).lifecycle.replacement == Replacement("", "v1", "Pod")


def test_names_of_types(tmp_path: Path) -> None:
    text = """
    types:
      Frobber:
        fields:
          labels: {type: Labels, omitEmpty: true}
          extra: {type: "map[string]Extra", omitEmpty: true}
          other: {type: things.example.com/v1.Size, required: false}
      Labels: {is: "map[Label]Label"}
      Label: {is: string}
      Extra: {is: "[]string", nullable: true}
      Size: {fields: {frobber: {type: Frobber, optional: true}}}
    """
    labels, extra, other = struct(resolved(tmp_path, {"v1.yaml": text}), "Frobber").fields
    assert [str(f.type) for f in (labels, extra, other)] == ["Labels", "map[string]Extra", "Size"]
    assert labels.can_be_none


def test_unreadable_element_causes_one_diagnostic(tmp_path: Path) -> None:
    files = {
        "group.yaml": "group: things.example.com\nversions: {v1: {storage: true}}\nkinds: {Frobber: {}, Gadget: {}}\n",
        "v1.yaml": "types: {Frobber: {fields: [}}\n",
    }
    for name, text in {**files, **META}.items():
        path = tmp_path / (name if "/" in name else f"things.example.com/{name}")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    report = Report()
    resolve(load_api(tmp_path, report, display_root=tmp_path), report)
    assert len(report.diagnostics) == 1
