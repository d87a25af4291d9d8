"""Hostile text in every place of a finding: no report lets it act."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
import yaml

from apigen.diagnostics import Place
from apigen.diagnostics.quoting import inert
from apigen.ir.surface import Element, ElementKind, Unread
from apigen.review.finding import Counterexample, Finding
from apigen.review.reports.report import FORMATS, Style, format_named
from apigen.review.reports.summary import Summary
from apigen.review.results import Direction, MitigationResult, RuleResult, Severity, breaks
from tests.review.reports.hand_made import GROUP, added, approval, finding, summary, surface

HOSTILE = [
    "<script>document.title='ran'</script>",
    "</script></style></pre><img src=x onerror=alert(1)>",
    '" onmouseover="alert(1)" x="',
    "'><svg onload=alert(1)>",
    "{{ 7 * 7 }}{% raw %}",
    "::error file=x,line=1::gone\n::stop-commands::x",
    "%0A::set-output name=a::b",
    "\x1b[31mred\x1b]0;title\x07\x1b[2J\r\b\x9b31m",
    "\u202edesrever\u2066\u200b\ufeff",
    "a\nb\r\nc\u2028d\u0085e\x0b\x0c",
    "![x](https://example.invalid/x.png) [y](javascript:alert(1)) https://example.invalid www.example.invalid",
    "@somebody #12 `code` ``` ~~~ | a | b | <!-- --> &lt; $x$ :tada:",
    "]]></failure><testcase name='x'>",
    "\x00\x01\x7f\ud800\udfff\ufffe\uffff",
    "[link](0) {0} {1}",
    "=cmd|' /C calc'!A0",
    "x" * 100_000,
    "`" * 5000,
]


def hostile(text: str) -> Finding:
    """A finding of which every text is hostile."""
    return finding(
        Element(ElementKind.FIELD, text, text, text, text),
        old=text,
        new=f"{text}2",
        old_place=Place(text, 3, 4),
        new_place=Place(f"{text}/v1.yaml", 3, 4),
        effects={direction: breaks(text) for direction in Direction},
        result=RuleResult(text, {}, text, text),
        considered=(MitigationResult(True, text, name=text),),
        counterexamples=(Counterexample(Direction.STORED, text, {text: text}, text, [text]),),
        proposal=text,
        kinds=(text,),
    )


def of(text: str) -> Summary:
    bad = hostile(text)
    accepted = finding(Element(ElementKind.FIELD, GROUP, "v1", "Thing", f"a{text}"), message=text)
    mild = added(Element(ElementKind.FIELD, GROUP, "v1", "Thing", f"n{text}"), message=text)
    noted = finding(Element(ElementKind.KIND, GROUP, "", text), severity=Severity.SILENT, effects={}, message=text)
    return summary(
        bad,
        accepted,
        mild,
        noted,
        old=surface(text, unread=(Unread(Place(text, 1, 1), text),)),
        new=surface(text, versions=(text, "v1")),
        approvals=[approval(accepted, element=_as_written(accepted), reason=text, owner=text, ticket=text)],
    )


def _as_written(accepted: Finding) -> str:
    from apigen.review.approvals.approval import as_written

    return as_written(str(accepted.element))


CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u200b\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")


@pytest.mark.parametrize("name", [each.name for each in FORMATS])
@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_is_escaped(name: str, text: str) -> None:
    report = format_named(name).render(of(text), Style())
    assert CONTROL.search(report) is None, CONTROL.search(report)
    assert len(report) < (10_000_000 if name in ("json", "yaml") else 500_000)
    report.encode("utf-8")


class _Page(HTMLParser):
    """The tags of a page, and the attributes that could do something."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.risky: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.risky += [
            (name, value)
            for name, value in attrs
            if name.startswith("on")
            or name in ("src", "style", "action", "srcdoc")
            or (name == "href" and (value or "")[:1] != "#")
        ]


def page(text: str) -> _Page:
    read = _Page()
    read.feed(format_named("html").render(of(text), Style()))
    return read


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_the_page_has_the_same_elements_as_with_harmless_text(text: str) -> None:
    harmless, found = page("harmless"), page(text)
    assert found.risky == []
    assert [tag for tag in found.tags if tag != "code"] == [tag for tag in harmless.tags if tag != "code"]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_workflow_commands_are_only_from_apigen(text: str) -> None:
    lines = format_named("github").render(of(text), Style()).splitlines()
    commands = [line for line in lines if line.startswith("::")]
    assert len(lines) == len(commands) + 1 == 2
    assert commands[0].startswith("::error file=")


@pytest.mark.slow
@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_structured_formats_stay_valid(text: str) -> None:
    json.loads(format_named("json").render(of(text), Style()))
    yaml.safe_load(format_named("yaml").render(of(text), Style()))
    json.loads(format_named("gitlab").render(of(text), Style()))
    json.loads(format_named("sarif").render(of(text), Style()))
    root = ElementTree.fromstring(format_named("junit").render(of(text), Style()))
    assert len(root.findall("testsuite/testcase")) == 2


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_adds_no_lines(text: str) -> None:
    assert len(format_named("line").render(of(text), Style()).splitlines()) == 2
    harmless = format_named("markdown").render(of("harmless"), Style())
    found = format_named("markdown").render(of(text), Style())
    without_code = re.sub(r"(`+)(?!`).+?(?<!`)\1(?!`)", "", found, flags=re.DOTALL)
    assert "<script" not in without_code and "<img" not in without_code and "](" not in without_code
    assert (
        "https://" not in without_code and "@somebody" not in without_code and not re.search("(?<!&)#12", without_code)
    )
    if len(text) < 1000:
        assert found.count("\n#### ") == harmless.count("\n#### ")


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_messages_of_sarif_have_no_links_and_no_arguments(text: str) -> None:
    report = json.loads(format_named("sarif").render(of(text), Style()))
    for result in report["runs"][0]["results"]:
        message = result["message"]["text"]
        assert not re.search(r"(?<!\\)[\[\]]", message.replace("\\\\", ""))
        assert not re.search(r"\{[0-9]", message.replace("{{", ""))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("::error::x", "\\x3a:error::x"),
        ("    ::stop-commands::x", "    \\x3a:stop-commands::x"),
        ("a ##[error]x ##vso[task.x]", "a \\x23#[error]x \\x23#vso[task.x]"),
        ("old ::x, a::b # c", "old ::x, a::b # c"),
    ],
)
def test_no_line_is_a_ci_command(line: str, expected: str) -> None:
    assert inert(line) == expected
