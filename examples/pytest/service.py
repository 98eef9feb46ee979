"""A small client of the service, the application under test: it knows an address and a key, and nothing of a sandbox."""

import json
import time
from urllib.error import HTTPError
from urllib.request import Request, urlopen

ATTEMPTS = 5


class Service:
    def __init__(self, base_url, key, wait=time.sleep):
        self._base_url = base_url
        self._key = key
        self._wait = wait

    def status_of(self, investment_id):
        """Returns `PENDING` or `CLOSED`."""
        return self._attributes(f"/investments/{investment_id}")["status"]

    def offering_name(self, offering_id):
        return self._attributes(f"/offerings/{offering_id}")["name"]

    def _attributes(self, path):
        return self._get(path)["data"]["attributes"]

    def _get(self, path):
        """Waits as a 429 says, and tries again after errors of the server."""
        for attempt in range(1, ATTEMPTS + 1):
            try:
                with urlopen(Request(self._base_url + path, headers={"authorization": f"Bearer {self._key}"})) as response:
                    return json.load(response)
            except HTTPError as error:
                if attempt == ATTEMPTS or (error.code != 429 and error.code < 500):
                    raise
                self._wait(float(error.headers.get("retry-after") or attempt))
