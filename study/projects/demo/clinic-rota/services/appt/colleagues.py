"""What appointments need to know of the staff."""

from urllib.parse import quote

from common.peers import ask
from common.web import Problem


class StaffClient:
    """Asks staff-service."""

    def __init__(self, base_url):
        self.base_url = base_url.rstrip("/")

    async def person(self, staff_id):
        """The person with this id, or None."""
        status, data = await ask("staff", self.base_url, f"/staff/{quote(staff_id, safe='')}")
        if status == 404:
            return None
        if status != 200:
            raise Problem(503, "staff_unavailable", f"staff-service answers {status}")
        return data
