"""The desk view: all that the person at the counter wants to see of a member, on one page."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import httpx

from services.gateway.clients import (
    InterlibraryLoanServiceClient,
    LoanServiceClient,
    MemberServiceClient,
)

Section = Callable[[httpx.AsyncClient, str], Awaitable[dict[str, Any] | None]]


async def member_section(client: httpx.AsyncClient, member_id: str) -> dict[str, Any] | None:
    member = await MemberServiceClient().member(client, member_id)
    if member is None:
        return None
    return {"name": member["name"], "category": member["category"], "feesCents": member["feesCents"]}


async def loans_section(client: httpx.AsyncClient, member_id: str) -> dict[str, Any] | None:
    loans = await LoanServiceClient().loans(client, member_id)
    if loans is None:
        return None
    out = [loan for loan in loans if loan["status"] != "returned"]
    return {
        "open": len(out),
        "overdue": sum(loan["status"] == "overdue" for loan in out),
        "nextDue": min((loan["dueOn"] for loan in out), default=None),
    }


async def interlibrary_section(client: httpx.AsyncClient, member_id: str) -> dict[str, Any] | None:
    requests = await InterlibraryLoanServiceClient().requests(client, member_id)
    if requests is None:
        return None
    ready = [request for request in requests if request["status"] == "ready"]
    return {
        "waiting": sum(request["status"] == "requested" for request in requests),
        "ready": [
            {"requestId": request["requestId"], "title": request["title"], "daysLeft": request["daysLeft"]}
            for request in sorted(ready, key=lambda request: (request["daysLeft"], request["requestId"]))
        ],
        "feesCents": sum(request["feeCents"] for request in requests),
    }


SECTIONS: dict[str, Section] = {
    "member": member_section,
    "loans": loans_section,
    "interlibrary": interlibrary_section,
}


async def desk_view(client: httpx.AsyncClient, member_id: str) -> dict[str, Any]:
    """All sections, asked at the same time; null where a service is out of reach or knows nothing."""
    found = await asyncio.gather(*(section(client, member_id) for section in SECTIONS.values()))
    view = dict(zip(SECTIONS, found, strict=True))
    return {
        "memberId": member_id,
        **view,
        "unavailable": sorted(name for name, section in view.items() if section is None),
    }
