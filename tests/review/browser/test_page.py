"""The page shows its findings, its filters work, it needs nothing from outside, and no text of a spec runs in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from apigen.review.reports.report import Style, format_named
from apigen.review.reports.summary import Summary
from apigen.review.results import Direction, Severity, breaks
from tests.review.browser.browsers import browser, opened, sync_api
from tests.review.reports.hand_made import added, approval, field, finding, removed, shown, summary, surface
from tests.review.reports.test_hostile_texts import HOSTILE, of

pytestmark = pytest.mark.slow(as_file=True)

SIZES = [(1400, "light"), (1400, "dark"), (380, "light"), (380, "dark")]


@pytest.fixture(scope="module")
def started() -> Iterator[sync_api.Browser]:
    with browser() as found:
        yield found


def reviewed() -> Summary:
    approved = finding(field("approved"))
    rollback = {Direction.ROLLBACK: breaks("the previous release cannot read it")}
    return summary(
        shown(),
        removed(field("gone")),
        finding(field("soft", version="v1beta1"), severity=Severity.WARNING, effects=rollback),
        finding(field("mere", version="v1alpha1"), severity=Severity.INFO, effects={}),
        added(field("fresh")),
        approved,
        old=surface("main:api-specs", versions=("v1alpha1", "v1beta1", "v1")),
        new=surface(versions=("v1alpha1", "v1beta1", "v1", "v2")),
        approvals=[approval(approved)],
    )


def write(folder: Path, of_: Summary) -> Path:
    file = folder / "review.html"
    file.write_text(format_named("html").render(of_, Style()), encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("page"), reviewed())


def visible(page: sync_api.Page) -> list[str]:
    """The last part of the elements of the findings that can be seen."""
    titles = page.locator("article.finding:visible h3 code").all_inner_texts()
    return [title.rpartition(".")[2] for title in titles]


@pytest.mark.parametrize(("width", "scheme"), SIZES)
def test_page_shows_all_findings_without_requests(
    started: sync_api.Browser, file: Path, width: int, scheme: str
) -> None:
    with opened(started, file, width, scheme) as found:
        page = found.page
        assert (
            page.locator("#result").inner_text()
            == "2 errors, 1 warning, 1 info in 5 places, 1 approved: failed (--fail-on error)"
        )
        assert visible(page) == ["gone", "name", "soft", "mere"]
        assert page.locator("#count").inner_text() == "4 shown"
        assert page.locator("svg.versions text", has_text="v1beta1").count() == 2
        assert "reason: no client sends longer names" in page.locator("#approved").inner_text()
        for text in ("63", "32", "ratcheting", "raise it again", "fingerprint"):
            assert page.get_by_text(text).first.is_visible()
        widths = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
        assert widths[0] <= widths[1], "it scrolls sideways"
        assert (found.requests, found.messages) == ([], [])


@pytest.mark.parametrize("width", [1400, 380])
def test_filters(started: sync_api.Browser, file: Path, width: int) -> None:
    with opened(started, file, width) as found:
        page = found.page
        page.get_by_label("error", exact=True).uncheck()
        assert visible(page) == ["soft", "mere"]
        page.get_by_label("info", exact=True).uncheck()
        assert visible(page) == ["soft"]
        assert page.locator("#count").inner_text() == "1 of 4 shown"
        page.get_by_role("button", name="all", exact=True).click()
        assert visible(page) == ["gone", "name", "soft", "mere"]
        page.locator("select[name=direction]").select_option("rollback")
        assert visible(page) == ["soft"]
        page.locator("select[name=direction]").select_option("none")
        assert visible(page) == ["mere"]
        page.locator("select[name=direction]").select_option("")
        page.locator("select[name=stability]").select_option("beta")
        assert visible(page) == ["soft"]
        page.locator("select[name=stability]").select_option("")
        page.locator("select[name=rule]").select_option("unclassified-change")
        assert len(visible(page)) == 4
        page.locator("input[name=text]").fill("THING.GONE")
        assert visible(page) == ["gone"]
        page.locator("input[name=text]").fill("no such words")
        assert visible(page) == []
        assert page.locator("#count").inner_text() == "0 of 4 shown"
        assert (found.requests, found.messages) == ([], [])


def test_matrix_button_filters_the_counted_findings(started: sync_api.Browser, file: Path) -> None:
    with opened(started, file) as found:
        for button in found.page.locator(".matrix button").all():
            count = int(button.inner_text())
            button.click()
            assert len(visible(found.page)) == count, button.get_attribute("aria-label")


def test_page_is_usable_by_keyboard(started: sync_api.Browser, file: Path) -> None:
    with opened(started, file) as found:
        page = found.page
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"
        page.keyboard.press("Enter")
        page.get_by_label("error", exact=True).focus()
        page.keyboard.press("Space")
        assert visible(page) == ["soft", "mere"]
        page.keyboard.press("Space")
        summary_ = page.locator("details.counterexample > summary").first
        summary_.focus()
        page.keyboard.press("Enter")
        assert page.locator("details.counterexample pre").first.is_visible()


def test_page_without_scripts_shows_all_findings(started: sync_api.Browser, file: Path) -> None:
    context = started.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(file.as_uri())
    assert page.locator("article.finding").count() == 4
    assert page.locator("article.finding").first.is_visible()
    assert not page.locator("#filters").is_visible()
    context.close()


def test_print_layout(started: sync_api.Browser, file: Path) -> None:
    with opened(started, file) as found:
        found.page.emulate_media(media="print")
        assert not found.page.locator("#filters").is_visible()
        found.page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert found.page.locator("details:not([open])").count() == 0
        found.page.evaluate("dispatchEvent(new Event('afterprint'))")
        assert found.page.locator("details[open]").count() == 0


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_text_of_specs_is_not_executed(started: sync_api.Browser, tmp_path: Path, text: str) -> None:
    with opened(started, write(tmp_path, of(text)), 380) as found:
        page = found.page
        page.locator("input[name=text]").fill("a")
        page.wait_for_timeout(20)
        assert page.title().startswith("failed: API review of ")
        assert page.locator("article.finding").count() == 1
        assert page.evaluate("document.querySelectorAll('script').length") == 1
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        assert (found.requests, found.messages) == ([], [])


def test_content_security_policy_blocks_injected_scripts(started: sync_api.Browser, tmp_path: Path) -> None:
    page = write(tmp_path, reviewed())
    slipped = (
        '<script>document.title = "ran"</script><img src="https://example.invalid/x.png" onerror="document.title=1">'
    )
    page.write_text(page.read_text().replace("<main", f"{slipped}<main"))
    with opened(started, page) as found:
        found.page.wait_for_timeout(50)
        assert found.page.title().startswith("failed: ")
        assert found.requests == []
        assert len(found.messages) >= 2 and all("Content Security Policy" in each for each in found.messages)


def test_a_large_review_opens_in_seconds(started: sync_api.Browser, tmp_path: Path) -> None:
    many = summary(*(finding(field(f"f{number}")) for number in range(2500)))
    with opened(started, write(tmp_path, many)) as found:
        assert found.page.locator("article.finding").count() == 2000
        assert "500 more changes" in found.page.locator("p.cut").inner_text()
        found.page.locator("input[name=text]").fill("f1999")
        assert len(visible(found.page)) == 1
