from urllib.error import HTTPError

import pytest
from service import Service


@pytest.fixture
def waits():
    return []


@pytest.fixture
def service(sandbox, waits):
    return Service(sandbox.base_url, sandbox.partner_key, wait=waits.append)


def test_an_investment_closes_within_two_days(sandbox, service):
    [investment_id] = sandbox.play("closing")
    assert service.status_of(investment_id) == "PENDING"
    sandbox.advance("2d")
    assert service.status_of(investment_id) == "CLOSED"


def test_errors_of_the_server_are_tried_again(sandbox, service, waits):
    sandbox.fault(respond={"status": 503}, times=2)
    assert service.offering_name(sandbox.offering_id)
    assert len(waits) == 2
    assert [one["status"] for one in sandbox.requests()] == [503, 503, 200]


def test_a_full_limit_is_waited_out(sandbox, service, waits):
    [key] = [one for one in sandbox.command("GET", "/keys")["data"] if one["key"] == sandbox.partner_key]
    sandbox.command("PUT", f"/limits/{key['id']}", {"used": 120})

    def wait(seconds):
        waits.append(seconds)
        sandbox.command("DELETE", "/limits")

    assert Service(sandbox.base_url, sandbox.partner_key, wait).offering_name(sandbox.offering_id)
    assert len(waits) == 1 and 0 < waits[0] <= 60


def test_an_unknown_key_is_refused_at_once(sandbox, waits):
    with pytest.raises(HTTPError, match="401"):
        Service(sandbox.base_url, "an unknown key", waits.append).offering_name(sandbox.offering_id)
    assert waits == []


def test_no_test_sees_what_another_did(sandbox):
    assert sandbox.requests() == []
    assert sandbox.command("GET", "/faults")["data"] == []
