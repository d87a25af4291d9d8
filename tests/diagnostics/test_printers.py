"""The printers: exact output, and none of it under the control of a spec."""

from __future__ import annotations

import json
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigen.diagnostics import Diagnostic, Place, Related, Report, Severity
from apigen.diagnostics.printers import PRINTERS
from apigen.diagnostics.printers.text import summary
from apigen.diagnostics.report import MOST_DIAGNOSTICS

FIRST = Diagnostic(
    "AG0111",
    Severity.ERROR,
    Place("specs/v6.yaml", 12, 3),
    "the key `a` is a duplicate",
    "keep one: 100%",
    (Related(Place("specs/v6.yaml", 7, 3), "first written here"),),
    "  a: {}",
)
SECOND = Diagnostic("AG9999", Severity.WARNING, Place("specs, old"), "odd: 50%")


def test_text() -> None:
    assert PRINTERS["text"]([FIRST, SECOND]) == dedent("""\
        specs/v6.yaml:12:3: error AG0111: the key `a` is a duplicate
           |
        12 |   a: {}
           |   ^
           = specs/v6.yaml:7:3: first written here
           = help: keep one: 100%

        specs, old: warning AG9999: odd: 50%
        """)


def test_json() -> None:
    assert json.loads(PRINTERS["json"]([FIRST, SECOND])) == {
        "diagnostics": [
            {
                "code": "AG0111",
                "severity": "error",
                "file": "specs/v6.yaml",
                "line": 12,
                "column": 3,
                "message": "the key `a` is a duplicate",
                "hint": "keep one: 100%",
                "related": [{"file": "specs/v6.yaml", "line": 7, "column": 3, "message": "first written here"}],
            },
            {
                "code": "AG9999",
                "severity": "warning",
                "file": "specs, old",
                "message": "odd: 50%",
                "hint": None,
                "related": [],
            },
        ]
    }


def test_github() -> None:
    assert PRINTERS["github"]([FIRST, SECOND]) == (
        "::error file=specs/v6.yaml,line=12,col=3,title=AG0111::the key `a` is a duplicate"
        "%0Aspecs/v6.yaml:7:3: first written here%0Ahelp: keep one: 100%25\n"
        "::warning file=specs%2C old,title=AG9999::odd: 50%25\n"
    )


def test_sarif() -> None:
    log = json.loads(PRINTERS["sarif"]([FIRST, SECOND]))
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert (driver["name"], [rule["id"] for rule in driver["rules"]]) == ("apigen", ["AG0111", "AG9999"])
    assert driver["rules"][0]["shortDescription"]["text"] == "duplicate key"
    assert run["columnKind"] == "unicodeCodePoints"
    first, second = run["results"]
    assert (first["ruleId"], first["ruleIndex"], first["level"]) == ("AG0111", 0, "error")
    assert first["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "specs/v6.yaml"},
                "region": {"startLine": 12, "startColumn": 3},
            }
        }
    ]
    assert first["relatedLocations"][0]["message"] == {"text": "first written here"}
    assert second["locations"][0]["physicalLocation"] == {"artifactLocation": {"uri": "specs%2C%20old"}}


def test_sarif_messages_have_no_links_and_no_arguments() -> None:
    found = Diagnostic("AG0111", Severity.ERROR, Place("a"), "[x](0)", "{0}", (Related(Place("b"), "[y](1)"),))
    (result,) = json.loads(PRINTERS["sarif"]([found]))["runs"][0]["results"]
    assert result["message"]["text"] == "\\[x\\](0)\n{{0}}"
    assert result["relatedLocations"][0]["message"]["text"] == "\\[y\\](1)"


@pytest.mark.parametrize("name", PRINTERS)
def test_nothing_found(name: str) -> None:
    text = PRINTERS[name]([])
    assert text == "" or json.loads(text)


HOSTILE = st.text() | st.sampled_from(["\x1b[2J", "a\u202eb", "%0A::error::x", "\n::warning::x", "a\r\nb", "\ud800"])


@given(HOSTILE, HOSTILE, HOSTILE, HOSTILE, st.integers(0, 5))
def test_hostile_text(file: str, message: str, hint: str, line: str, column: int) -> None:
    place = Place(file.encode("utf-8", "replace").decode(), 1 if column else 0, column)
    found = [Diagnostic("AG0101", Severity.ERROR, place, message, hint, (Related(place, message),), line)]
    for name, render in PRINTERS.items():
        text = render(found)
        text.encode("utf-8")
        assert all(part.isprintable() for part in text.split("\n")), name
    assert PRINTERS["github"](found).count("\n") == 1
    assert json.loads(PRINTERS["json"](found))["diagnostics"][0]["message"] == message


@pytest.mark.parametrize(
    ("line", "column", "shown"),
    [
        ("\tb: 1", 2, "1 |     b: 1\n  |     ^\n"),
        ("日本: x", 5, "1 | 日本: x\n  |       ^\n"),
        ("a\u0301: x", 4, "1 | a\u0301: x\n  |   ^\n"),
        ("a\u202e: x", 4, "1 | a\\u202e: x\n  |         ^\n"),
        ("ab", 3, "1 | ab\n  |   ^\n"),
    ],
)
def test_caret_is_below_its_character(line: str, column: int, shown: str) -> None:
    found = Diagnostic("AG0110", Severity.ERROR, Place("a", 1, column), "x", source_line=line)
    assert PRINTERS["text"]([found]).endswith(f"  |\n{shown}")


def test_long_line_is_cropped_around_the_location() -> None:
    found = Diagnostic("AG0110", Severity.ERROR, Place("a", 1, 500_001), "x", source_line="a" * 500_000 + "b" * 500_000)
    excerpt, caret = PRINTERS["text"]([found]).splitlines()[2:]
    assert len(excerpt) < 200
    assert excerpt[caret.index("^")] == "b"
    assert excerpt[caret.index("^") - 1] == "a"


@pytest.mark.parametrize(
    "text", ["::error::x", "  ::stop-commands::x", "##[error]x", "a ##vso[task.complete]", "%0A::x"]
)
def test_no_line_is_a_ci_command(text: str) -> None:
    found = Diagnostic("AG0111", Severity.ERROR, Place(text), text, text, (Related(Place(text), text),), text)
    lines = PRINTERS["text"]([found]).splitlines()
    assert len(lines) == 6
    assert not any(line.lstrip().startswith("::") or "##[" in line or "##vso[" in line for line in lines)


def test_summary() -> None:
    assert summary([FIRST, SECOND, FIRST]) == "2 errors, 1 warning"
    assert summary([]) == ""


def test_a_report_is_bounded() -> None:
    report = Report()
    for line in range(MOST_DIAGNOSTICS + 10):
        report.warning("AG0111", Place("a", line + 1, 1), "x")
    found = report.diagnostics
    assert len(found) == MOST_DIAGNOSTICS + 1
    assert (found[-1].code, found[-1].place.line) == ("AG0127", MOST_DIAGNOSTICS + 1)
    assert report.has_errors


def test_report_lists_each_diagnostic_once_by_location() -> None:
    lines = {1: "one", 2: "two"}
    report = Report(lambda place: lines.get(place.line))
    report.error("AG0111", Place("b", 1, 1), "x")
    report.error("AG0111", Place("a", 2, 1), "x")
    report.warning("AG0112", Place("a", 1, 5), "x")
    report.error("AG0111", Place("b", 1, 1), "x")
    assert [(str(d.place), d.source_line) for d in report.diagnostics] == [
        ("a:1:5", "one"),
        ("a:2:1", "two"),
        ("b:1:1", "one"),
    ]
    assert report.has_errors
