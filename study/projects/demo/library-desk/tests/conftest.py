"""Fixtures of all tests: an empty data folder and a fixed business date."""

from __future__ import annotations

from pathlib import Path

import pytest

TODAY = "2026-03-02"
"""A Monday."""


@pytest.fixture
def data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """For tests that call a service in this process."""
    monkeypatch.setenv("DATA_DIR", str(tmp_path))
    monkeypatch.setenv("BUSINESS_DATE", TODAY)
    return tmp_path
