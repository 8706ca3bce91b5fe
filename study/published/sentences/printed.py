"""The numbers of a sentence as printed, and the commonest ways to compare ours with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from study.published.claims import Claim
from study.published.reader import Reader
from study.published.verdicts import Finding, Part, close, half_unit, list_parts
from study.schema import StudyError


@dataclass(frozen=True)
class Printed:
    """One or two printed numbers; `tolerance` is half a unit of their last digit."""

    low: float
    high: float
    tolerance: float
    text: str


def printed(reader: Reader, claim: Claim) -> Printed:
    """Read the numbers of a sentence; a bound that is not printed equals the other one."""
    texts = [reader.text("claims", column, claim_id=claim.claim_id) for column in ("low", "high")]
    known = [text for text in texts if text is not None]
    try:
        numbers = [float(text) for text in known]
    except ValueError:
        raise StudyError(f"claims.csv: {claim.claim_id}: {known} are no numbers") from None
    if not known:
        raise StudyError(f"claims.csv: {claim.claim_id}: neither low nor high is given")
    text = known[0] if len(set(known)) == 1 else f"{known[0]} to {known[-1]}"
    return Printed(numbers[0], numbers[-1], max(half_unit(text) for text in known), text)


def compare_number(
    said: Printed,
    sources: Mapping[str, float],
    digits: int,
    *,
    error: float = 0.0,
    remark: str = "",
    unit: str = "",
) -> Finding:
    """One printed number against one or more ways to compute it; each way is a part.

    Parameters
    ----------
    said : Printed
        The sentence's number.
    sources : mapping
        Our values by name.
    digits : int
        Decimals to show.
    error : float
        What the rounding of our sources allows in addition.
    remark : str
        A further sentence for the reader.
    unit : str
        Written behind our values.
    """
    tolerance = said.tolerance + error
    unit = unit and f" {unit}"
    parts = [
        Part(f"{name} {value:,.{digits}f}{unit}", close(value, said.low, tolerance))
        for name, value in sources.items()
    ]
    ours = "; ".join(f"{value:,.{digits}f}{unit}" for value in sources.values())
    return Finding(ours, tuple(parts), _join(f"Printed {said.text}. {list_parts(parts)}", remark), tolerance)


def compare_range(
    said: Printed, values: Mapping[str, float], digits: int, *, error: float = 0.0, remark: str = ""
) -> Finding:
    """A printed range against the smallest and the largest of our values; each end is a part."""
    lowest, highest = min(values, key=values.__getitem__), max(values, key=values.__getitem__)
    tolerance = said.tolerance + error
    parts = (
        Part(f"smallest {values[lowest]:.{digits}f} ({lowest})", close(values[lowest], said.low, tolerance)),
        Part(
            f"largest {values[highest]:.{digits}f} ({highest})", close(values[highest], said.high, tolerance)
        ),
    )
    ours = f"{values[lowest]:.{digits}f} to {values[highest]:.{digits}f}"
    return Finding(ours, parts, _join(f"Printed {said.text}. {list_parts(parts)}", remark), tolerance)


def compare_within(
    said: Printed, values: Mapping[str, tuple[float, ...]], digits: int, *, error: float = 0.0
) -> Finding:
    """A printed range in which values must lie; each named group of values is a part."""
    tolerance = said.tolerance + error
    low, high = said.low - tolerance - 1e-9, said.high + tolerance + 1e-9
    parts = [
        Part(f"{name} {' and '.join(f'{v:.{digits}f}' for v in group)}", all(low <= v <= high for v in group))
        for name, group in values.items()
    ]
    ours = "; ".join(part.what for part in parts)
    return Finding(ours, tuple(parts), f"Printed {said.text}. {list_parts(parts)}", tolerance)


def direction(parts: list[Part], ours: str, remark: str = "", tolerance: float | None = None) -> Finding:
    """A sentence on a direction: its parts decide."""
    return Finding(ours, tuple(parts), _join(list_parts(parts), remark), tolerance)


def _join(sentence: str, remark: str) -> str:
    return f"{sentence} {remark}".strip()


def names(claim: Claim, key: str) -> list[str]:
    """A list argument of a claim's recipe."""
    return [str(item) for item in claim.args[key]]
