"""How a service says no."""


class HallError(Exception):
    """A refusal: HTTP status, code for programs, text for people, and what else may help."""

    def __init__(self, status, code, message, /, **details):
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.details = details

    def to_json(self):
        return {"error": {"code": self.code, "message": self.message, **self.details}}


class PeerDown(HallError):
    """Another service does not answer, or answers with a failure of its own."""

    def __init__(self, peer):
        super().__init__(502, "peer_down", f"{peer} does not answer", peer=peer)
