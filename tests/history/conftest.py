"""What tests of the history share."""

from __future__ import annotations

import pytest


@pytest.fixture
def not_validated(monkeypatch: pytest.MonkeyPatch) -> None:
    """No rule of evolution asks: an API that is older than its history has what they would not accept."""
    monkeypatch.setattr("apigen.codegen.pipeline.run_evolution_rules", lambda *_: None)
    monkeypatch.setattr("apigen.review.release_step.report_breaking_changes", lambda *_, **__: None)
