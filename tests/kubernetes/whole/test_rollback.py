"""What 1.36 loses of what 1.37 has stored: what the specs foretell, what happens, and what the documentation lists agree."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kubernetes.whole.building import load
from tests.kubernetes.whole.checking_all import api_of
from tests.kubernetes.whole.conftest import Built
from tests.kubernetes.whole.packing import unpack
from tests.kubernetes.whole.releases import NEWEST, REFERENCE
from tests.kubernetes.whole.rollback import Rollback, foretold, listed
from tests.kubernetes.whole.shared import ABSENT, ROOT, SHARED

KINDS = 105
"""Kinds that both releases have, each in the version that 1.37 stores."""


@pytest.mark.slow(one_in=16)
def test_rollback_losses_are_listed_and_predicted(built: Built) -> None:
    newer, specs = built(NEWEST)
    older, _ = built(REFERENCE)
    rollback = Rollback(load(newer), load(older), api_of(specs))
    assert len(list(rollback.kinds())) == KINDS
    assert {(lost.type, lost.field) for lost in rollback.lost()} == {(lost.type, lost.field) for lost in listed()}


@pytest.mark.slow
def test_listed_losses_are_predicted(tmp_path: Path) -> None:
    newer, older = api_of(unpack(NEWEST, tmp_path)), api_of(ROOT / "api-specs" / "kubernetes")
    assert foretold(newer, older) == {(lost.type, lost.field) for lost in listed()}


@pytest.mark.skipif(not SHARED.is_dir(), reason=ABSENT)
def test_gates_match_the_markers() -> None:
    marked = dict(_marked())
    assert {(lost.type, lost.field): lost.gates for lost in listed()} == {
        (lost.type, lost.field): marked[lost.type, lost.field] for lost in listed()
    }


def _marked() -> Iterator[tuple[tuple[str, str], tuple[str, ...]]]:
    for path in (SHARED / "facts" / NEWEST).glob("*.json"):
        package = json.loads(path.read_text(encoding="utf-8"))
        version = f"{package.get('group') or 'core'}/{package.get('version')}"
        for type_ in package.get("types", ()):
            for field in type_.get("fields", ()):
                yield (f"{version}.{type_['go']}", field.get("json", "")), tuple(field.get("featureGates", ()))
