"""One API server for all tests of manifests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.cluster.api_server import ApiServer, running
from tests.cluster.programs import why_unbuilt


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiServer]:
    """A kube-apiserver with its etcd; the test is skipped where they are not built."""
    if reason := why_unbuilt(("kube-apiserver", "etcd")):
        pytest.skip(reason)
    with running(tmp_path_factory.mktemp("api-server")) as found:
        yield found
