"""Large values are freed as ever, unless the process said that it is about to end."""

from __future__ import annotations

import weakref

import pytest

from apigen.language import collecting


class _Large:
    pass


@pytest.fixture(autouse=True)
def _afresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collecting, "_KEPT", collecting._Kept())


def _is_there_after_its_use() -> bool:
    return weakref.ref(collecting.kept(_Large()))() is not None


def test_memory_is_freed_if_the_process_continues() -> None:
    assert not _is_there_after_its_use()


def test_memory_is_not_freed_if_the_process_ends() -> None:
    collecting.end_after_this()
    assert _is_there_after_its_use()
