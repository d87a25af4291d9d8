"""The site that `make site` builds, opened as files in a browser: offline, light and dark, wide and narrow, with a search."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.docs.pages import ROOT
from tests.docs.site import ADDED, build, prepare
from tests.review.browser.browsers import browser, sync_api
from tests.sharing import built_once, folder_of_the_run

pytestmark = pytest.mark.slow(as_file=True)

VIEWS = [(1400, "light"), (1400, "dark"), (380, "light"), (380, "dark")]
OPENED = ("index.html", "cookbook/rename-a-field.html", "reference/keys.html", "comparisons/speed.html")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = folder_of_the_run(tmp_path_factory)
    return built_once(folder / "site", lambda site: build(prepare(folder / "site-source"), site))


@pytest.fixture(scope="module")
def started() -> Iterator[sync_api.Browser]:
    with browser() as found:
        yield found


@contextmanager
def opened(started: sync_api.Browser, site: Path, width: int, scheme: str) -> Iterator[tuple[sync_api.Page, list[str]]]:
    """A window, and what goes wrong in it: requests that leave the site, messages and errors."""
    context = started.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    wrong: list[str] = []

    def answer(route: sync_api.Route) -> None:
        if route.request.url.startswith(site.as_uri()):
            route.continue_()
        else:
            wrong.append(route.request.url)
            route.abort()

    context.route("**/*", answer)
    page = context.new_page()
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    yield page, wrong
    context.close()


def brightness(page: sync_api.Page) -> int:
    """Return the sum of red, green and blue of the background."""
    color = page.evaluate("getComputedStyle(document.body).backgroundColor")
    return sum(map(int, re.findall(r"\d+", color)[:3]))


@pytest.mark.parametrize(("width", "scheme"), VIEWS)
def test_pages_open_offline(started: sync_api.Browser, site: Path, width: int, scheme: str) -> None:
    with opened(started, site, width, scheme) as (page, wrong):
        for name in OPENED:
            page.goto(f"{site.as_uri()}/{name}")
            assert page.locator("h1").first.is_visible()
            assert page.evaluate(
                "document.documentElement.scrollWidth <= innerWidth"
            ), f"{name} is wider than the window"
            assert (brightness(page) > 382) == (scheme == "light")
    assert wrong == []


@pytest.mark.parametrize(
    ("words", "page_found"),
    [("AG0701", "Diagnostics"), ("rename", "Rename a field"), ("bound-tightened", "Review rules")],
)
def test_search_finds_pages_offline(started: sync_api.Browser, site: Path, words: str, page_found: str) -> None:
    with opened(started, site, 1400, "light") as (page, wrong):
        page.goto(f"{site.as_uri()}/search.html?q={words}")
        page.locator("#search-results li a", has_text=page_found).first.wait_for()  # results arrive one after another
    assert wrong == []


def test_search_shows_the_page_about_a_change_first(started: sync_api.Browser, site: Path) -> None:
    with opened(started, site, 1400, "light") as (page, wrong):
        for query, first in (("rename+field", "Rename a field"), ("retire+version", "Retire a version")):
            page.goto(f"{site.as_uri()}/search.html?q={query}")
            page.locator("#search-results li a", has_text=first).first.wait_for()
            assert page.locator("#search-results li a").first.inner_text() == first
    assert wrong == []


def test_theme_can_be_switched(started: sync_api.Browser, site: Path) -> None:
    with opened(started, site, 1400, "light") as (page, wrong):
        page.goto(f"{site.as_uri()}/index.html")
        before = brightness(page)
        page.evaluate("document.documentElement.dataset.theme = 'dark'")
        assert brightness(page) < before
    assert wrong == []


def test_every_page_is_in_the_site(site: Path) -> None:
    expected = {path.relative_to(ROOT / "docs").with_suffix(".html") for path in (ROOT / "docs").rglob("*.md")}
    expected |= {Path(place).with_suffix(".html") for name, place in ADDED.items() if name.endswith(".md")}
    assert [str(path) for path in sorted(expected) if not (site / path).is_file()] == []


def test_pages_load_nothing_from_other_hosts(site: Path) -> None:
    loading = re.compile(
        r"<(?:script|img|iframe)[^>]+src=\"(?:https?:)?//|<link[^>]+rel=\"(?:stylesheet|preload)\"[^>]+href=\"(?:https?:)?//"
    )
    assert [path.name for path in site.rglob("*.html") if loading.search(path.read_text(encoding="utf-8"))] == []
