"""What handlers are given, and what becomes of what they say."""

from __future__ import annotations

import asyncio
import enum
import logging
from dataclasses import dataclass, field
from typing import Any, Literal, Optional, TypedDict

import pydantic
import pytest

import baton
import baton.testing
from baton.errors import PayloadError

app = baton.App("http://127.0.0.1:1")


class Color(enum.Enum):
    RED = "red"


@dataclass
class Size:
    width: int
    height: int = 480


@dataclass
class Resize:
    image: int
    size: Size
    color: Optional[Color] = None
    tags: list[str] = field(default_factory=list)
    mode: Literal["fit", "fill"] = "fit"


class Mail(TypedDict):
    to: str


class Order(pydantic.BaseModel):
    number: int
    note: str = ""


@app.job("resize")
async def resize(args: Resize) -> Size:
    return args.size


@app.job("mail")
def mail(args: Mail) -> str:
    return args["to"]


@app.job("order")
async def order(args: Order) -> Order:
    return Order(number=args.number + 1)


@app.job("say")
async def say(what: str) -> None:
    raise {
        "skip": baton.Skip("image is gone"),
        "retry": baton.RetryAfter(30),
        "throttled": baton.Throttled("1m"),
        "permanent": baton.Permanent("bad_image", "not an image"),
        "misconfigured": baton.Misconfigured("no_key"),
        "gone": baton.Gone("no_user"),
        "snooze": baton.Snooze("1h"),
        "bug": ZeroDivisionError("division by zero"),
    }[what]


@app.job("walk")
async def walk(count: int, ctx: baton.Context) -> int:
    at = ctx.cursor or 0
    while at < count:
        at += 10
        await ctx.checkpoint(at, done=at, total=count, jobs=[mail.new({"to": str(at)}, key=f"m-{at}")])
    return at


@app.job("plain-walk")
def plain_walk(count: int, ctx: baton.SyncContext) -> str:
    for at in range(ctx.cursor or 0, count):
        ctx.checkpoint(at + 1)
    ctx.progress(count, note="done")
    return ctx.key("part")


@app.batch("index", size=10, linger="5ms")
async def index(items: list[baton.Item[Mail]]) -> dict[str, Any]:
    return {item.id: item.args["to"] for item in items}


def test_a_dataclass_is_checked_and_filled_on_both_sides() -> None:
    payload = resize.new(Resize(7, Size(640), Color.RED)).get("payload")

    assert payload == {"image": 7, "size": {"width": 640, "height": 480}, "color": "red", "tags": [], "mode": "fit"}
    assert resize.load({"image": 7, "size": {"width": 1}}) == Resize(7, Size(1))
    assert baton.testing.run(resize, Resize(7, Size(1, 2))).result == {"width": 1, "height": 2}


def test_a_typed_dict_and_a_pydantic_model_are_payloads_as_well() -> None:
    assert baton.testing.run(mail, Mail(to="a")).result == "a"
    assert baton.testing.run(order, Order(number=1)).result == {"number": 2, "note": ""}


@pytest.mark.parametrize(
    ("payload", "why"),
    [
        ({"size": {"width": 1}}, "a field 'image'"),
        ({"image": "7", "size": {"width": 1}}, "payload.image: expected a whole number"),
        ({"image": 7, "size": {"width": True}}, "payload.size.width"),
        ({"image": 7, "size": {"width": 1}, "mode": "crop"}, "payload.mode: expected one of"),
        ({"image": 7, "size": {"width": 1}, "colour": "red"}, "unknown field 'colour'"),
    ],
)
def test_a_payload_of_another_shape_says_what_is_wrong_and_where(payload: Any, why: str) -> None:
    with pytest.raises(PayloadError, match=why.replace("'", ".")):
        resize.load(payload)


def test_a_wrong_payload_is_refused_before_it_is_sent() -> None:
    with pytest.raises(PayloadError):
        resize.new(Resize("seven", Size(1)))  # type: ignore[arg-type] # pyright: ignore


@pytest.mark.parametrize(
    ("what", "word", "fields"),
    [
        ("skip", "skipped", {"why": "image is gone"}),
        ("retry", "failed", {"class": "retry", "code": "retry_after", "message": "", "retry_after": "30s"}),
        ("throttled", "failed", {"class": "throttled", "code": "throttled", "message": "", "retry_after": "1m"}),
        ("permanent", "failed", {"class": "permanent", "code": "bad_image", "message": "not an image"}),
        ("misconfigured", "failed", {"class": "misconfigured", "code": "no_key", "message": ""}),
        ("gone", "failed", {"class": "gone", "code": "no_user", "message": ""}),
        ("snooze", "snoozed", {"after": "1h"}),
        ("bug", "failed", {"class": "retry", "code": "ZeroDivisionError", "message": "division by zero"}),
    ],
)
def test_an_exception_is_a_verdict(what: str, word: str, fields: dict[str, Any]) -> None:
    run = baton.testing.run(say, what)

    assert (run.verdict.word, run.verdict.fields) == (word, fields)


def test_a_walk_goes_on_after_its_cursor_and_makes_its_children() -> None:
    run = baton.testing.run(walk, 30, cursor=10)

    assert [checkpoint.cursor for checkpoint in run.checkpoints] == [20, 30]
    assert [job.get("key") for job in run.jobs] == ["m-20", "m-30"]
    assert run.checkpoints[-1].progress == {"done": 30, "total": 30}


