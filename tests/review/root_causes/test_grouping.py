"""Grouping by root cause: consequences are listed below their cause, and no finding is lost."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import permutations

from apigen.ir.surface import Element, ElementKind, Surface
from apigen.review.changes.change import Trait
from apigen.review.finding import Finding
from apigen.review.grouping import group_by_root_cause, members, same_changes
from apigen.review.results import Severity
from tests.review.reports.hand_made import GROUP, added, field, finding, removed, struct, surface

OLD = surface(types=[struct("Thing", {"spec": "Spec"}), struct("Spec", {"name": "string"})])
NEW = surface(types=[struct("Thing", {})])


def type_(name: str, version: str = "v1") -> Element:
    return Element(ElementKind.STRUCT, GROUP, version, name)


def kind(name: str, version: str = "") -> Element:
    return Element(ElementKind.KIND, GROUP, version, name)


def tree(findings: list[Finding], old: Surface = OLD, new: Surface = NEW) -> dict[str, list[str]]:
    folded = group_by_root_cause(findings, old, new)
    told = [each.fingerprint for finding in folded for each in members(finding)]
    assert Counter(told) == Counter(finding.fingerprint for finding in findings)
    return {str(each.element): [str(one.element) for one in each.consequences] for each in folded}


def test_removed_type_follows_from_its_removed_field() -> None:
    gone = [removed(type_("Spec")), removed(field("spec"))]
    assert tree(gone) == {f"{GROUP}/v1.Thing.spec": [f"{GROUP}/v1.Spec"]}


def test_unreferenced_type_is_its_own_root_cause() -> None:
    assert tree([removed(type_("Other")), removed(field("spec"))]) == {
        f"{GROUP}/v1.Other": [],
        f"{GROUP}/v1.Thing.spec": [],
    }


def test_a_chain_of_types_has_one_root() -> None:
    old = surface(types=[struct("Thing", {"a": "A"}), struct("A", {"b": "B"}), struct("B", {"a": "A"})])
    gone = [removed(type_("B")), removed(type_("A")), removed(field("a"))]
    for order in permutations(gone):
        assert tree(list(order), old) == {f"{GROUP}/v1.Thing.a": [f"{GROUP}/v1.A", f"{GROUP}/v1.B"]}


def test_cyclic_types_are_preserved() -> None:
    old = surface(types=[struct("A", {"b": "B"}), struct("B", {"a": "A"})])
    folded = tree([removed(type_("A")), removed(type_("B"))], old)
    assert sorted(Counter(folded)) in ([f"{GROUP}/v1.A"], [f"{GROUP}/v1.B"])


def test_removed_type_follows_from_a_changed_field_type() -> None:
    retyped = finding(field("spec"), old="type: Spec", new="type: string", trait=Trait.TYPE)
    assert tree([removed(type_("Spec")), retyped]) == {f"{GROUP}/v1.Thing.spec": [f"{GROUP}/v1.Spec"]}


def test_changed_list_type_follows_from_the_changed_type_of_its_items() -> None:
    items = finding(field("spec[]"), old="type: string", new="type: Spec", trait=Trait.TYPE)
    keyed = finding(field("spec"), old="set", new="map", trait=Trait.LIST_TYPE)
    other = finding(field("other"), old="set", new="atomic", trait=Trait.LIST_TYPE)
    assert tree([keyed, items, other]) == {
        f"{GROUP}/v1.Thing.spec[]": [f"{GROUP}/v1.Thing.spec"],
        f"{GROUP}/v1.Thing.other": [],
    }


def test_removed_types_follow_from_a_removed_kind() -> None:
    gone = [removed(type_("Spec")), removed(type_("Thing")), removed(kind("Thing", "v1")), removed(kind("Thing"))]
    assert tree(gone) == {f"{GROUP}/v1.Thing": [f"{GROUP}.Thing", f"{GROUP}/v1.Spec", f"{GROUP}/v1.Thing"]}


def test_removed_kind_follows_from_its_only_version() -> None:
    version = Element(ElementKind.VERSION, GROUP, "v1")
    assert tree([removed(kind("Thing")), removed(version)]) == {f"{GROUP}/v1": [f"{GROUP}.Thing"]}


def test_tombstone_follows_from_its_removed_element() -> None:
    tombstone = Element(ElementKind.TOMBSTONE, GROUP, "v1", "Thing", "spec")
    assert tree([added(tombstone), removed(field("spec"))]) == {f"{GROUP}/v1.Thing.spec": [f"{GROUP}/v1.Thing.spec"]}


def test_new_type_follows_from_its_new_field() -> None:
    assert tree([added(type_("Spec")), added(field("spec"))], NEW, OLD) == {
        f"{GROUP}/v1.Thing.spec": [f"{GROUP}/v1.Spec"]
    }


def test_group_has_severity_of_its_most_severe_member() -> None:
    gone = [removed(type_("Spec"), severity=Severity.ERROR), removed(field("spec"), severity=Severity.INFO)]
    (root,) = group_by_root_cause(gone, OLD, NEW)
    assert (root.severity, root.own_severity) == (Severity.ERROR, Severity.INFO)
    assert [each.severity for each in members(root)] == [Severity.INFO, Severity.ERROR]


def test_grouping_twice_changes_nothing() -> None:
    once = group_by_root_cause([removed(type_("Spec")), removed(field("spec"))], OLD, NEW)
    assert group_by_root_cause(once, OLD, NEW) == once


def test_order() -> None:
    found = [
        finding(field("z"), severity=Severity.INFO),
        finding(field("a", version="v1alpha1")),
        finding(field("b", version="v1beta1")),
        finding(field("d")),
        finding(field("c")),
    ]
    folded = group_by_root_cause(found, OLD, NEW)
    assert [each.element.path for each in folded] == ["c", "d", "b", "a", "z"]


def test_removed_rule_follows_from_its_removed_field() -> None:
    rule = Element(ElementKind.RULE, GROUP, "v1", "Thing", "(has(self.spec))")
    other = Element(ElementKind.RULE, GROUP, "v1", "Thing", "(has(self.name))")
    gone = [
        finding(rule, old="has(self.spec)", new=""),
        finding(other, old="has(self.name)", new=""),
        removed(field("spec")),
    ]
    assert tree(gone) == {str(other): [], f"{GROUP}/v1.Thing.spec": [str(rule)]}


def test_field_in_some_versions_follows_from_its_removal() -> None:
    left = added(field("spec"), new="v1beta1 -> v1: spec: Spec -> nothing", rule="field-in-some-versions-only")
    assert tree([left, removed(field("spec"))]) == {f"{GROUP}/v1.Thing.spec": [f"{GROUP}/v1.Thing.spec"]}


def test_changes_of_an_unserved_version_follow_from_it() -> None:
    new = surface(types=[struct("Thing", {})])
    version = new.groups[GROUP].versions["v1"]
    unserved = {"Thing": replace(version.kinds["Thing"], served=False)}
    new.groups[GROUP].versions["v1"] = replace(version, kinds=unserved, storage=False)  # type: ignore[index]
    kinds = (f"{GROUP}/v1 Thing",)
    moot = finding(field("name"), kinds=kinds)
    gone = finding(kind("Thing", "v1"), old="served: true", new="served: false", kinds=kinds, trait=Trait.SERVED)
    assert tree([moot, gone], new=new) == {f"{GROUP}/v1.Thing": [f"{GROUP}/v1.Thing.name"]}
    other = finding(field("name"), kinds=(*kinds, f"{GROUP}/v2 Thing"))
    assert tree([other, gone], new=new) == {f"{GROUP}/v1.Thing": [], f"{GROUP}/v1.Thing.name": []}


def rule_added(type_: str, text: str, severity: Severity = Severity.ERROR) -> Finding:
    element = Element(ElementKind.RULE, GROUP, "v1", type_, f"({text})")
    return added(element, rule="rule-added", severity=severity, new=text)


def test_rules_added_to_one_type_are_one_change() -> None:
    listeners = [rule_added("Gateway.spec.listeners", each) for each in "abc"]
    (change,) = same_changes(listeners)
    assert (change.findings, change.variants) == (tuple(listeners), tuple(listeners))
    assert change.places == 3


def test_equal_rules_at_several_places_join_their_types() -> None:
    a, b, alone = rule_added("A.x", "one"), rule_added("B.x", "two"), rule_added("C.y", "one")
    both = rule_added("B.x", "one")
    assert [change.findings for change in same_changes([a, b, alone])] == [(a, alone), (b,)]
    (change,) = same_changes([a, b, alone, both])
    assert Counter(each.element for each in change.findings) == Counter(each.element for each in (a, b, alone, both))
    assert [each.new for each in change.variants] == ["one", "two"]


def test_rules_of_other_severity_or_direction_are_other_changes() -> None:
    mine, open_one = rule_added("A.x", "one"), rule_added("A.x", "two", Severity.UNVERIFIED)
    gone = removed(Element(ElementKind.RULE, GROUP, "v1", "A.x", "(three)"), rule="rule-added")
    assert len(same_changes([mine, open_one, gone])) == 3


def test_fields_of_one_type_are_different_changes() -> None:
    assert len(same_changes([removed(field("a")), removed(field("b"))])) == 2
