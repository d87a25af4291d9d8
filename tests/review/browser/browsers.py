"""Finds a browser, and opens pages in it of which every request is written down and rejected."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
VARIABLE = "APIGEN_BROWSER"
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

sync_api = pytest.importorskip("playwright.sync_api")


def executable(playwright: sync_api.Playwright) -> str:
    """The browser that `APIGEN_BROWSER` names, one of the system, or the one that playwright installed.

    Without any the test is skipped, which CI forbids.
    """
    own = Path(playwright.chromium.executable_path)
    found = os.environ.get(VARIABLE) or next(filter(None, map(shutil.which, NAMES)), None)
    if found is None and not own.exists():
        pytest.skip("no browser: `make browser` installs one")
    return str(found or own)


@dataclass
class Opened:
    """A page, and what it did on its own: requests beyond the page itself, messages, errors, dialogs."""

    page: sync_api.Page
    requests: list[str] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)


@contextmanager
def browser() -> Iterator[sync_api.Browser]:
    """A browser without a window."""
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=executable(playwright), args=list(QUIET))
        yield started
        started.close()


@contextmanager
def opened(started: sync_api.Browser, file: Path, width: int = 1400, scheme: str = "light") -> Iterator[Opened]:
    """A file in a window of that width."""
    context = started.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page = context.new_page()
    found = Opened(page)
    target = file.as_uri()

    def answer(route: sync_api.Route) -> None:
        if route.request.url.partition("#")[0] == target:
            route.continue_()
        else:
            found.requests.append(route.request.url)
            route.abort()

    context.route("**/*", answer)
    page.on("console", lambda message: found.messages.append(message.text))
    page.on("pageerror", lambda error: found.messages.append(str(error)))
    page.on("dialog", lambda dialog: (found.messages.append(f"dialog {dialog.message}"), dialog.dismiss()))
    page.goto(target)
    yield found
    context.close()
