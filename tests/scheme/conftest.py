from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.generating import write_package
from tests.scheme.compiled import Compiled
from tests.this_project import backend_input


@pytest.fixture(scope="package")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Compiled]:
    folder = tmp_path_factory.mktemp("compiled")
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.syspath_prepend(folder)
        yield Compiled(write_package(backend_input(), folder))
