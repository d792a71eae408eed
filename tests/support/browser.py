"""A headless Chromium that opens pages from the file system and keeps what they complain of."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

NO_CHROMIUM = (
    "no Chromium on this machine (Debian: apt-get install chromium): the pages are not opened in one"
)


@dataclass
class Tab:
    """A page of the browser, what its console said, and what it asked for."""

    page: Any
    said: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def open(self, path: Path, address: str = "") -> Any:
        """Load a file, with what follows its name, anew; returns Playwright's page once its scripts have run."""
        self.page.goto("about:blank")
        self.page.goto(path.as_uri() + address)
        self.page.wait_for_selector("html[data-ready]", state="attached")
        self.settle()
        return self.page

    def settle(self) -> None:
        """Wait until what watches sizes has seen the page as it is now: a frame, and the one after it."""
        self.page.evaluate(
            "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )


def chromium_path() -> str | None:
    """The browser of the machine."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@contextmanager
def chromium() -> Iterator[Any]:
    """Playwright's browser object; the test is skipped where there is no Chromium."""
    path = chromium_path()
    if path is None:
        pytest.skip(NO_CHROMIUM)
    from playwright.sync_api import sync_playwright

    # A sandbox inside a container's user root does not start.
    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=options)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def tab(browser: Any, **options: Any) -> Iterator[Tab]:
    """A new tab; afterwards its console must have been silent and nothing but files asked for."""
    context = browser.new_context(**options)
    opened = Tab(context.new_page())
    opened.page.on("console", lambda message: opened.said.append(f"{message.type}: {message.text}"))
    opened.page.on("pageerror", lambda error: opened.said.append(str(error)))
    opened.page.on("dialog", lambda dialog: opened.said.append(f"dialog {dialog.message}"))
    opened.page.on("request", lambda request: opened.asked.append(request.url))
    try:
        yield opened
        assert opened.said == []
        assert [url for url in opened.asked if not url.startswith(("file:", "about:"))] == []
    finally:
        context.close()
