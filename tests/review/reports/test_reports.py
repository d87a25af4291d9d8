"""Every format shows what there is, and counts what it omits."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pytest
import yaml

from apigen.cli.commands.diff import FAIL_ON, FORMATS, PRESETS
from apigen.diagnostics import Place
from apigen.ir.surface import Unread
from apigen.language.releases import Release
from apigen.review.reports.markdown_report import LARGEST
from apigen.review.reports.report import FORMATS as REGISTERED
from apigen.review.reports.report import Style, format_named
from apigen.review.reports.schema import review_schema
from apigen.review.reports.summary import FailOn, Summary, result_line
from apigen.review.results import Direction, Preset, Severity
from tests.review.reports.hand_made import added, approval, field, finding, removed, shown, summary, surface

NAMES = [each.name for each in REGISTERED]


def full() -> Summary:
    """A summary with something in each of its parts."""
    approved, partly = finding(field("approved")), finding(field("partly"))
    return summary(
        shown(),
        finding(field("soft", version="v1beta1"), severity=Severity.WARNING),
        finding(field("mere"), severity=Severity.INFO, effects={}),
        removed(field("gone")),
        added(field("fresh")),
        finding(field("silent"), severity=Severity.SILENT, effects={}),
        approved,
        partly,
        old=surface("main:api-specs", versions=("v1alpha1", "v1"), release=Release(1, 11)),
        new=surface(versions=("v1", "v2"), unread=(Unread(Place("v1.yaml", 3, 1), "extensions are not compared"),)),
        approvals=[
            approval(approved),
            approval(partly, directions=frozenset({Direction.OLD_CLIENT})),
            approval(finding(field("unused"))),
        ],
    )


def printed(name: str, of: Summary, style: Style | None = None) -> str:
    return format_named(name).render(of, style or Style())


def test_command_line_accepts_all_formats() -> None:
    assert list(FORMATS) == NAMES
    assert list(FAIL_ON) == [each.value for each in FailOn]
    assert list(PRESETS) == [each.value for each in Preset]


@pytest.mark.parametrize("name", NAMES)
def test_each_finding_is_in_each_report(name: str) -> None:
    text = printed(name, full(), Style(verbose=True))
    for path in ("name", "soft", "mere", "gone", "partly"):
        found = f"things.example.com/{'v1beta1' if path == 'soft' else 'v1'}.Thing.{path}"
        place_only = name in ("github", "gitlab", "line")
        assert place_only or found in text, path
    assert "maxLength of name went from 63 to 32" in text
    assert name == "gitlab" or "main:api-specs/v1.yaml" in text or "main%3Aapi-specs/v1.yaml" in text
    assert name in ("markdown", "sarif", "github", "junit", "html", "text") or full().findings[0].fingerprint in text


@pytest.mark.parametrize("name", NAMES)
def test_a_review_without_findings(name: str) -> None:
    assert printed(name, summary()).strip()


@pytest.mark.parametrize("name", NAMES)
def test_the_same_review_gives_the_same_report(name: str) -> None:
    assert printed(name, full()) == printed(name, full())


@pytest.mark.parametrize(
    ("fail_on", "says"),
    [
        (FailOn.ERROR, "1 warning, 1 info: passed"),
        (FailOn.WARNING, "1 warning, 1 info: failed (--fail-on warning)"),
        (FailOn.NEVER, "1 warning, 1 info: passed"),
    ],
)
def test_result_line(fail_on: FailOn, says: str) -> None:
    mild = finding(severity=Severity.WARNING), finding(field("b"), severity=Severity.INFO, effects={})
    of = summary(*mild, fail_on=fail_on)
    assert result_line(of) == says
    for name in ("text", "line", "github"):
        assert printed(name, of).splitlines()[-1] == says


def test_no_changes() -> None:
    assert result_line(summary()) == "no changes: passed"


def test_json_report_matches_its_schema() -> None:
    schema = review_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    for of in (full(), summary()):
        jsonschema.Draft202012Validator(schema).validate(json.loads(printed("json", of)))


def test_schema_rejects_invalid_reports() -> None:
    good = json.loads(printed("json", full()))
    validator = jsonschema.Draft202012Validator(review_schema())
    for broken in (
        {**good, "more": 1},
        {key: value for key, value in good.items() if key != "findings"},
        {**good, "findings": [{**good["findings"][0], "severity": "fatal"}]},
    ):
        assert not validator.is_valid(broken)


def test_yaml_report_equals_json_report() -> None:
    assert yaml.safe_load(printed("yaml", full())) == json.loads(printed("json", full()))


def test_json_report_has_counts() -> None:
    report = json.loads(printed("json", full()))
    assert report["result"]["counts"] == {"error": 3, "unverified": 0, "warning": 1, "info": 1}
    assert report["result"]["places"] == {"error": 4, "unverified": 0, "warning": 1, "info": 1}
    assert report["matrix"]["stored"] == {"error": 3, "unverified": 0, "warning": 1, "info": 0}
    assert report["matrix"]["none"] == {"error": 0, "unverified": 0, "warning": 0, "info": 1}
    assert report["release"]["bump"] == "major"
    assert [each["element"]["path"] for each in report["additions"]] == ["fresh"]
    assert [each["element"]["path"] for each in report["harmless"]] == ["silent"]
    assert [each["finding"]["element"]["path"] for each in report["approved"]] == ["approved", "partly"]
    assert [problem["code"] for problem in report["approvals"]["problems"]] == ["AG1423"]


LOCATION = {
    "type": "object",
    "required": ["physicalLocation"],
    "properties": {
        "physicalLocation": {
            "type": "object",
            "required": ["artifactLocation"],
            "properties": {
                "artifactLocation": {"properties": {"uri": {"type": "string", "pattern": "^[A-Za-z0-9%/._~-]+$"}}},
                "region": {
                    "properties": {
                        "startLine": {"type": "integer", "minimum": 1},
                        "startColumn": {"type": "integer", "minimum": 1},
                    }
                },
            },
        }
    },
}
TEXT = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string", "minLength": 1}}}
RESULT = {
    "type": "object",
    "required": ["message", "ruleId", "ruleIndex", "level", "locations", "partialFingerprints"],
    "properties": {
        "message": TEXT,
        "level": {"enum": ["none", "note", "warning", "error"]},
        "ruleIndex": {"type": "integer", "minimum": 0},
        "locations": {"type": "array", "minItems": 1, "items": LOCATION},
        "relatedLocations": {"type": "array", "items": LOCATION},
        "partialFingerprints": {"type": "object", "additionalProperties": {"type": "string"}},
        "suppressions": {
            "items": {"required": ["kind"], "properties": {"kind": {"enum": ["inSource", "external"]}}},
        },
    },
}
DRIVER = {
    "required": ["name", "rules"],
    "properties": {
        "rules": {"type": "array", "uniqueItems": True, "items": {"required": ["id"], "properties": {"help": TEXT}}}
    },
}
ESSENTIALS = {
    "type": "object",
    "required": ["version", "runs"],
    "properties": {
        "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "items": {
                "required": ["tool", "results"],
                "properties": {
                    "tool": {"required": ["driver"], "properties": {"driver": DRIVER}},
                    "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                    "results": {"type": "array", "items": RESULT},
                },
            },
        },
    },
}
"""What SARIF 2.1.0 asks of the parts that are used here."""


def test_sarif_report_matches_the_standard() -> None:
    for of in (full(), summary()):
        jsonschema.Draft202012Validator(ESSENTIALS).validate(json.loads(printed("sarif", of)))


def test_sarif() -> None:
    of = full()
    report = json.loads(printed("sarif", of))
    (run,) = report["runs"]
    assert report["version"] == "2.1.0"
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    results = run["results"]
    assert len(results) == len(of.findings) + len(of.approved)
    for result in results:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        assert len(result["partialFingerprints"]["apigen/v1"]) == 16
        (location,) = result["locations"]
        assert location["physicalLocation"]["region"] == {"startLine": 8, "startColumn": 9}
        assert result["level"] in ("error", "warning", "note", "none")
    assert [result.get("suppressions", [{}])[0].get("status") for result in results][-2:] == ["accepted", "accepted"]


def test_junit() -> None:
    of = full()
    root = ElementTree.fromstring(printed("junit", of))
    (suite,) = root
    cases = suite.findall("testcase")
    assert suite.get("tests") == str(len(cases))
    assert suite.get("failures") == str(len(suite.findall("testcase/failure"))) == "4"
    assert suite.get("skipped") == str(len(suite.findall("testcase/skipped"))) == "2"
    assert [case.get("name") for case in ElementTree.fromstring(printed("junit", summary())).iter("testcase")] == [
        "no findings"
    ]


def test_gitlab() -> None:
    issues = json.loads(printed("gitlab", full()))
    assert [issue["severity"] for issue in issues] == ["critical"] * 3 + ["major", "info", "critical"]
    assert all(issue["location"]["path"] and issue["location"]["lines"]["begin"] > 0 for issue in issues)
    assert len({issue["fingerprint"] for issue in issues}) == len(issues)


def test_github_report_has_a_command_per_finding() -> None:
    lines = printed("github", full()).splitlines()
    assert [line.partition(" ")[0] for line in lines[:-1]] == ["::error"] * 3 + ["::warning", "::notice", "::error"]
    assert all("file=api-specs/v1.yaml,line=8,col=9," in line for line in lines[:5])


def test_rows_of_the_comment_table_have_equal_cells() -> None:
    rows = [line for line in printed("markdown", full()).splitlines() if line.startswith("|")]
    assert len(rows) > 2
    assert {row.count("|") for row in rows} == {6}  # else GitHub prints text


@pytest.mark.slow
def test_truncated_comment_has_a_note() -> None:
    of = summary(
        *(finding(field(f"f{number}")) for number in range(1000)), *(added(field(f"n{n}")) for n in range(9999))
    )
    text = printed("markdown", of)
    assert len(text.encode()) <= LARGEST
    shown_ones = text.count("#### error")
    assert 50 < shown_ones < 1000
    assert f"… and {1000 - shown_ones} more, which do not fit into this comment ({1000 - shown_ones} errors)" in text
    assert "added: 9999" in text


def test_comment_is_truncated_if_one_finding_is_too_long() -> None:
    long = "x" * 1900
    many = tuple(removed(field(f"c{n}"), message=long, severity=Severity.INFO) for n in range(300))
    of = summary(finding(message=long, consequences=many), finding(field("b")))
    text = printed("markdown", of)
    assert len(text.encode()) <= LARGEST
    assert "Too long for a comment, 300 consequences" in text
    assert "Thing.b`" in text


def test_text_is_colored_for_terminals_only() -> None:
    assert "\x1b[" not in printed("text", full())
    coloured = printed("text", full(), Style(colour=True, width=100))
    assert "\x1b[1;31merror\x1b[0m" in coloured


@pytest.mark.parametrize("width", [30, 60, 100, 200, None])
def test_text_fits_the_terminal_width(width: int | None) -> None:
    text = printed("text", replace(full(), problems=()), Style(width=width, verbose=True))
    assert "63" in text and "32" in text
    if width is not None and width >= 60:
        assert max(len(line) for line in text.splitlines()) <= max(width, 79)


def test_long_lists_are_truncated_unless_verbose() -> None:
    of = summary(*(added(field(f"n{number}")) for number in range(100)))
    assert "and 96 more" in printed("text", of) and "n99" not in printed("text", of)
    assert "n99" in printed("text", of, Style(verbose=True))


def test_same_finding_in_several_versions_is_noted() -> None:
    of = summary(finding(field(version="v1")), finding(field(version="v1beta1")))
    assert "1 error in 2 places" in printed("text", of)
    assert "the same in v1beta1" in printed("text", of, Style(verbose=True))
    assert json.loads(printed("json", of))["findings"][0]["sameIn"] == ["v1beta1"]


def test_the_published_schema_is_up_to_date() -> None:
    published = Path(__file__).resolve().parents[3] / "docs" / "reference" / "review.schema.json"
    assert (
        json.loads(published.read_text()) == review_schema()
    ), "run `apigen schema review > docs/reference/review.schema.json`"
