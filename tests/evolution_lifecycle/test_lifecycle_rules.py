"""Versions and kinds live as long as they promised, and storage moves one step at a time."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.evolution_lifecycle.steps import codes, found, frobber, group


def specs(versions: str, more: str = "", files: dict[str, str] | None = None, hub: str = "v1") -> dict[str, str]:
    names = [line.partition(":")[0] for line in versions.splitlines()]
    return {"group.yaml": group(versions, more, hub), **{f"{name}.yaml": frobber() for name in names}, **(files or {})}


@pytest.mark.parametrize(
    ("versions", "release", "expected"),
    [
        ('v1: {introduced: "1.9", storage: true, removed: "1.20"}', None, ["removal-before-window"]),
        ('v1: {introduced: "1.9", storage: true, deprecated: "1.20"}', None, []),
        ('v1: {introduced: "1.9", storage: true, removed: "2.0"}', None, []),
        ('v1: {storage: true, removed: "2.0"}', "1.12", []),
        ('v1: {storage: true}\nv1beta1: {introduced: "1.9", deprecated: "1.13", removed: "1.16"}', "1.12", ["AG1341"]),
        ('v1: {storage: true}\nv1beta1: {introduced: "1.9", deprecated: "1.13", removed: "1.16"}', None, []),
        ('v1: {storage: true}\nv1beta1: {introduced: "1.9", deprecated: "1.12", removed: "1.15"}', "1.12", []),
        ('v1: {storage: true}\nv1beta1: {introduced: "1.2", deprecated: "1.9", removed: "1.12"}', "1.12", []),  # past
        (
            'v1: {storage: true}\nv1beta1: {introduced: "1.9", deprecated: "1.12", removed: "1.14"}',
            None,
            ["removal-before-window"],
        ),
        ('v1: {storage: true}\nv1beta1: {introduced: "1.9", removed: "1.14"}', None, ["removal-before-window"]),
        ('v1: {storage: true}\nv1beta1: {introduced: "1.9", deprecated: "1.12", removed: "2.0"}', None, []),
        ('v1: {storage: true}\nv1alpha1: {introduced: "1.9", deprecated: "1.10", removed: "1.11"}', None, []),
        (
            'v1: {storage: true, deprecated: "1.9", replacement: v2beta1}\nv2beta1: {}',
            None,
            ["replacement-is-less-stable"],
        ),
        ('v1: {storage: true, deprecated: "1.9", replacement: v2}\nv2: {}', None, []),
        ('v1: {storage: true}\nv1beta1: {deprecated: "1.9", replacement: v2beta1}\nv2beta1: {}', None, []),
        (
            'v1: {storage: true}\nv1beta1: {deprecated: "1.9", replacement: v1alpha1}\nv1alpha1: {}',
            None,
            ["replacement-is-less-stable"],
        ),
    ],
)
def test_plans(tmp_path: Path, versions: str, release: str | None, expected: list[str]) -> None:
    assert codes(tmp_path, {}, specs(versions), release) == expected


def test_kind_can_override_lifecycle_of_its_version(tmp_path: Path) -> None:
    kind = {"v1.yaml": frobber(more='introduced: "1.9"\nremoved: "1.20"')}
    [diagnostic] = found(tmp_path, {}, specs("v1: {storage: true}", files=kind), None)
    assert (diagnostic.code, diagnostic.place.line) == ("removal-before-window", 2)
    assert (
        diagnostic.message == 'v1 `Frobber` declares `removed: "1.20"`, but stable elements must be kept for all of 1.x'
    )


def test_version_is_not_checked_if_its_kinds_override_it(tmp_path: Path) -> None:
    versions = 'v1: {storage: true}\nv1beta1: {introduced: "1.9", removed: "1.15"}'
    kind = {"v1beta1.yaml": frobber(more='deprecated: "1.12"')}
    assert codes(tmp_path, {}, specs(versions), None) == ["removal-before-window"]
    assert codes(tmp_path / "said", {}, specs(versions, files=kind), None) == []


def test_recorded_policy_violation_is_still_an_error(tmp_path: Path) -> None:
    now = specs('v1: {introduced: "1.9", storage: true, removed: "1.20"}')
    [first] = found(tmp_path / "first", {}, now, "1.11")
    [next_] = found(tmp_path / "next", {"1.11": now}, now, "1.12")
    assert [(each.code, each.severity) for each in (first, next_)] == [
        ("removal-before-window", "warning"),
        ("removal-before-window", "error"),
    ]
    assert not first.related  # there is no release to point to
    [recorded] = next_.related
    assert (recorded.message, recorded.place.file.endswith("group.yaml")) == ("in release 1.11", True)


def test_released_deprecation_window_is_not_checked(tmp_path: Path) -> None:
    versions = 'v1: {storage: true}\nv1beta1: {introduced: "1.9", deprecated: "1.14", removed: "1.17"}'
    assert codes(tmp_path, {"1.11": specs(versions)}, specs(versions), "1.12") == []


@pytest.mark.parametrize(
    ("beta", "hint"),
    [
        ("", 'declare on the version, or here: `deprecated: "1.12", removed: "1.15"`'),
        ('deprecated: "1.12"', None),
        ('removed: "1.12"', None),
        ("ignore: {AG1106: stays}", None),
    ],
)
def test_pre_release_version_without_removal(tmp_path: Path, beta: str, hint: str | None) -> None:
    versions = 'v1: {introduced: "1.9", storage: true}\nv1beta1: {introduced: "1.9"}'
    reported = found(tmp_path, {}, specs(versions, files={"v1beta1.yaml": frobber(more=beta)}), None)
    assert [each.hint for each in reported if each.code == "AG1106"] == ([] if hint is None else [hint])


def test_deprecation_of_released_version_is_in_next_release(tmp_path: Path) -> None:
    """Three releases after its introduction are over."""
    now = specs('v1: {introduced: "1.3", storage: true}\nv1beta1: {introduced: "1.3"}')
    [missing] = found(tmp_path / "missing", {"1.11": now}, now, None)
    assert (missing.code, missing.hint) == (
        "AG1106",
        'declare on the version, or here: `deprecated: "1.12", removed: "1.15"`',
    )
    late = specs(
        'v1: {introduced: "1.3", storage: true}\nv1beta1: {introduced: "1.3", deprecated: "1.14", removed: "1.17"}'
    )
    [too_late] = found(tmp_path / "late", {"1.11": now}, late, None)
    assert (too_late.code, too_late.hint) == ("AG1341", 'set `deprecated: "1.12", removed: "1.15"`')
    fixed = specs(
        'v1: {introduced: "1.3", storage: true}\nv1beta1: {introduced: "1.3", deprecated: "1.12", removed: "1.15"}'
    )
    assert codes(tmp_path / "fixed", {"1.11": now}, fixed, None) == []


V1 = "v1: {storage: true}"
TOMBSTONE = "tombstones: {versions: {%s: {removed: '1.12'}}}"


@pytest.mark.parametrize(
    ("was", "now", "more", "release", "expected"),
    [
        ("v2: {}", "", TOMBSTONE % "v2", "1.12", ["version-removed"]),
        ("v2: {}", "v2: {served: false}", "", "1.12", ["version-removed"]),
        ("v2: {}", "v2: {served: false}", "", "2.0", []),
        ("v1beta1: {}", "", TOMBSTONE % "v1beta1", "1.12", ["version-removed"]),
        ('v1beta1: {deprecated: "1.10"}', "", TOMBSTONE % "v1beta1", "1.12", ["version-removed"]),
        ('v1beta1: {deprecated: "1.9"}', "", TOMBSTONE % "v1beta1", "1.12", []),
        ('v1beta1: {deprecated: "1.9", removed: "1.13"}', "", TOMBSTONE % "v1beta1", "1.12", ["version-removed"]),
        ('v1beta1: {deprecated: "1.9", removed: "1.12"}', "", TOMBSTONE % "v1beta1", "1.12", []),
        ("v1beta1: {served: false}", "", TOMBSTONE % "v1beta1", "1.12", []),
        ("v1alpha1: {}", "", TOMBSTONE % "v1alpha1", "1.12", []),
    ],
)
def test_removed_version(
    tmp_path: Path, was: str, now: str, more: str, release: str | None, expected: list[str]
) -> None:
    before = {"1.11": specs("\n".join(filter(None, [V1, was])))}
    assert codes(tmp_path, before, specs("\n".join(filter(None, [V1, now])), more), release) == expected


def test_kind_removed_from_a_version(tmp_path: Path) -> None:
    versions = f"{V1}\nv2: {{}}"
    now = specs(versions, files={"v2.yaml": "types: {}\n"})
    [diagnostic] = found(tmp_path, {"1.11": specs(versions)}, now, "1.12")
    assert diagnostic.code == "kind-removed"


@pytest.mark.parametrize(
    ("was", "now", "expected"),
    [
        (V1, "v1: {}\nv2: {storage: true}", ["storage-advanced-too-early"]),
        (V1, f"{V1}\nv2: {{}}", []),
        (V1, f"{V1}\nv2: {{preferred: true}}", ["preferred-advanced-too-early"]),
        (f"{V1}\nv2: {{}}", "v1: {}\nv2: {storage: true}", []),
        (f"{V1}\nv2: {{}}", f"{V1}\nv2: {{preferred: true}}", []),
        (f"{V1}\nv2: {{served: false}}", "v1: {}\nv2: {storage: true}", ["storage-advanced-too-early"]),
        (f"{V1}\nv2: {{served: false}}", f"{V1}\nv2: {{preferred: true}}", ["preferred-advanced-too-early"]),
        (f"{V1}\nv2beta1: {{}}", "v1: {}\nv2beta1: {storage: true}", ["storage-moved-to-less-stable"]),
        (f"{V1}\nv2beta1: {{}}", f"{V1}\nv2beta1: {{preferred: true}}", ["preferred-advanced-too-early"]),
        ("v1: {}\nv1beta1: {storage: true}", f"{V1}\nv1beta1: {{}}", []),
        ("v1: {}\nv1beta1: {storage: true}", "v1: {}\nv1beta1: {storage: true}", []),
    ],
)
def test_storage_version_changes(tmp_path: Path, was: str, now: str, expected: list[str]) -> None:
    assert codes(tmp_path, {"1.11": specs(was)}, specs(now), "1.12") == expected


def test_storage_cannot_move_to_version_without_the_kind(tmp_path: Path) -> None:
    before = specs(f"{V1}\nv2: {{}}", files={"v2.yaml": "types: {}\n"})
    assert codes(tmp_path, {"1.11": before}, specs("v1: {}\nv2: {storage: true}"), "1.12") == [
        "storage-advanced-too-early"
    ]


GONE = "tombstones: {versions: {v1alpha1: {removed: '1.12'%s}}}"


@pytest.mark.parametrize(
    ("releases", "migrated", "expected"),
    [
        ({"1.10": "v1alpha1", "1.11": "v1"}, "", ["AG1348"]),
        ({"1.10": "v1alpha1", "1.11": "v1"}, ", migrated: '1.11'", []),
        ({"1.10": "v1alpha1", "1.11": "v1"}, ", migrated: '1.10'", ["AG1348"]),
        ({"1.10": "v1alpha1", "1.11": "v1"}, ", migrated: '1.13'", ["AG1348"]),
        ({"1.10": "v1", "1.11": "v1"}, "", []),
        ({"1.11": "v1alpha1"}, ", migrated: '1.11'", ["AG1348"]),
    ],
)
def test_removed_storage_version(tmp_path: Path, releases: dict[str, str], migrated: str, expected: list[str]) -> None:
    def storing(name: str) -> dict[str, str]:
        return specs("\n".join(f"{v}: {{storage: {str(v == name).lower()}}}" for v in ("v1", "v1alpha1")))

    before = {release: storing(name) for release, name in releases.items()}
    assert codes(tmp_path, before, specs(V1, GONE % migrated), "1.12") == expected


@pytest.mark.parametrize(
    ("was", "now", "expected"),
    [
        ('v1: {introduced: "1.9"%s}', 'v1: {introduced: "1.9"%s}', []),
        ('v1: {introduced: "1.9"%s}', 'v1: {introduced: "1.10"%s}', ["introduced-changed"]),
        ('v1: {introduced: "1.9"%s}', "v1: {introduced: null%s}", ["introduced-changed"]),
        ("v1: {served: true%s}", 'v1: {introduced: "1.9"%s}', []),  # what was not said is added
        ("v1: {served: true%s}", 'v1: {introduced: "1.12"%s}', ["introduced-changed"]),
        ("v1: {served: true%s}", 'v1: {deprecated: "1.11"%s}', ["deprecated"]),
        ("v1: {served: true%s}", 'v1: {deprecated: "1.12"%s}', []),
        ('v1: {deprecated: "1.10"%s}', 'v1: {deprecated: "1.12"%s}', ["deprecated"]),
        ('v1: {deprecated: "1.14"%s}', 'v1: {deprecated: "1.13"%s}', []),  # a plan may change
    ],
)
def test_facts(tmp_path: Path, was: str, now: str, expected: list[str]) -> None:
    was, now = (text % ", storage: true" for text in (was, now))
    now = now.replace("introduced: null, ", "")
    assert codes(tmp_path, {"1.11": specs(was)}, specs(now), "1.12") == expected


def test_facts_of_a_kind(tmp_path: Path) -> None:
    """It differs from its version, which was released."""
    before = specs('v1: {storage: true, introduced: "1.9"}')
    kind = {"v1.yaml": frobber(more='introduced: "1.8"')}
    now = specs('v1: {storage: true, introduced: "1.9"}', files=kind)
    [diagnostic] = found(tmp_path, {"1.11": before}, now, "1.12")
    assert diagnostic.message == (
        '`introduced:` of v1 `Frobber` changed from 1.9 to 1.8, but 1.11 was released with `introduced: "1.9"`'
    )
    assert diagnostic.hint == 'restore `introduced: "1.9"`'


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ('introduced: "1.12"', []),
        ('introduced: "1.11"', ["introduction-backdated"]),
        ('deprecated: "1.11"', []),  # nothing to be said of what is new
    ],
)
def test_facts_of_a_new_field(tmp_path: Path, field: str, expected: list[str]) -> None:
    now = specs(V1, files={"v1.yaml": frobber(f"width: {{type: int32, optional: true, protobuf: 2, {field}}}")})
    assert codes(tmp_path, {"1.11": specs(V1)}, now, "1.12") == expected


def test_no_findings_without_changes(tmp_path: Path) -> None:
    versions = (
        'v1: {introduced: "1.9", storage: true}\nv1beta1: {introduced: "1.9", deprecated: "1.12", removed: "1.15"}'
    )
    assert codes(tmp_path, {"1.10": specs(versions), "1.11": specs(versions)}, specs(versions), "1.12") == []
