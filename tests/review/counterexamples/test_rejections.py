"""What a counterexample is: a rejection on account of the finding's own rule, which then breaks; never a failure of the trial."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from apigen.diagnostics import Report
from apigen.inputs.source import Setting
from apigen.review.counterexamples.outcome import NO_KIND, UNKNOWN_FIELD, Rejection, Rejections
from apigen.review.finding import WITHOUT_CEL, Finding
from apigen.review.reports.report import Style, format_named
from apigen.review.results import Impact
from apigen.review.running import Request, Reviewed, run_review
from apigen.runtime.structural import engine

TEXT = {"type": "string"}


def definition(properties: dict[str, object], *kinds: str, **more: object) -> str:
    """Definitions of kinds whose `spec` has these properties."""
    return "---\n".join(
        yaml.safe_dump(
            {
                "apiVersion": "apiextensions.k8s.io/v1",
                "kind": "CustomResourceDefinition",
                "metadata": {"name": f"{kind.lower()}s.example.com"},
                "spec": {
                    "group": "example.com",
                    "names": {"kind": kind, "plural": f"{kind.lower()}s"},
                    "scope": "Namespaced",
                    "conversion": {"strategy": "None"},
                    "versions": [
                        {
                            "name": "v1",
                            "served": True,
                            "storage": True,
                            "schema": {
                                "openAPIV3Schema": {
                                    "type": "object",
                                    "properties": {"spec": {"type": "object", "properties": properties, **more}},
                                }
                            },
                        }
                    ],
                },
            }
        )
        for kind in kinds
    )


def reviewed(folder: Path, old: str, new: str) -> Reviewed:
    for name, text in (("old", old), ("new", new)):
        (folder / f"{name}.yaml").write_text(text)
    request = Request("crd:old.yaml", "crd:new.yaml", Setting(folder), approvals=None, moment=None)
    report = Report()
    made = run_review(request, report)
    assert made is not None, report.diagnostics
    return made


def found(of: Reviewed, rule: str) -> list[Finding]:
    return [each for each in of.summary.findings if each.rule == rule]


RULES = [
    {"rule": "self.a != 'x'", "message": "a may not be x"},
    {"rule": "self.b != 'y'", "message": "b may not be y"},
    {"rule": "self.a != self.b"},
]


def test_counterexample_of_a_rule_has_a_rejection_naming_it(tmp_path: Path) -> None:
    fields: dict[str, object] = {"a": {**TEXT, "default": "p"}, "b": {**TEXT, "default": "q"}}
    ruled = definition(fields, "Thing", **{"x-kubernetes-validations": RULES})
    of = reviewed(tmp_path, definition(fields, "Thing"), ruled)
    findings = found(of, "rule-added")
    assert len(findings) == len(RULES)
    for rule in RULES:
        (finding,) = (each for each in findings if f"({rule['rule']})" in each.element.path)
        assert all(rule.get("message", "failed rule: ") in each.outcome for each in finding.counterexamples)
    assert sum(bool(each.counterexamples) for each in findings) >= 2


def test_counterexample_of_bound_is_not_rejected_by_pattern(tmp_path: Path) -> None:
    old = definition({"a": {**TEXT, "maxLength": 9}}, "Thing")
    new = definition({"a": {**TEXT, "maxLength": 5, "pattern": "^[a-z]*$"}}, "Thing")
    of = reviewed(tmp_path, old, new)
    for rule, word in (("bound-tightened", "Too long"), ("pattern-added", "should match")):
        (finding,) = found(of, rule)
        assert finding.counterexamples
        assert all(word in each.outcome for each in finding.counterexamples)


def test_counterexample_of_a_kind_uses_its_own_objects(tmp_path: Path) -> None:
    old = definition({"a": TEXT}, "Thing", "Other")
    new = definition({"b": TEXT}, "Thing")
    of = reviewed(tmp_path, old, new)
    counterexamples = [each for finding in found(of, "kind-removed") for each in finding.counterexamples]
    assert {each.kind for each in counterexamples} <= {"example.com/v1 Other"}


def test_rejected_object_is_a_breaking_effect(tmp_path: Path) -> None:
    of = reviewed(tmp_path, definition({"a": TEXT}, "Thing"), definition({"a": TEXT, "b": TEXT}, "Thing"))
    (finding,) = found(of, "field-added")
    rejected = [each for each in finding.counterexamples if "the request is rejected" in each.outcome]
    assert rejected
    assert all(finding.effects[each.direction].impact is Impact.BREAKS for each in rejected)


def test_missing_library_causes_one_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apigen.runtime.rules.find_cel", lambda: None)
    fields: dict[str, object] = {"a": TEXT, "b": TEXT}
    ruled = definition(fields, "Thing", **{"x-kubernetes-validations": RULES})
    of = reviewed(tmp_path, definition(fields, "Thing"), ruled)
    assert not any(each.counterexamples for each in found(of, "rule-added"))
    text = format_named("text").render(of.summary, Style()).splitlines()
    assert text[1].startswith("no counterexamples were searched for 3 findings: CEL rules cannot be evaluated")
    assert not any("nternal error" in line for line in text)
    for name in ("markdown", "html"):
        assert "no counterexamples were searched for 3 findings" in format_named(name).render(of.summary, Style())
    assert WITHOUT_CEL in format_named("text").render(of.summary, Style(verbose=True)).replace("\n  ", " ")


RULE = Rejection(engine.RULES, "spec", "spec: Invalid value: a may not be x")
UNKNOWN = Rejection(UNKNOWN_FIELD, "spec.a", 'unknown field "spec.a"')
LONG = Rejection("maxLength", "spec.a", "spec.a: Too long: may not be more than 5 characters")
MISSING = Rejection("required", "spec.a.name", "spec.a.name: Required value")
UNION = Rejection("", "spec", "spec: Invalid value: must specify one of: `a`, `b`")
NOT_SERVED = Rejection(NO_KIND, "", "the server does not serve v1 Thing")
ANYWHERE = ()
A = ("spec.a",)


@pytest.mark.parametrize(
    ("rejections", "error", "places", "fits"),
    [
        (Rejections(), LONG, A, True),
        (Rejections(), LONG, ("spec.b",), False),
        (Rejections(words=("a may not",)), RULE, ANYWHERE, True),
        (Rejections(words=("b may not",)), RULE, ANYWHERE, False),
        (Rejections(frozenset({"maxLength"})), LONG, A, True),
        (Rejections(frozenset({"pattern"})), LONG, A, False),
        (Rejections(others=frozenset({"maxLength"})), LONG, A, False),
        (Rejections(frozenset({"pattern"})), UNION, A, True),
        (Rejections(frozenset({"required"})), MISSING, A, True),
        (Rejections(frozenset({"required"})), MISSING, ("spec.a.name.first",), False),
        (Rejections(frozenset({"required"})), MISSING, ("",), True),
        (Rejections(frozenset({UNKNOWN_FIELD})), UNKNOWN, ("spec.a.b",), False),
        (Rejections(frozenset({NO_KIND})), NOT_SERVED, A, True),
        (Rejections(), NOT_SERVED, A, False),
    ],
)
def test_matching_rejections(rejections: Rejections, error: Rejection, places: tuple[str, ...], fits: bool) -> None:
    assert rejections.fit(error, places) is fits
