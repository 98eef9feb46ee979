"""A pytest plugin: the fixture `sandbox` is an environment of the test's own, in one sandbox for all tests."""

import json
import os
import shutil
import subprocess
import tempfile
import threading
from collections import deque
from urllib.request import Request, urlopen

import pytest

ARGUMENTS = ["--port", "0", "--clock", "fixture", "--speed", "0", "--no-scenario", "--log-format", "json"]


def call(method, url, body=None):
    """Calls the admin API, and returns its response; None where that is empty."""
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(url, data, {"content-type": "application/json"}, method=method)) as response:
        return json.loads(response.read() or "null")


class Sandbox:
    """An environment: one of its keys is all that an application needs to be in it."""

    def __init__(self, admin_url, environment):
        self._admin_url = admin_url
        self.id = environment["id"]
        self.base_url = environment["base_url"]
        self.partner_key = environment["partner_key"]
        self.marketing_key = environment["marketing_key"]
        self.offering_id = environment["offerings"][0]["id"]
        self.outcome = None

    def command(self, method, path="", body=None):
        """Any call of the admin API on this environment: `command("POST", "/reset")`."""
        return call(method, f"{self._admin_url}/environments/{self.id}{path}", body)

    def play(self, scenario, **subject):
        """Plays a scenario, and returns the ids of its investments."""
        return self.command("POST", "/runs", {"scenario": scenario, **subject})["investment_ids"]

    def advance(self, by):
        """Moves the clock on: `advance("2d")`. Nothing else moves it."""
        return self.command("POST", "/clock/advance", {"by": by})

    def fault(self, **rule):
        """Makes requests fail or wait: `fault(respond={"status": 503}, times=2)`."""
        return self.command("POST", "/faults", rule)

    def requests(self):
        """The requests with the keys of this environment, and those that still wait for their responses."""
        response = self.command("GET", "/requests")
        return response["data"] + response["waiting"]


@pytest.fixture(scope="session")
def sandbox_admin_url():
    """The admin API of a sandbox: the one that `offering-sandbox exec` runs alongside pytest, or one for this session."""
    given = os.environ.get("OFFERING_SANDBOX_ADMIN_URL")
    if given:
        yield given
        return
    # Without --no-install, npm would ask its registry for the name where the package is not installed.
    command = [shutil.which("npx") or "npx", "--no-install", "offering-sandbox", *ARGUMENTS]
    pipes = {"stdout": subprocess.PIPE, "stdin": subprocess.DEVNULL}
    with tempfile.TemporaryFile() as errors, subprocess.Popen(command, **pipes, stderr=errors, encoding="utf-8") as process:
        events = (json.loads(line) for line in process.stdout)
        ready = next((event for event in events if event["event"] == "ready"), None)
        if ready is None:
            process.wait()
            errors.seek(0)
            reason = errors.read().decode("utf-8", "replace").strip()
            pytest.exit(f"offering-sandbox did not start:\n{reason}", returncode=1)
        # A full pipe would stop the sandbox. The thread reads to the end, before its pipe is closed.
        reader = threading.Thread(target=lambda: deque(process.stdout, maxlen=0), daemon=True)
        reader.start()
        yield ready["admin_url"]
        call("POST", f"{ready['admin_url']}/stop")
        reader.join()


@pytest.fixture
def sandbox(sandbox_admin_url, request):
    environment = call("POST", f"{sandbox_admin_url}/environments", {"label": request.node.nodeid})
    test_sandbox = Sandbox(sandbox_admin_url, environment)
    yield test_sandbox
    # With the outcome, `exec --snapshot-dir` writes a snapshot only if the test failed.
    test_sandbox.command("DELETE", f"?outcome={test_sandbox.outcome}" if test_sandbox.outcome else "")


def line(entry):
    """A request with the reason of a refusal, and the assumptions on which it rests."""
    depends_on = entry.get("depends_on")
    remarks = [*entry.get("hints", []), *(["depends on " + ", ".join(depends_on)] if depends_on else [])]
    return " ".join([entry["method"], str(entry.get("status", "waiting")), entry["path"], *remarks])


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item):
    """A failing test shows its requests, and those of all tests without a key that the sandbox knows."""
    report = (yield).get_result()
    own = getattr(item, "funcargs", {}).get("sandbox")
    if own and (report.when == "call" or report.failed):
        own.outcome = "failed" if report.failed else "passed"
    if report.when == "call" and report.failed and own:
        others = call("GET", f"{item.funcargs['sandbox_admin_url']}/requests")["data"]
        shown = own.requests() + [one for one in others if one["key_id"] is None]
        lines = [line(one) for one in shown]
        report.sections.append(("requests", "\n".join(lines) or "none"))