@pytest.mark.parametrize(("stop", "word"), [("canceled", "canceled"), ("stopping", "snoozed"), ("lost", "failed")])
def test_a_walk_that_is_asked_to_stop_ends_at_its_checkpoint(stop: str, word: str) -> None:
    run = baton.testing.run(walk, 1_000, stop_after=2, stop=stop)

    assert run.cursor == 20
    assert run.verdict.word == word


def test_a_plain_function_walks_on_a_thread() -> None:
    run = baton.testing.run(plain_walk, 3, cursor=1)

    assert run.cursor == 3
    assert run.progress == [{"done": 3, "note": "done"}]
    assert run.result.endswith(".1.part")


def test_a_handler_that_takes_too_long_is_told_as_timed_out() -> None:
    @app.job("hang")
    async def hang(_: Any) -> None:
        await asyncio.sleep(60)

    run = baton.testing.run(hang, None, timeout="20ms")

    assert run.verdict.fields["code"] == "timeout"


def test_a_batch_has_an_answer_for_each() -> None:
    assert baton.testing.run(index, Mail(to="x")).result == "x"


def test_middleware_is_around_the_handler_and_sees_its_verdict(caplog: pytest.LogCaptureFixture) -> None:
    seen: list[str] = []

    async def outer(call: baton.Call, next: baton.Next) -> baton.Verdict:
        seen.append(f"before {call.job['kind']}")
        verdict = await next(call)
        seen.append(f"after {verdict.word}")
        return verdict

    with caplog.at_level(logging.INFO, "baton.handler"):
        run = baton.testing.run(mail, Mail(to="a"), middleware=(outer, baton.logged))

    assert seen == ["before mail", "after accepted"]
    assert run.result == "a"
    assert [getattr(record, "job_id", None) for record in caplog.records] == [caplog.records[0].message.split()[0]]


def test_records_written_inside_a_handler_have_its_job_id(caplog: pytest.LogCaptureFixture) -> None:
    library = logging.getLogger("some.library")
    library.addFilter(baton.JobFilter())

    @app.job("logs")
    async def logs(_: Any, ctx: baton.Context) -> str:
        library.warning("deep inside")
        ctx.log.warning("at the top")
        return ctx.job_id

    run = baton.testing.run(logs, None)

    assert [getattr(record, "job_id", None) for record in caplog.records] == [run.result, run.result]


@pytest.mark.parametrize("is_async", [True, False])
@pytest.mark.parametrize("layers", [(), (baton.logged,)])
def test_a_result_that_is_no_json_is_a_dead_letter_and_a_line_in_the_log(
    is_async: bool, layers: Any, caplog: pytest.LogCaptureFixture
) -> None:
    other = baton.App("http://127.0.0.1:1")

    async def on_loop(_: None) -> object:
        return object()

    def on_thread(_: None) -> object:
        return object()

    tried = baton.testing.run(other.job("odd")(on_loop if is_async else on_thread), None, middleware=layers)

    assert (tried.verdict.word, tried.verdict.fields["code"]) == ("failed", "bad_result")
    assert "its result is no JSON: a value of the type object cannot" in tried.verdict.fields["message"]
    assert "its result is no JSON" in caplog.text


def test_a_decorator_without_a_kind_says_how_it_is_written() -> None:
    def forgotten(_: None) -> None:
        pass

    with pytest.raises(TypeError, match=r'write @app.job\("resize"\) instead of @app.job above <function'):
        app.job(forgotten)  # type: ignore[arg-type]


def test_a_worker_is_run_where_signals_are_heard_and_no_loop_runs() -> None:
    async def on_loop() -> None:
        app.run()

    with pytest.raises(RuntimeError, match="where one runs already, there `async with app.worker"):
        asyncio.run(on_loop())
    with pytest.raises(RuntimeError, match="only the main thread does"):
        asyncio.run(asyncio.to_thread(app.run))


def test_a_kind_has_one_handler_and_only_known_options() -> None:
    with pytest.raises(ValueError, match="already"):
        app.job("mail")(mail.handler)
    with pytest.raises(TypeError, match="retries"):
        app.job("other", retries=3)
    with pytest.raises(ValueError, match="no span"):
        app.job("other", timeout="soon")


@pytest.mark.parametrize(
    ("code", "sent"),
    [
        ("결제가거절됨" * 10, "결제가거절됨" * 5 + "결제가"),
        ("x" * 99 + "é", "x" * 99),
        ("a" * 101, "a" * 100),
        ("card\ndeclined", "card declined"),
        ("", "error"),
    ],
)
def test_a_code_is_sent_as_the_server_takes_it(code: str, sent: str) -> None:
    told = baton.Permanent(code, "no").verdict().fields["code"]

    assert told == sent
    assert 1 <= len(told.encode()) <= 100


def test_half_a_character_in_a_message_or_a_reason_does_not_keep_it_from_being_sent() -> None:
    failure = baton.Permanent("no_such_file", "caf\udce9.txt").verdict()
    skip = baton.Skip("caf\udce9.txt").verdict()

    assert failure.fields["message"] == "caf?.txt"
    assert skip.fields["why"] == "caf?.txt"
