"""One server for the tests that only send requests to it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .processes import Server, running


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("server"), "--max-body", "1Mi", "--request-timeout", "2") as started:
        yield started
        assert started.process.poll() is None, "the server ended before its tests"
