from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.generating import generate_package
from tests.scheme.compiled import ROOT, Compiled


@pytest.fixture(scope="package")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Compiled]:
    folder = tmp_path_factory.mktemp("compiled")
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.syspath_prepend(folder)
        yield Compiled(generate_package(ROOT / "api-specs", folder, ROOT / "handwritten"))
