"""Findings, reviews and summaries that are put together by hand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import date

from apigen.diagnostics import Place, Report
from apigen.ir.stability import Stability, stability
from apigen.ir.surface import (
    Element,
    ElementKind,
    Field,
    Group,
    Kind,
    KindVersion,
    Named,
    Scalar,
    Scalars,
    Slot,
    Struct,
    Surface,
    TypeDef,
    TypeName,
    Unread,
    Version,
)
from apigen.language.releases import Release
from apigen.review.approvals.approval import Approval, Moment, match
from apigen.review.finding import Counterexample, Finding, Review
from apigen.review.grouping import members
from apigen.review.reports.summary import FailOn, Summary, sum_up
from apigen.review.results import Direction, Effect, MitigationResult, RuleResult, Severity, breaks, depends
from apigen.review.review import fingerprint
from apigen.review.rules.registry import rule_texts

GROUP = "things.example.com"
TODAY = date(2026, 3, 2)
RULE = "unclassified-change"
BOUND = {
    Direction.OLD_CLIENT: breaks("an older client that sends 40 characters is rejected"),
    Direction.STORED: depends("an object with 40 characters cannot be changed any more"),
}


def field(name: str = "name", *, of: str = "Thing", version: str = "v1") -> Element:
    return Element(ElementKind.FIELD, GROUP, version, of, name)


def finding(
    element: Element | None = None,
    *,
    rule: str = RULE,
    severity: Severity = Severity.ERROR,
    effects: dict[Direction, Effect] | None = None,
    old: str = "maxLength: 63",
    new: str = "maxLength: 32",
    message: str = "maxLength of name went from 63 to 32",
    **more: object,
) -> Finding:
    """A finding about a tightened bound, with some attributes replaced."""
    element = field() if element is None else element
    made = Finding(
        rule=rule,
        element=element,
        severity=severity,
        stability=stability(element.version) if element.version else Stability.STABLE,
        result=RuleResult(message, {}, fix="raise it again"),
        effects=dict(BOUND if effects is None else effects),
        old=old,
        new=new,
        old_place=Place("main:api-specs/v1.yaml", 7, 9),
        new_place=Place("api-specs/v1.yaml", 8, 9),
        fingerprint=fingerprint(rule, element, old, new),
    )
    return replace(made, **more)  # type: ignore[arg-type]


def removed(element: Element, **more: object) -> Finding:
    return finding(element, old=f"{element.path or element.type}: string", new="", **more)  # type: ignore[arg-type]


def added(element: Element, **more: object) -> Finding:
    what = {
        "severity": Severity.INFO,
        "effects": {},
        "old": "",
        "new": f"{element.path or element.type}: string",
        **more,
    }
    return finding(element, **what)  # type: ignore[arg-type]


def shown() -> Finding:
    """A finding with everything that a finding can have."""
    counterexample = Counterexample(
        Direction.OLD_CLIENT, "things.example.com/v1 Thing", {"name": "x" * 40}, "rejected: name is too long"
    )
    changed = Counterexample(Direction.STORED, "things.example.com/v1 Thing", {"a": 1}, "changed", {"a": 2})
    return finding(
        result=RuleResult(
            "maxLength of name went from 63 to 32",
            {},
            "raise it again",
            "name: {maxLength: 63}\n",
            not_verified="whether older code takes it",
        ),
        counterexamples=(counterexample, changed),
        considered=(
            MitigationResult(
                True, "unchanged values pass", frozenset({Direction.ROLLBACK}), Severity.WARNING, name="ratcheting"
            ),
            MitigationResult(False, "there is no gate", name="gate off"),
        ),
        proposal="perhaps the field was renamed",
        kinds=("things.example.com/v1 Thing",),
        consequences=(removed(field("other"), severity=Severity.INFO, message="and so on"),),
    )


def struct(name: str, fields: dict[str, str], version: str = "v1") -> Struct:
    """A struct: names of fields -> names of types, or `string`."""
    place = Place("v1.yaml", 1, 1)
    made = {
        key: Field(
            key,
            Slot(
                Scalar(Scalars.STRING) if type_ == "string" else Named(TypeName(GROUP, version, type_)),
                place,
            ),
            place,
        )
        for key, type_ in fields.items()
    }
    return Struct(TypeName(GROUP, version, name), made, Slot(Scalar(Scalars.ANYTHING), place), place)


def surface(
    label: str = "api-specs",
    types: Iterable[TypeDef] = (),
    kinds: tuple[str, ...] = ("Thing",),
    versions: tuple[str, ...] = ("v1",),
    release: Release | None = None,
    unread: tuple[Unread, ...] = (),
) -> Surface:
    place = Place("v1.yaml", 1, 1)
    by_name = {type_.name.name: type_ for type_ in types}
    made = {
        version: Version(
            GROUP,
            version,
            place,
            types={name: type_ for name, type_ in by_name.items() if type_.name.version == version},
            kinds={kind: KindVersion(kind, TypeName(GROUP, version, kind), place) for kind in kinds},
            storage=version == "v1",
        )
        for version in versions
    }
    group = Group(GROUP, place, made, {kind: Kind(kind, place) for kind in kinds})
    return Surface(label, "specs", {GROUP: group}, release=release, unread=unread)


def summary(
    *findings: Finding,
    old: Surface | None = None,
    new: Surface | None = None,
    approvals: Iterable[Approval] = (),
    fail_on: FailOn = FailOn.ERROR,
) -> Summary:
    sides = old or surface("main:api-specs"), new or surface()
    texts = rule_texts({each.rule for finding in findings for each in members(finding)}, "specs")
    review = Review(*sides, findings, len(findings), rules=texts)
    report = Report()
    matched = match(findings, approvals, Moment(TODAY), report)
    return sum_up(review, matched, report.diagnostics, fail_on)


def approval(of: Finding, **more: object) -> Approval:
    made = Approval(
        fingerprint=of.fingerprint,
        rule=of.rule,
        element=str(of.element),
        old=of.old,
        new=of.new,
        reason="no client sends longer names",
        created=TODAY,
        expires=date(2026, 5, 1),
        place=Place("apigen-approvals.yaml", 2, 5),
        expires_place=Place("apigen-approvals.yaml", 9, 14),
        owner="sig-things",
        ticket="THINGS-7",
    )
    return replace(made, **more)  # type: ignore[arg-type]
