"""The time zones under which the reference is repeated."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from study.evaluation.pytest_suite import CLOCKS


@pytest.mark.parametrize("hour", range(24))
def test_at_any_hour_one_of_the_clocks_has_another_date_than_the_first(hour: int) -> None:
    """More than one at some hours, and what the reference scores would depend on when it ran."""
    moment = 1_780_272_000 + 3_600 * hour + 1_800
    asked = f"import time; print(time.strftime('%F', time.localtime({moment})))"
    dates = [
        subprocess.check_output([sys.executable, "-c", asked], env={**os.environ, "TZ": clock}, text=True)
        for clock in CLOCKS
    ]
    assert sum(date != dates[0] for date in dates) == 1
