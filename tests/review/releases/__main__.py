"""Prints the page about the releases of gateway-api; `--write` writes it."""

from __future__ import annotations

import sys

from tests.review.releases.page import PAGE, page

if __name__ == "__main__":
    if "--write" in sys.argv[1:]:
        PAGE.write_text(page(), encoding="utf-8")
    else:
        print(page())
