"""Calls to other services."""

import requests

from hall.errors import PeerDown


class Peer:
    """Another service, reached over HTTP with JSON."""

    name = "peer"

    def __init__(self, settings, name=None):
        self.name = name or self.name
        self.url = settings.peer_url(self.name)
        self._session = requests.Session()
        # proxies of the machine are not meant for calls inside the hall
        self._session.trust_env = False

    def call(self, method, path, body=None, query=None):
        """Status and JSON of the answer; PeerDown if there is none that can be used."""
        answer = self._request(method, path, json=body, params=query)
        try:
            content = answer.json()
        except requests.RequestException:
            raise PeerDown(self.name) from None
        if answer.status_code >= 500:
            raise PeerDown(self.name)
        return answer.status_code, content

    def exchange(self, method, path, data, query):
        """Status and bytes of the answer, whatever they say."""
        answer = self._request(method, path, data=data, params=query)
        return answer.status_code, answer.content

    def _request(self, method, path, **content):
        try:
            return self._session.request(method, self.url + path, timeout=5, **content)
        except requests.RequestException:
            raise PeerDown(self.name) from None
