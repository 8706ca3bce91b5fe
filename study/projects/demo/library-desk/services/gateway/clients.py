"""What the desk view reads from the services."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import httpx
from library.settings import peer_url


async def fetch(client: httpx.AsyncClient, url: str) -> Any:
    """JSON of a peer; None if the peer cannot be reached or does not answer with 200."""
    try:
        response = await client.get(url)
        return response.json() if response.status_code == 200 else None
    except (httpx.HTTPError, ValueError):
        return None


class MemberServiceClient:
    address = peer_url("MEMBER_SERVICE_URL", "member-service")

    async def member(self, client: httpx.AsyncClient, member_id: str) -> Any:
        return await fetch(client, f"{self.address}/members/{quote(member_id)}")


class LoanServiceClient:
    address = peer_url("LOAN_SERVICE_URL", "loan-service")

    async def loans(self, client: httpx.AsyncClient, member_id: str) -> Any:
        return await fetch(client, f"{self.address}/loans?memberId={quote(member_id)}")


class InterlibraryLoanServiceClient:
    address = peer_url("INTERLIBRARY_LOAN_SERVICE_URL", "interlibrary-loan-service")

    async def requests(self, client: httpx.AsyncClient, member_id: str) -> Any:
        return await fetch(client, f"{self.address}/requests?memberId={quote(member_id)}")
