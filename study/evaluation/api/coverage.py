"""API coverage: the share of the required endpoints that an answer has, by two independent means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from study.evaluation.api.endpoints import Endpoint
from study.evaluation.api.probing import Probe
from study.evaluation.api.routes import StaticRoutes


@dataclass(frozen=True)
class EndpointCoverage:
    """One required endpoint; None where a means was not used or cannot tell."""

    endpoint: Endpoint
    static: bool | None
    running: bool | None
    evidence: str
    """Where the code has it, and what the service said."""

    @property
    def agree(self) -> bool | None:
        """Whether both means say the same; None if there are not two."""
        return None if None in (self.static, self.running) else self.static == self.running


@dataclass(frozen=True)
class Coverage:
    """All required endpoints of a repository."""

    rows: list[EndpointCoverage]

    def rate(self, means: str) -> float | None:
        """Share in percent by one means, `static` or `running`: what is unclear counts as not there.

        None if nothing is required or the means was not used at all.
        """
        values = [getattr(row, means) for row in self.rows]
        if not values or all(value is None for value in values):
            return None
        return 100 * sum(value is True for value in values) / len(values)

    @property
    def disagreements(self) -> list[EndpointCoverage]:
        return [row for row in self.rows if row.agree is False]


def coverage(
    required: Sequence[Endpoint], static: StaticRoutes | None, probes: Sequence[Probe] | None
) -> Coverage:
    """Hold the required endpoints against the code and the running service.

    Parameters
    ----------
    required : sequence of Endpoint
        With full paths.
    static : StaticRoutes, optional
        What the code says; None if it was not read.
    probes : sequence of Probe, optional
        What the running service said; None if it did not run.

    Returns
    -------
    Coverage
        One row per required endpoint. A path with a parameter is met only by a path with one in the same
        place, so that a route for all paths does not count as every endpoint.
    """
    places = {route.endpoint.key: f"{route.file}:{route.line}" for route in static.routes} if static else {}
    said = {probe.endpoint.key: probe for probe in probes or ()}
    rows = []
    for endpoint in required:
        found = said.get(endpoint.key)
        running = None if found is None or found.verdict == "unclear" else found.verdict == "served"
        parts = [
            places.get(endpoint.key, "not in the code" if static else ""),
            found.evidence if found else "",
        ]
        in_code = endpoint.key in places if static else None
        rows.append(EndpointCoverage(endpoint, in_code, running, "; ".join(filter(None, parts))))
    return Coverage(rows)
