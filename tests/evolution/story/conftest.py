from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.evolution.story.telling import Servers, Told, tell


@pytest.fixture(scope="session")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    return tell(tmp_path_factory.mktemp("story"))


@pytest.fixture(scope="session")
def servers(told: Told, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    folder = tmp_path_factory.mktemp("servers")
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.syspath_prepend(folder)
        yield Servers(told, folder)
