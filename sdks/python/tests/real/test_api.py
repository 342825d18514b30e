"""All of the API by its client: recipients, campaigns, inboxes, schedules and events of a real server."""

from __future__ import annotations

import asyncio
import time
from datetime import datetime, timedelta, timezone
from typing import Callable, Iterator

import pytest

import baton
import baton.testing
from baton import Client, models
from baton.testing import Server

PEOPLE = ["ann", "ben", "cho"]


@pytest.fixture
def own(binary: str) -> Iterator[Server]:
    """A server of its own, on which nothing was sent."""
    with baton.testing.server() as running:
        for person in PEOPLE:
            running.client.recipients.put(person, {"platform": "ios", "addresses": {"push": f"token-{person}"}, "topics": ["quiz"]})
        yield running


def until(is_so: Callable[[], bool]) -> None:
    """Waits until something is so."""
    end = time.monotonic() + 20
    while not is_so():
        assert time.monotonic() < end, "it does not come"
        time.sleep(0.02)


def tomorrow() -> str:
    return (datetime.now(timezone.utc) + timedelta(days=1)).strftime("%Y-%m-%dT%H:%M:%SZ")


def test_a_campaign_is_previewed_sent_and_read(own: Server) -> None:
    client = own.client
    message: models.Message = {"title": "Quiz", "body": "Good morning, {{id}}!"}
    wanted: models.CreateCampaign = {
        "name": "Quiz", "action": "both", "category": "popular", "provider": "log", "audience": {"topic": "quiz"}, "message": message,
    }  # fmt: skip

    count = client.recipients.preview({"audience": {"topic": "quiz"}})
    sample = client.campaigns.preview(wanted)
    campaign = client.campaigns.create(wanted)
    until(lambda: client.campaigns.show(campaign["id"])["state"] == "done")
    progress = client.campaigns.progress(campaign["id"])
    deliveries = list(client.campaigns.all_deliveries(campaign["id"]))
    items = client.inbox.list("ben")["items"]
    client.inbox.read("ben", items[0]["id"])

    assert count["count"] == len(PEOPLE)
    assert "Good morning, ann!" in str(sample)
    assert (progress["ended"], progress["counts"]["succeeded"]) == (3, 3)
    assert [one["state"] for one in deliveries] == ["succeeded"] * 3
    assert [(item["title"], item["body"]) for item in items] == [("Quiz", "Good morning, ben!")]
    assert [client.inbox.unread(person)["unread"] for person in PEOPLE] == [1, 0, 1]


def test_a_campaign_is_stopped_before_its_time_and_resumed(own: Server) -> None:
    client = own.client
    later = client.campaigns.create(
        {
            "name": "Later", "action": "inbox", "category": "notice", "audience": {"all": True},
            "message": {"title": "t", "body": "b"}, "send_at": tomorrow(),
        }
    )  # fmt: skip

    stopped = client.campaigns.stop(later["id"], {"reason": "not yet"})
    resumed = client.campaigns.resume(later["id"])
    canceled = client.campaigns.cancel(later["id"])

    assert [one["state"] for one in (stopped, resumed, canceled)] == ["stopped", "scheduled", "canceled"]
    entries = client.audit.list(object=later["id"])["items"]
    assert "not yet" in [entry.get("reason") for entry in entries]


def test_who_follows_an_inbox_hears_of_what_comes(own: Server) -> None:
    async def scenario() -> list[tuple[str, bool]]:
        heard = []
        async with Client(own.url) as client:
            async for message in client.follow_inbox("ann"):
                heard.append((message.event, "Hello" in (message.data or "")))
                if len(heard) == 1:
                    said: models.Message = {"title": "Hello", "body": "ann"}
                    await client.notifications.create({"recipients": ["ann"], "action": "inbox", "message": said})
                if len(heard) == 3:
                    return heard
        return heard

    heard = asyncio.run(asyncio.wait_for(scenario(), 20))

    assert heard[0] == ("inbox.unread", False)
    assert sorted(heard[1:]) == [("inbox.added", True), ("inbox.unread", False)]


def test_a_schedule_fires_by_hand_and_tells_what_it_made(own: Server) -> None:
    client = own.client
    schedule = client.schedules.create(
        {"name": "nightly", "cron": "0 3 * * *", "time_zone": "Asia/Seoul", "job": {"kind": "report", "payload": {"n": 1}}}
    )

    times = client.schedules.next(schedule["id"], count=3)["items"]
    fired = client.schedules.fire(schedule["id"])
    made = client.jobs.show(str(fired.get("made")))
    paused = client.schedules.pause(schedule["id"])

    assert len(times) == 3
    assert (made["kind"], made["payload"]) == ("report", {"n": 1})
    assert fired["by_hand"] and [one["by_hand"] for one in client.schedules.fires(schedule["id"])["items"]] == [True]
    assert paused["paused"]


def test_the_feed_has_what_became_of_a_job_in_its_order(own: Server) -> None:
    client = own.client
    job = client.jobs.create({"kind": "nobody", "queue": "slow"})
    client.jobs.cancel(job["id"], {"reason": "wrong"})
    own.quiet()

    until(lambda: len(client.jobs.events(job["id"])["items"]) >= 2)
    events = [event["type"] for event in client.events.all(subject=job["id"])]
    operation = client.jobs.retry_jobs({"filter": {"state": "canceled", "queue": "slow"}})
    until(lambda: client.operations.show(operation["id"])["state"] == "done")

    assert events == ["job.queued", "job.canceled"]
    assert client.jobs.show(job["id"])["state"] == "queued"
    assert {queue["name"]: queue for queue in client.queues.all()}["slow"]["name"] == "slow"


def test_erasing_a_recipient_takes_all_of_them(own: Server) -> None:
    client = own.client

    operation = client.recipients.delete("cho", erase=True)
    assert operation is not None
    until(lambda: client.operations.show(operation["id"])["state"] == "done")

    with pytest.raises(baton.Problem) as problem:
        client.recipients.show("cho")
    assert problem.value.code == "recipient-not-found"
    assert sorted(one["id"] for one in client.recipients.all()) == ["ann", "ben"]


WHY = "ticket 4711: 대기열이 100% 찼다"


def test_why_a_call_is_made_stands_in_the_audit_log(own: Server) -> None:
    client = own.client
    hurried = client.because(WHY)

    hurried.queues.change("hurried", {"paused": True})
    client.queues.change("silent", {"paused": True})
    again = hurried.because("it is over").queues.change("hurried", {"paused": False})

    assert [entry.get("reason") for entry in hurried.audit.list(object="hurried")["items"]] == ["it is over", WHY]
    assert [entry.get("reason") for entry in client.audit.list(object="silent")["items"]] == [None]
    assert again["paused"] is False


def test_so_does_why_a_call_from_asyncio_is(own: Server) -> None:
    async def body() -> list[models.AuditEntry]:
        async with Client(own.url) as client:
            await client.because(WHY).queues.change("awaited", {"paused": True})
            return (await client.audit.list(object="awaited"))["items"]

    assert [entry.get("reason") for entry in asyncio.run(body())] == [WHY]
