from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.things.frobbers import Frobbers, compiled


@pytest.fixture(scope="package")
def frobbers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Frobbers]:
    folder = tmp_path_factory.mktemp("frobbers")
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.syspath_prepend(folder)
        yield compiled(folder)
