"""Every code that the source reports is documented, and every documented code is reported or retired."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import apigen
from apigen.diagnostics.codes import CodeInfo, code_info, code_infos, explanation, parse_codes
from apigen.review.rules.registry import all_rules

SOURCE = Path(apigen.__file__).parent
SECTION = "## AG0001: wide field\n\nA field is wide.\n\n```text\nwidth: 9\n```\n"


def used_codes() -> set[str]:
    files = SOURCE.rglob("*.py")
    return {code for path in files for code in re.findall(r'"(AG\d{4})"', path.read_text(encoding="utf-8"))}


def retired_codes() -> dict[str, CodeInfo]:
    text = (SOURCE / "diagnostics/codes/retired.md").read_text(encoding="utf-8")
    return {info.code: info for info in parse_codes(text, "retired.md")}


def test_used_codes_equal_explained_codes() -> None:
    assert used_codes() | set(retired_codes()) == set(code_infos())
    assert used_codes().isdisjoint(retired_codes())


@pytest.mark.parametrize("info", retired_codes().values(), ids=lambda info: info.code)
def test_retired_codes_name_rules_of_the_review(info: CodeInfo) -> None:
    ids = {rule.id for rule in all_rules()}
    named = [info.title.removeprefix("retired, see "), *re.findall(r"`([a-z-]+)`", info.explanation)]
    assert set(named) <= ids


def test_codes_are_sorted() -> None:
    assert sorted(code_infos()) == list(code_infos())


def test_codes_in_each_file_are_sorted() -> None:
    for path in (SOURCE / "diagnostics" / "codes").glob("*.md"):
        codes = [info.code for info in parse_codes(path.read_text(encoding="utf-8"), path.name)]
        assert sorted(set(codes)) == codes, path.name


@pytest.mark.parametrize("info", code_infos().values(), ids=code_infos())
def test_code_has_title_explanation_and_example(info: CodeInfo) -> None:
    assert info.title
    assert not info.title.endswith(".")
    assert len(info.title.split()) <= 8
    assert info.title.split()[0] not in ("a", "an", "the")
    assert info.explanation.endswith((".", "`"))
    assert info.example.strip()


def test_codes_are_found_in_lower_case() -> None:
    assert code_info("ag0101") is code_infos()["AG0101"]
    assert code_info("AG9999") is None


def test_explanation() -> None:
    text = explanation("AG0111")
    assert text is not None
    assert text.startswith("AG0111: duplicate key\n\nA map has each key once.")
    assert text.endswith("Example:\n\n    width: {type: int32}\n    width: {type: int64}\n")
    assert explanation("nothing") is None


def test_a_file_of_codes_is_parsed() -> None:
    info, other = parse_codes(f"# Fields\n\n{SECTION}\n{SECTION.replace('0001', '0002')}", "fields.md")
    assert info == CodeInfo("AG0001", "wide field", "A field is wide.", "width: 9")
    assert other.code == "AG0002"


@pytest.mark.parametrize(
    "section",
    [
        "## AG001: wide field\n\nA field is wide.\n\n```text\nwidth: 9\n```\n",
        "## AG0001\n\nA field is wide.\n\n```text\nwidth: 9\n```\n",
        "## AG0001: wide field\n\n```text\nwidth: 9\n```\n",
        "## AG0001: wide field\n\nA field is wide.\n",
        "## AG0001: wide field\n\nA field is wide.\n\n```text\nwidth: 9\n",
        f"{SECTION}\nMore about it.\n",
    ],
)
def test_malformed_section_is_an_error_with_its_line(section: str) -> None:
    with pytest.raises(ValueError, match=r"^fields\.md:3: a section must be `## AG0000: title`"):
        list(parse_codes(f"# Fields\n\n{section}", "fields.md"))
