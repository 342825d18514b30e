"""Requests and answers, as plain dicts with types. Written by tools/generate.py: do not edit."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, TypedDict, Union

Action = Literal['retry', 'cancel', 'discard', 'erase']
"""What an operation does: to each dead letter, to each job of a state, or to a person."""
Audience = Dict[str, Any]
"""One condition, or some combined.

An object with one field: `{"all": true}`, `{"platform": "ios"}`, `{"topic": "daily-quiz"}` (who has
opted in), `{"within": {"lat": 37.57, "lon": 126.98, "radius_m": 5000}}`, `{"ids": ["a", "b"]}`; or
`{"all_of": [...]}`, `{"any_of": [...]}`, `{"not": {...}}` of these. 8 levels and 100 conditions at
most, and 10,000 ids."""
AuditAction = Literal['job.enqueue', 'job.cancel', 'job.force_cancel', 'job.retry', 'job.run_now', 'job.resolve', 'queue.change', 'worker.drain', 'campaign.create', 'campaign.stop', 'campaign.resume', 'campaign.approve', 'campaign.cancel', 'campaign.rate', 'operation.start', 'operation.stop', 'schedule.add', 'schedule.change', 'schedule.delete', 'schedule.fire', 'recipient.put', 'recipient.delete', 'recipient.erase', 'recipient.import', 'recipient.read', 'inbox.read', 'payload.read', 'key.create', 'key.rotate', 'key.revoke', 'user.add', 'user.change', 'session.sign_in', 'session.sign_out', 'audit.export', 'access.denied']
"""What was done."""
CampaignState = Literal['scheduled', 'expanding', 'sending', 'done', 'stopped', 'canceled']
"""Where a campaign is."""
Delivery = Literal['at_least_once', 'at_most_once']
"""How often a call may be made when its outcome is in doubt."""
FailureClass = Literal['retry', 'throttled', 'gone', 'refused', 'permanent', 'misconfigured', 'unknown', 'lost']
"""What sort of failure it was."""
Jitter = Literal['full', 'none']
"""Whether chance shortens the wait."""
JobState = Literal['pending', 'queued', 'running', 'retry_wait', 'succeeded', 'failed', 'canceled', 'skipped', 'uncertain']
"""Where a job is."""
Json = Any
"""Any JSON value, kept to the letter."""
MessageAction = Literal['inbox', 'push', 'both']
"""What a message does: it lies in the inbox, is brought to the recipient, or both."""
Missed = Literal['skip', 'latest', 'all']
"""What becomes of times at which no server was there to fire."""
Moment = str
"""A moment, RFC 3339; in UTC in every response."""
NodeState = Literal['live', 'gone']
"""How a node is."""
Nothing = Dict[str, Any]
"""A call that has nothing to say: no body, or an empty object."""
OperationState = Literal['running', 'done', 'stopped']
"""Whether an operation is under way or has ended."""
Outcome = Literal['succeeded', 'skipped', 'failed', 'lost', 'given_back', 'snoozed', 'throttled', 'canceled', 'uncertain']
"""How an attempt ended."""
Permission = Literal['jobs:read', 'jobs:create', 'payloads:read', 'recipients:read', 'recipients:write', 'recipients:erase', 'schedules:write', 'campaigns:send', 'inbox', 'worker', 'operate', 'keys:admin', 'audit:read', 'metrics']
"""One thing that somebody can be allowed."""
Presence = Literal['live', 'draining', 'deaf', 'silent', 'left']
"""How a worker is."""
Resolution = Literal['succeeded', 'failed']
"""How an uncertain job ended."""
Role = Literal['viewer', 'operator', 'sender', 'admin']
"""What a person is to the server: a fixed set of permissions."""
Saved = Literal['recorded', 'repeated', 'lost', 'out_of_order', 'refused']
"""What became of a move."""
Settled = Literal['recorded', 'adopted', 'stale', 'refused']
"""What became of a result."""
Span = str
"""A span of time, such as "250ms", "30s", "5m", "24h" or "1h30m"."""
Stage = Literal['schedules', 'deliveries', 'campaigns', 'notifications', 'facts', 'events', 'dead_letters']
"""What an erasure looks through."""
Strategy = Literal['exponential', 'linear', 'fixed']
"""How the wait before the next attempt grows."""
VerdictWord = Literal['accepted', 'failed', 'snoozed', 'skipped', 'canceled', 'given_back']
"""What a handler can say."""

class AddUser(TypedDict):
    """A user who is to sign in."""
    name: str
    """What they type, and are called by."""
    password: str
    """Their password, of 12 to 256 letters."""
    role: Role
    """What they may do."""


class Alive(TypedDict):
    """The process is alive."""
    status: str
    """Always `alive`."""
    version: str
    """Baton's version."""


class _ApiKey(TypedDict):
    created_at: Moment
    """When it was made."""
    created_by: str
    """By whom."""
    id: str
    """Its id, which is also the second part of the key."""
    kinds: List[str]
    """The kinds of jobs its bearer may enqueue; all if there are none."""
    name: str
    """What people call it."""
    permissions: List[Permission]
    """What its bearer may do."""
    queues: List[str]
    """The queues its bearer may enqueue to; all if there are none."""


class ApiKey(_ApiKey, total=False):
    """An API key, without its secret."""
    expires_at: Union[Moment, None]
    """From when on it is worth nothing."""
    last_used_at: Union[Moment, None]
    """When it was last used, to the minute."""
    revoked_at: Union[Moment, None]
    """When it was taken back."""


class _Attempt(TypedDict):
    attempt: int
    """Which attempt: 1, 2, 3 without a gap."""
    job_id: str
    """The job."""
    run: int
    """Which run of the job it belongs to."""
    worker: str
    """The worker that had it."""


class Attempt(_Attempt, total=False):
    """One attempt of a job, as history keeps it."""
    ended_at: Union[Moment, None]
    """When the outcome was recorded; null while it runs."""
    error: Union[Failure, None]
    """Why it failed."""
    late: Union[Late, None]
    """A result that came after the lease was lost."""
    next_run_at: Union[Moment, None]
    """When the next attempt was planned for."""
    outcome: Union[Outcome, None]
    """How it ended; null while it runs."""
    started_at: Union[Moment, None]
    """When the handler started; null if it never did."""
    state: Union[JobState, None]
    """The state it led to; null while it runs."""


class AudiencePreview(TypedDict):
    """Whom an audience means at this moment."""
    count: int
    """How many recipients belong to it, exactly."""
    disabled: int
    """How many of them are disabled, and would be skipped."""
    samples: List[Recipient]
    """Some of them, those who came first."""


class _AuditEntry(TypedDict):
    action: AuditAction
    """What they did."""
    at: Moment
    """When."""
    id: str
    """Its id."""
    name: str
    """What people called them at that time."""
    object: str
    """To what: an id, or the name of a queue; a recipient by the digest of its id."""
    principal: str
    """Who: `usr_...`, `key_...`, `command-line`, `anonymous`, `nobody` or `system:...`."""


class AuditEntry(_AuditEntry, total=False):
    """One act."""
    after: Union[Dict[str, Any], None]
    """How it was to be."""
    before: Union[Dict[str, Any], None]
    """How it was before, where that is known."""
    count: Union[int, None]
    """How many things it concerned, where it was more than one."""
    reason: Union[str, None]
    """Why, in the words of whoever did it."""
    request_id: Union[str, None]
    """The id of the request."""


class Backoff(TypedDict):
    """How the wait between tries grows, and how far."""
    base: Span
    """The wait after the first try."""
    cap: Span
    """The longest wait."""
    jitter: Jitter
    """Whether chance shortens the wait, so that jobs that failed together do not return together."""
    strategy: Strategy
    """How the wait grows."""


class Batch(TypedDict):
    """What became of a batch, in the order of its jobs."""
    items: List[BatchItem]
    """One answer for each job."""


class BatchItem(TypedDict):
    """What became of one job of a batch."""
    created: bool
    """Whether this request made it."""
    id: str
    """The job that has the key, or the new one."""


class BeatWorker(TypedDict, total=False):
    """A worker lives."""
    asked_ago: Union[Span, None]
    """How long ago it asked for jobs last; null if it never did."""
    draining: bool
    """Whether it takes nothing new."""
    free: int
    """How many more it could run."""
    heard: List[str]
    """The leases it works under, and those of claims that it has heard no answer to."""
    progress: List[TellProgress]
    """How far its jobs have come."""
    running: int
    """How many jobs it runs."""
    wait: Span
    """How long to wait for news; a third of a lease at the most."""


class _Campaign(TypedDict):
    action: MessageAction
    """What becomes of each recipient."""
    audience: Audience
    """Whom it is for."""
    category: str
    """`popular`, `question`, `notice`, `activity`, or a word of your own."""
    channel: str
    """By which address."""
    created_at: Moment
    """When it came."""
    delivery: Delivery
    """What to do in doubt."""
    id: str
    """Its id."""
    lane: str
    """Where it waits for others."""
    lead: Span
    """How long before that its deliveries are written."""
    message: Message
    """What is said."""
    name: str
    """What people call it."""
    progress: CampaignProgress
    """How far it has come."""
    start_at: Moment
    """When its deliveries begin to be written."""
    state: CampaignState
    """Where it is."""
    updated_at: Moment
    """When it last moved."""


class Campaign(_Campaign, total=False):
    """A campaign: what it is to do, and how far it has come."""
    approval: Union[CampaignApproval, None]
    """Who asked for it and who has approved it, where it has more recipients than one person may send to."""
    began_at: Union[Moment, None]
    """When it began."""
    chunk: Union[int, None]
    """How many recipients a chunk holds at most."""
    completed_at: Union[Moment, None]
    """When its last chunk was written."""
    expires_after: Union[Span, None]
    """How long after its due moment a delivery still makes sense."""
    finished_at: Union[Moment, None]
    """When it was done or canceled."""
    key: Union[str, None]
    """Your own key."""
    provider: Union[str, None]
    """Who delivers."""
    rate: Union[float, None]
    """How many deliveries may start each second."""
    rest_of: Union[str, None]
    """Of which campaign it is for the rest only; null if it is for its whole audience."""
    send_at: Union[Moment, None]
    """At which moment it is sent."""
    send_at_local: Union[str, None]
    """At which time on each recipient's clock it is sent."""
    time_zone: Union[str, None]
    """The zone of those who have none."""
    topic: Union[str, None]
    """The topic that a recipient must still be opted in to when it is sent."""
    waits_for: Union[str, None]
    """Who is ahead of it in its lane, while it waits for that."""
    why: Union[str, None]
    """Why it was stopped or canceled, when somebody said so."""


class _CampaignApproval(TypedDict):
    asked_at: Moment
    """When."""
    asked_by: str
    """Who asked for it: a user, an API key, or `system:scheduler`."""
    asked_by_name: str
    """What people called them at that time."""
    recipients: int
    """How many recipients it had when it was asked for."""


class CampaignApproval(_CampaignApproval, total=False):
    """Who asked for a campaign that one person may not send alone, and who has approved it."""
    approved_at: Union[Moment, None]
    """When."""
    approved_by: Union[str, None]
    """Who has approved it; null while it waits for that."""
    approved_by_name: Union[str, None]
    """What people called them at that time."""


class _CampaignPreview(TypedDict):
    looked_at: int
    """How many members were looked at one by one, those who came first; 20,000 at most."""
    members: int
    """How many members its audience has, exactly."""
    missing: List[str]
    """What is missing: a provider that brings it, and what fills the message, for some of those who lack it."""
    samples: List[CampaignSample]
    """What some of them would read: each text at least once that any of them would."""
    skipped: Dict[str, int]
    """How many of those would get nothing, by reason, such as `disabled`, `opted_out`, `no_address`, `address_dead`,
    `missing_value` or `too_long`."""


class CampaignPreview(_CampaignPreview, total=False):
    """What a campaign would do now."""
    translations: Dict[str, int]
    """How many of those would read each translation, by the name of its locale, if they are told anything; all
    others read the message
    as it is."""


class _CampaignProgress(TypedDict):
    audience: int
    """How many recipients were written down so far: the sum of the counts, as soon as the last facts
    are numbered."""
    chunks: int
    """In how many chunks."""
    counts: Dict[str, int]
    """How many deliveries are in which state."""
    cursor: int
    """The number of the last recipient it has come to."""
    ended: int
    """How many recipients have come to their end: their delivery has, or there is none and the item lies in
    their inbox."""
    in_flight: int
    """How many are being called: after a stop, these still come to their end."""
    items: int
    """How many items were laid into inboxes."""
    limited_by: str
    """What keeps it from going faster."""
    per_second: float
    """How many ended a second, over the last 60 seconds, or since it began."""
    state: CampaignState
    """Where it is."""
    walked: float
    """How much of the audience was walked, as a share of one."""


class CampaignProgress(_CampaignProgress, total=False):
    """How far a campaign has come."""
    eta_seconds: Union[int, None]
    """How many seconds it takes to its end at this speed, if that can be said."""
    expected: Union[int, None]
    """How many members its audience had when it began, when that was counted."""
    until: Union[int, None]
    """The number of the last recipient it is for."""


class CampaignRest(TypedDict):
    """How many recipients of its audience a campaign that has ended has not reached, and why."""
    canceled: int
    """Their deliveries were canceled."""
    failed: int
    """Their deliveries have failed for good."""
    never_written: int
    """It was canceled before it came to them."""
    recipients: int
    """All whom `send-to-rest` would be for: the sum of the next four."""
    skipped: int
    """They were skipped; whoever would be skipped again is."""
    uncertain: int
    """How many besides may have been reached: they are left out until a person has resolved them."""


class _CampaignSample(TypedDict):
    body: str
    """What there is to say."""
    recipient: Recipient
    """Who."""
    title: str
    """One line."""


class CampaignSample(_CampaignSample, total=False):
    """What one recipient would read."""
    translation: Union[str, None]
    """The locale of the translation that it would read; none if it is the message as it is."""


class Cancel(TypedDict, total=False):
    """Cancels a job."""
    force: bool
    """Takes a running job away from its worker at once, instead of asking it to stop."""
    reason: Union[str, None]
    """Why, as the job will show it; 500 characters at most."""


class ChangeCampaign(TypedDict, total=False):
    """Changes a campaign while it runs."""
    rate: Union[float, None]
    """How many deliveries may start each second; `null` for as many as can."""


class ChangeQueue(TypedDict, total=False):
    """A change to a queue; what is not given stays."""
    max_running: Union[int, None]
    """Limits how many of its jobs run at once in the whole fleet; null lifts the limit."""
    paused: Union[bool, None]
    """Pauses or resumes it. What runs goes on; nothing new is claimed."""
    rate: Union[float, None]
    """Limits how many of its jobs start each second in the whole fleet; null lifts the limit."""


class ChangeSchedule(TypedDict, total=False):
    """A change to a schedule; what is not given stays. It holds at once."""
    campaign: Union[Dict[str, Any], None]
    """The campaign that it makes from now on, as a whole."""
    cron: Union[str, None]
    """5 fields, or 6 with seconds in front."""
    job: Union[ScheduledJob, None]
    """The job that it makes from now on, as a whole."""
    lead: Union[Span, None]
    """How long before its time it fires."""
    missed: Union[Missed, None]
    """What becomes of missed times."""
    missed_max: Union[int, None]
    """How many missed times are made up for where `missed` is `all`."""
    name: Union[str, None]
    """What it is called."""
    time_zone: Union[str, None]
    """The IANA name of the time zone whose clock it goes by."""


class ChangeUser(TypedDict, total=False):
    """What is to become of a user; what is not given stays. All their sessions end with it."""
    disabled: Union[bool, None]
    """Whether they are kept out."""
    password: Union[str, None]
    """A new password."""
    role: Union[Role, None]
    """The role."""


class ChangeWorker(TypedDict):
    """A change to a worker."""
    drain: bool
    """Whether it is to take nothing new."""


class _ClaimJobs(TypedDict):
    limit: int
    """How many jobs at the most, of all queues together."""
    wants: List[Want]
    """From which queues, the most wanted first."""


class ClaimJobs(_ClaimJobs, total=False):
    """What a worker asks for."""
    max_bytes: Union[int, None]
    """How many bytes of payload at the most; one job always fits."""
    repeat: int
    """How often this was asked before without an answer being heard."""
    wait: Span
    """How long to wait until there is one; 50s at the most."""


class ClaimedBatch(TypedDict):
    """The jobs under one lease."""
    jobs: List[ClaimedJob]
    """The jobs, the most urgent first."""
    lease: str
    """The lease."""
    queue: str
    """The queue."""


class _ClaimedCheckpoint(TypedDict):
    ago: Span
    """How long ago that was."""
    era: int
    """1, and one more each time somebody had the job begin anew."""
    seq: int
    """How often the cursor was moved."""


class ClaimedCheckpoint(_ClaimedCheckpoint, total=False):
    """Where an earlier attempt left off."""
    cursor: Json
    """The job's own word for where it is."""
    progress: Union[Progress, None]
    """How far it was, as it was told to people."""


class _ClaimedJob(TypedDict):
    attempt: int
    """Numbers the claims of the job."""
    created_ago: Span
    """How long ago it was accepted."""
    delivery: Delivery
    """What to do in doubt."""
    id: str
    """Its id."""
    idempotency_key: str
    """The same for every attempt of this run, and for no other."""
    kind: str
    """Its kind."""
    losses: int
    """How many attempts of this run were lost with their worker."""
    max_attempts: int
    """How many tries it has."""
    payload: Json
    """What was asked, as any JSON."""
    queued_ago: Span
    """For how long it could have been claimed."""
    run: int
    """Which run of the job this is."""
    timeout: Span
    """How long the attempt may take, from its start or its last checkpoint."""
    token: str
    """The right to this attempt. Whoever has it can settle the job: it belongs in no log."""
    tries: int
    """Attempts that count towards `max_attempts`, this one included."""


class ClaimedJob(_ClaimedJob, total=False):
    """A job, for one attempt."""
    checkpoint: Union[ClaimedCheckpoint, None]
    """Where an earlier attempt left off, if it said so."""
    expires_in: Union[Span, None]
    """In how long it expires, if it does."""
    key: Union[str, None]
    """The caller's own key, if one was given."""
    tags: List[str]
    """Words to find it by."""
    trace: Union[Trace, None]
    """The trace of whoever asked for it."""


class _ClaimedJobs(TypedDict):
    batches: List[ClaimedBatch]
    """The jobs, by lease; empty if there was none in time."""
    lease: Span
    """How long each lease lasts, from so long after the claim was sent as `waited` says."""


class ClaimedJobs(_ClaimedJobs, total=False):
    """What a worker gets."""
    drain: bool
    """Whether the worker is to take nothing new; then it hears by its beats when it may again."""
    waited: Union[Span, None]
    """How long the claim had waited when its jobs were taken, or when it was answered without any. A server that
    says so hears
    from each claim that waits that its worker lives. One that does not is of an older version: its leases count
    from before
    the claim was sent."""


class CommandCampaign(TypedDict, total=False):
    """Stops, resumes or cancels a campaign."""
    reason: Union[str, None]
    """Why, as the campaign will show it; 500 characters at most."""


class Component(TypedDict):
    """Something the server needs to work, or works better with."""
    detail: str
    """How it is, in a few words."""
    name: str
    """Its name."""
    ready: bool
    """Whether it is as it should be."""


class _CreateCampaign(TypedDict):
    action: MessageAction
    """What becomes of each recipient: `inbox`, `push` or `both`."""
    audience: Audience
    """Whom it is for."""
    category: str
    """`popular`, `question`, `notice`, `activity`, or a word of your own."""
    message: Message
    """What is said."""
    name: str
    """What people call it."""


class CreateCampaign(_CreateCampaign, total=False):
    """A message to an audience."""
    backoff: Union[Backoff, None]
    """When to try again."""
    channel: Union[str, None]
    """By which of a recipient's addresses; `push` if none is given."""
    chunk: Union[int, None]
    """How many recipients are written in one transaction at most; as many as take 50 ms if nothing is
    given."""
    delivery: Union[Delivery, None]
    """What to do when the outcome of a call is in doubt; `at_least_once` if nothing is given."""
    expires_after: Union[Span, None]
    """How long after its due moment a delivery still makes sense."""
    key: Union[str, None]
    """Your own key. The same key with the same content is the same campaign, with other content a
    conflict."""
    lane: Union[str, None]
    """One campaign of a lane is walked at a time, the others wait; `default` if none is given."""
    lead: Union[Span, None]
    """How long before that its deliveries are written."""
    max_attempts: Union[int, None]
    """How many tries a delivery has; 4 if none is given."""
    provider: Union[str, None]
    """Who delivers: the name of a configured provider."""
    rate: Union[float, None]
    """How many deliveries may start each second; as many as can if nothing is given."""
    send_at: Union[Moment, None]
    """At which moment; at once if nothing is given."""
    send_at_local: Union[str, None]
    """Or when the clock of each recipient shows this time."""
    time_zone: Union[str, None]
    """The zone of recipients who have none; UTC if none is given."""
    timeout: Union[Span, None]
    """How long one try may take; 30s if none is given."""
    topic: Union[str, None]
    """The topic that a recipient must still be opted in to when it is sent; the audience's, if that is
    a topic."""


class _CreateKey(TypedDict):
    name: str
    """What people call it: 1 to 100 letters."""
    permissions: List[Permission]
    """What its bearer may do. Nobody can grant what they lack."""


class CreateKey(_CreateKey, total=False):
    """A key that is asked for."""
    expires_in: Union[str, None]
    """How long it is worth something; for ever if that is not given."""
    kinds: List[str]
    """The kinds of jobs its bearer may enqueue, as names or patterns with `*`; all if there are none."""
    queues: List[str]
    """The queues its bearer may enqueue to, as names or patterns with `*`; all if there are none."""


class _CreateSchedule(TypedDict):
    cron: str
    """5 fields (minute, hour, day of month, month, day of week), or 6 with seconds in front."""
    name: str
    """What it is called; no two schedules have the same name."""
    time_zone: str
    """The IANA name of the time zone whose clock it goes by."""


class CreateSchedule(_CreateSchedule, total=False):
    """A cron line in a time zone, and what it makes each time: a job or a campaign."""
    campaign: Union[Dict[str, Any], None]
    """The campaign that it makes each time."""
    job: Union[ScheduledJob, None]
    """The job that it makes each time."""
    lead: Union[Span, None]
    """How long before its time it fires; what it makes still runs at the time. 7d at most."""
    missed: Union[Missed, None]
    """What becomes of times at which no server was there to fire; `latest` if nothing is given."""
    missed_max: Union[int, None]
    """How many missed times are made up for where `missed` is `all`; 100 if nothing is given."""


class _CreatedKey(TypedDict):
    created_at: Moment
    """When it was made."""
    created_by: str
    """By whom."""
    id: str
    """Its id, which is also the second part of the key."""
    kinds: List[str]
    """The kinds of jobs its bearer may enqueue; all if there are none."""
    name: str
    """What people call it."""
    permissions: List[Permission]
    """What its bearer may do."""
    queues: List[str]
    """The queues its bearer may enqueue to; all if there are none."""
    token: str
    """The key itself, told this once."""


class CreatedKey(_CreatedKey, total=False):
    """A key that was made."""
    expires_at: Union[Moment, None]
    """From when on it is worth nothing."""
    last_used_at: Union[Moment, None]
    """When it was last used, to the minute."""
    revoked_at: Union[Moment, None]
    """When it was taken back."""


class DeadLetterFilter(TypedDict, total=False):
    """Which dead letters; what is not given does not matter."""
    fingerprint: Union[str, None]
    """Of this group."""
    kind: Union[str, None]
    """Of this kind."""
    queue: Union[str, None]
    """Of this queue."""
    reason: Union[str, None]
    """Failed for this reason."""


class DeadLetters(TypedDict):
    """Dead letters of one cause."""
    count: int
    """How many there are."""
    fingerprint: str
    """The name of the group."""
    first: Moment
    """When the first of them failed."""
    kind: str
    """The kind of its jobs."""
    last: Moment
    """When the last of them failed."""
    reason: str
    """The reason most lately seen."""
    sample: Sample
    """One of them."""


class EnqueueBatch(TypedDict):
    """Jobs to be added in one transaction: all or none."""
    jobs: List[EnqueueJob]
    """The jobs."""


class _EnqueueJob(TypedDict):
    kind: str
    """The name that chooses the handler."""


class EnqueueJob(_EnqueueJob, total=False):
    """A job to be run once to completion."""
    backoff: Union[Backoff, None]
    """When to try again; exponential from 5s to 15m with full jitter if none is given."""
    delay: Union[Span, None]
    """Not before this long from now; instead of `run_at`."""
    delivery: Union[Delivery, None]
    """What to do when the outcome of a call is in doubt; `at_least_once` if nothing is given."""
    expires_at: Union[Moment, None]
    """Not after this moment: the job fails with the reason `expired` if it has not run by then."""
    key: Union[str, None]
    """Your own key. The same key with the same content is the same job, with other content a conflict."""
    max_attempts: Union[int, None]
    """How many tries it has; 4 if none is given."""
    payload: Json
    """The handler's arguments, kept to the letter; 256 KiB at most. Those of the kind `http` are `url`, or
    `destination` (one that the configuration names, with its credentials) and `path` below it; `method`,
    `headers` and `body`; those of `baton.walk` are `url`, `job` (what to make of each row) and how to page."""
    priority: Union[int, None]
    """Smaller is sooner; 0 if none is given."""
    queue: Union[str, None]
    """The queue it stands in; if none is given `default`, or for a custom kind the queue of its own name."""
    run_at: Union[Moment, None]
    """Not before this moment."""
    tags: List[str]
    """Words to find it by."""
    timeout: Union[Span, None]
    """How long one attempt may take, 24h at most; 30s if none is given."""
    trace: Union[Trace, None]
    """The trace of whoever asks for it, which its attempts are told; that of the request's `traceparent` and
    `tracestate` if none is
    given. It is no part of the content that a key stands for."""


class Event(TypedDict):
    """One fact."""
    at: Moment
    """When."""
    data: Dict[str, Any]
    """The particulars. A job's move says `queue`, `from` and `to`."""
    id: str
    """Its number: the epoch of the history, a dash, and `seq`."""
    seq: int
    """Its place in the history: 1, 2, 3 without a gap."""
    subject: str
    """To whom: a prefixed id, or a queue's name."""
    type: str
    """What happened."""


class _EventPage(TypedDict):
    items: List[Event]
    """The events, in order."""
    position: str
    """How far this page has looked. At the end of the feed, give it as `after` to go on later."""


class EventPage(_EventPage, total=False):
    """A page of the feed."""
    next: Union[str, None]
    """Give it as `after` to go on at once; null when the feed has been read to its end. A page can
    be short, even empty, and still have a next one."""


class Explanation(TypedDict):
    """Why a job is, or is not, running."""
    blockers: List[str]
    """What holds it up, each in one sentence; empty when nothing does."""
    job_id: str
    """The job."""
    next: str
    """What will happen, or what a person can do."""
    state: JobState
    """Where it is."""
    summary: str
    """The answer in one sentence."""


Failure = TypedDict("Failure", {"class": "FailureClass", "code": "str", "message": "str"})
"""Why an attempt failed."""

class FieldError(TypedDict):
    """One thing wrong with a request, and where."""
    field: str
    """The field, as a path."""
    message: str
    """What is wrong with it, and what would be right."""


class _Fire(TypedDict):
    at: Moment
    """The nominal time; the first of those that were missed."""
    by_hand: bool
    """Whether a person asked for it, out of turn."""
    missed: int
    """How many times in a row were missed, counted up to 1,000; 0 if something was made."""
    recorded_at: Moment
    """When it fired, or was given up."""


class Fire(_Fire, total=False):
    """What became of a nominal time; of several, where they were missed in a row."""
    made: Union[str, None]
    """The id of what was made; null if the time was missed."""
    missed_until: Union[Moment, None]
    """The last of those that were missed."""
    reason: Union[str, None]
    """Why they were missed."""


class GivenBack(TypedDict):
    """How many jobs were given back."""
    given_back: int
    """How many."""


class _Import(TypedDict):
    added: int
    """How many recipients were new."""
    changed: int
    """How many were described differently before."""
    complete: bool
    """Whether every row was read. If not, `stopped` says where and why; what came before counts."""
    dry_run: bool
    """Whether nothing was written; then the counts say what would have become of the rows."""
    errors: List[RowErrors]
    """Why rows were not accepted, for the first 100 of them."""
    refused: int
    """How many rows were not accepted."""
    rows: int
    """How many rows were read, refused ones included."""
    unchanged: int
    """How many were as they are."""


class Import(_Import, total=False):
    """What became of an import."""
    stopped: Union[ImportStop, None]
    """Where and why it stopped, if it did."""


class ImportStop(TypedDict):
    """Where and why an import stopped."""
    line: int
    """The first line that did not count; those before it did."""
    message: str
    """What happened, and what to do."""


class _InboxItem(TypedDict):
    body: str
    """What there is to say."""
    category: str
    """What sort of thing it is."""
    created_at: Moment
    """When it came."""
    id: str
    """Its id."""
    title: str
    """One line."""


class InboxItem(_InboxItem, total=False):
    """One thing a recipient was told."""
    campaign_id: Union[str, None]
    """The campaign it came from."""
    data: Json
    """What goes along for the receiving app, to the letter."""
    notification_id: Union[str, None]
    """The notification it came from."""
    read_at: Union[Moment, None]
    """When it was read; null until then."""


class InboxToken(TypedDict):
    """What opens the inbox of one recipient for a while."""
    expires_at: Moment
    """From when on it opens nothing."""
    token: str
    """The token, for `Authorization: Bearer`."""


class _Job(TypedDict):
    attempt: int
    """Numbers the claims; 0 before the first."""
    backoff: Backoff
    """When to try again."""
    created_at: Moment
    """When it was accepted."""
    delivery: Delivery
    """What to do when the outcome of a call is in doubt."""
    id: str
    """Its id."""
    kind: str
    """The name that chooses the handler."""
    losses: int
    """Attempts that ended without a word, in this run."""
    max_attempts: int
    """How many tries it has."""
    payload: Json
    """The handler's arguments, to the letter as they came, but for headers that carry credentials: those say
    `(hidden)`."""
    priority: int
    """Smaller is sooner."""
    queue: str
    """The queue it stands in."""
    run: int
    """1, and one more each time a person runs it again."""
    run_at: Moment
    """Not before this moment."""
    state: JobState
    """Where it is."""
    tags: List[str]
    """Words to find it by."""
    timeout: Span
    """How long one attempt may take."""
    tries: int
    """Attempts that count against `max_attempts`, the present or last one included."""
    updated_at: Moment
    """When it last moved."""


class Job(_Job, total=False):
    """A job: what was asked, and where it is now."""
    campaign_id: Union[str, None]
    """The campaign it belongs to."""
    cancel_asked_at: Union[Moment, None]
    """When somebody asked it to stop, while it runs."""
    checkpointed_at: Union[Moment, None]
    """When it moved its cursor last; told of one job alone, and null in lists."""
    cursor: Json
    """Its own word for where it is, behind which its next attempt begins; told of one job alone, and null in lists."""
    expires_at: Union[Moment, None]
    """Not after this moment."""
    finished_at: Union[Moment, None]
    """When it reached a terminal state."""
    key: Union[str, None]
    """The caller's own key, if one was given."""
    last_error: Union[Failure, None]
    """Why the last attempt failed, if it did."""
    leased_until: Union[Moment, None]
    """Until when its worker has it."""
    progress: Union[Progress, None]
    """How far it is, as its worker has told; told of one job alone, and null in lists."""
    reason: Union[str, None]
    """Why it is there, for `failed`, `canceled` and `skipped`."""
    recipient_id: Union[str, None]
    """The recipient it is for."""
    result: Json
    """What the handler answered."""
    trace: Union[Trace, None]
    """The trace of whoever asked for it."""
    worker: Union[str, None]
    """The worker that has it, while it runs."""


class _JobSelection(TypedDict):
    state: JobState
    """In this state."""


class JobSelection(_JobSelection, total=False):
    """Which jobs: those of one state; what else is not given does not matter."""
    kind: Union[str, None]
    """Of this kind."""
    queue: Union[str, None]
    """In this queue."""
    tag: Union[str, None]
    """With this tag."""


class _Kind(TypedDict):
    built_in: bool
    """Whether the servers run it themselves."""
    free: int
    """How many more they could run."""
    kind: str
    """Its name."""
    queues: List[str]
    """The queues they claim from."""
    slots: int
    """How many jobs these run at once, of all their kinds together."""
    workers: int
    """How many live workers handle it."""


class Kind(_Kind, total=False):
    """A kind, and who handles it."""
    last_served_at: Union[Moment, None]
    """When a worker that handles it was heard of last."""


class Late(TypedDict):
    """A result that came too late."""
    adopted: bool
    """Whether it became the job's state, as nobody had claimed the job since."""
    at: Moment
    """When it was recorded."""
    outcome: Outcome
    """How the attempt really ended."""


class ApiKeyList(TypedDict):
    """One page of a list."""
    items: List[ApiKey]
    next: Union[str, None]


class AttemptList(TypedDict):
    """One page of a list."""
    items: List[Attempt]
    next: Union[str, None]


class AuditEntryList(TypedDict):
    """One page of a list."""
    items: List[AuditEntry]
    next: Union[str, None]


class CampaignList(TypedDict):
    """One page of a list."""
    items: List[Campaign]
    next: Union[str, None]


class DeadLettersList(TypedDict):
    """One page of a list."""
    items: List[DeadLetters]
    next: Union[str, None]


class EventList(TypedDict):
    """One page of a list."""
    items: List[Event]
    next: Union[str, None]


class FireList(TypedDict):
    """One page of a list."""
    items: List[Fire]
    next: Union[str, None]


class InboxItemList(TypedDict):
    """One page of a list."""
    items: List[InboxItem]
    next: Union[str, None]


class JobList(TypedDict):
    """One page of a list."""
    items: List[Job]
    next: Union[str, None]


class KindList(TypedDict):
    """One page of a list."""
    items: List[Kind]
    next: Union[str, None]


class NextTimeList(TypedDict):
    """One page of a list."""
    items: List[NextTime]
    next: Union[str, None]


class NodeList(TypedDict):
    """One page of a list."""
    items: List[Node]
    next: Union[str, None]


class OperationList(TypedDict):
    """One page of a list."""
    items: List[Operation]
    next: Union[str, None]


class QueueList(TypedDict):
    """One page of a list."""
    items: List[Queue]
    next: Union[str, None]


class RecipientList(TypedDict):
    """One page of a list."""
    items: List[Recipient]
    next: Union[str, None]


class ScheduleList(TypedDict):
    """One page of a list."""
    items: List[Schedule]
    next: Union[str, None]


class UserList(TypedDict):
    """One page of a list."""
    items: List[User]
    next: Union[str, None]


class WorkerList(TypedDict):
    """One page of a list."""
    items: List[Worker]
    next: Union[str, None]


class MakeInboxToken(TypedDict, total=False):
    """How long an inbox token is to last."""
    expires_in: Union[str, None]
    """How long it is worth something, 24h at most; 15m if that is not given."""


class _Message(TypedDict):
    body: str
    """What there is to say, 10,000 characters at most, filled in the same way."""
    title: str
    """One line, 500 characters at most; `{{id}}`, `{{platform}}`, `{{time_zone}}`,
    `{{addresses.push}}` and `{{data.name}}` are filled in for each recipient."""


class Message(_Message, total=False):
    """What is said."""
    data: Union[Dict[str, Any], None]
    """What goes along for the receiving app."""
    translations: Dict[str, Translation]
    """The same in other languages, by their BCP 47 names, 50 at most: a recipient reads the one of its
    locale, or else of the language without its region, or else the title and the body above."""


class News(TypedDict):
    """News for a worker."""
    drain: bool
    """Whether it is to take nothing new."""
    held: List[str]
    """The leases it has, of those it named."""
    lease: Span
    """How long its leases last, from before the call was sent."""
    lost: List[str]
    """Those it has not any more: work under them ends now."""
    stop: List[StopJob]
    """Its jobs that are to stop."""


class NextTime(TypedDict):
    """One of the next times of a schedule."""
    at: Moment
    """The nominal time."""
    fires_at: Moment
    """When it fires for it: the lead before."""
    local: str
    """The same on the clock of the schedule's time zone, with its offset."""


class _Node(TypedDict):
    id: str
    """Its id; a restart is another node. A worker inside it has the same one."""
    leads: bool
    """Whether it leads."""
    name: str
    """The machine it runs on, and its process id there."""
    roles: List[str]
    """What it does: `api`, `engine`, `worker`."""
    seen_at: Moment
    """When it last wrote that it is there."""
    started_at: Moment
    """When it started."""
    state: NodeState
    """How it is."""
    version: str
    """Baton's version."""


class Node(_Node, total=False):
    """A node: one incarnation of a process of Baton, with a worker or without."""
    address: Union[str, None]
    """Where it listens, if it has said so."""
    clock: Union[NodeClock, None]
    """How far its machine's clock was from the database's then; null before that was measured."""


class NodeClock(TypedDict):
    """How far a machine's clock is from the database's, which is the one that is followed."""
    bound_seconds: float
    """How many seconds that can be wrong by."""
    offset_seconds: float
    """How many seconds the database's clock is ahead of the machine's; behind, if below zero."""


class _NotReady(TypedDict):
    code: str
    """The last word of `type`, to compare with."""
    detail: str
    """What happened this time."""
    status: int
    """The HTTP status."""
    title: str
    """The kind of problem in a few words; the same for each problem of a kind."""
    type: str
    """Names the kind of problem, and is where its page is served."""
    components: List[Component]
    """What the server needs to work, and `redis` where there is one: without it work goes on."""
    ready: bool
    """Whether requests should be sent here."""
    routines: List[Routine]
    """The repeated duties of the server."""


class NotReady(_NotReady, total=False):
    """The server is not ready: a problem that also says which part is not."""
    current_state: Union[JobState, None]
    """Where the job is, when that is why it cannot be done."""
    errors: List[FieldError]
    """What is wrong with the request, field by field."""
    existing_id: Union[str, None]
    """The job that holds the key, when that is why it cannot be done."""
    instance: Union[str, None]
    """The path that was asked for."""
    request_id: Union[str, None]
    """Finds this request in the server's log."""


class Notification(TypedDict):
    """What became of a notification."""
    created: bool
    """Whether this request made it."""
    id: str
    """Its id."""
    items: List[Sent]
    """What became of it for each recipient, in the order of the request."""


class _Notify(TypedDict):
    message: Message
    """What they are told."""
    recipients: List[str]
    """Who is told, by your own ids."""


class Notify(_Notify, total=False):
    """Something that one or a few recipients are to be told at once."""
    action: Union[MessageAction, None]
    """Whether it lies in the inbox, is brought to the recipient, or both; both if nothing is given."""
    category: Union[str, None]
    """What sort of thing it is: any word of your own; `activity` if none is given."""
    channel: Union[str, None]
    """Which address of the recipient is used; `push` if none is given."""
    delivery: Union[Delivery, None]
    """What to do when the outcome of a call is in doubt; `at_least_once` if nothing is given."""
    expires_after: Union[Span, None]
    """How long it is of use: a delivery that has not been made by then fails with the reason `expired`."""
    key: Union[str, None]
    """Your own key. The same key with the same content is the same notification, with other content a
    conflict."""
    provider: Union[str, None]
    """Who brings it, as the configuration names it; the only one there is if none is given."""
    topic: Union[str, None]
    """What a recipient has to have opted in to; who has not is skipped."""


class _Operation(TypedDict):
    action: Action
    """What it does."""
    created_at: Moment
    """When it began."""
    done: int
    """How many it has changed."""
    filter: DeadLetterFilter
    """To which dead letters."""
    id: str
    """Its id."""
    skipped: int
    """How many it found already gone."""
    state: OperationState
    """Whether it is under way or has ended."""
    total: int
    """How many matched when it began; later failures are not touched. An erasure learns on its way how many
    there are, and says as many as it has changed."""


class Operation(_Operation, total=False):
    """A bulk operation and how far it is."""
    finished_at: Union[Moment, None]
    """When it ended."""
    jobs: Union[JobSelection, None]
    """To which jobs instead, where it is about jobs of a state."""
    reason: Union[str, None]
    """Why, in the words of whoever began it."""
    stage: Union[Stage, None]
    """What an erasure that has not ended looks through."""
    total_is_least: bool
    """Whether `total` is only the least: more than were counted may have matched."""


class _PreviewAudience(TypedDict):
    audience: Audience
    """The audience."""


class PreviewAudience(_PreviewAudience, total=False):
    """Whom an audience means, before anything is sent."""
    samples: Union[int, None]
    """How many of its members to show; 10 if nothing is given."""


class _Problem(TypedDict):
    code: str
    """The last word of `type`, to compare with."""
    detail: str
    """What happened this time."""
    status: int
    """The HTTP status."""
    title: str
    """The kind of problem in a few words; the same for each problem of a kind."""
    type: str
    """Names the kind of problem, and is where its page is served."""


class Problem(_Problem, total=False):
    """What went wrong, what it means and what to do."""
    current_state: Union[JobState, None]
    """Where the job is, when that is why it cannot be done."""
    errors: List[FieldError]
    """What is wrong with the request, field by field."""
    existing_id: Union[str, None]
    """The job that holds the key, when that is why it cannot be done."""
    instance: Union[str, None]
    """The path that was asked for."""
    request_id: Union[str, None]
    """Finds this request in the server's log."""


class _Progress(TypedDict):
    done: int
    """How much is done."""


class Progress(_Progress, total=False):
    """How far a job has come, for people; it decides nothing."""
    note: Union[str, None]
    """A word about it."""
    total: Union[int, None]
    """Of how much, where that is known."""


class _PutRecipient(TypedDict):
    platform: str
    """What it is reached on; any word of your own."""


class PutRecipient(_PutRecipient, total=False):
    """A recipient as it is described from now on; what is not given is empty from now on."""
    addresses: Dict[str, str]
    """Where it is reached, by the name of the channel; 16 at most."""
    enabled: bool
    """Whether anything is sent to it at all; true if nothing is given."""
    lat: Union[float, None]
    """Degrees north of the equator; with `lon`, or not at all."""
    locale: Union[str, None]
    """The language it reads, by its BCP 47 name: which text of a message it is told."""
    lon: Union[float, None]
    """Degrees east of Greenwich; with `lat`, or not at all."""
    time_zone: Union[str, None]
    """The IANA name of its time zone."""
    topics: List[str]
    """What it has opted in to."""


class _Queue(TypedDict):
    failed: int
    """How many jobs are dead letters, discarded ones included."""
    name: str
    """Its name."""
    paused: bool
    """Whether nothing is claimed from it."""
    pending: int
    """How many jobs wait for their time."""
    per_second: float
    """Jobs that ended a second, over the last 60 seconds."""
    queued: int
    """How many jobs any worker may claim."""
    retry_wait: int
    """How many jobs wait for their next attempt."""
    running: int
    """How many jobs run."""
    slots: int
    """How many of its jobs the live workers can run at once; a worker counts once it has met the queue."""
    succeeded: int
    """How many jobs succeeded, pruned ones included."""


class Queue(_Queue, total=False):
    """A queue and what stands in it."""
    max_running: Union[int, None]
    """How many of its jobs may run at once, in the whole fleet; null means no limit."""
    oldest_queued_at: Union[Moment, None]
    """Since when the longest waiting claimable job has been due."""
    rate: Union[float, None]
    """How many of its jobs may start each second, in the whole fleet; null means no limit."""
    uncertain: int
    """How many at-most-once jobs ended without anybody knowing whether they were done."""


class Readiness(TypedDict):
    """Whether the server can do its work, part by part."""
    components: List[Component]
    """What the server needs to work, and `redis` where there is one: without it work goes on."""
    ready: bool
    """Whether requests should be sent here."""
    routines: List[Routine]
    """The repeated duties of the server."""


class _Recipient(TypedDict):
    addresses: Dict[str, str]
    """Where it is reached, by the name of the channel."""
    created_at: Moment
    """When it came."""
    enabled: bool
    """Whether anything is sent to it at all."""
    id: str
    """Your own id."""
    platform: str
    """What it is reached on."""
    topics: List[str]
    """What it has opted in to."""
    updated_at: Moment
    """When it last changed."""


class Recipient(_Recipient, total=False):
    """A recipient."""
    dead_addresses: List[str]
    """Channels whose address a provider called dead; a new address is used again."""
    lat: Union[float, None]
    """Degrees north of the equator."""
    locale: Union[str, None]
    """The language it reads, by its BCP 47 name."""
    lon: Union[float, None]
    """Degrees east of Greenwich."""
    time_zone: Union[str, None]
    """The IANA name of its time zone."""


class _RecipientRow(TypedDict):
    id: str
    """Your own id."""
    platform: str
    """As in [`PutRecipient`]."""


class RecipientRow(_RecipientRow, total=False):
    """One line of an NDJSON import: the body of a PUT, with the id."""
    addresses: Dict[str, str]
    """As in [`PutRecipient`]."""
    enabled: bool
    """As in [`PutRecipient`]."""
    lat: Union[float, None]
    """As in [`PutRecipient`]."""
    locale: Union[str, None]
    """As in [`PutRecipient`]."""
    lon: Union[float, None]
    """As in [`PutRecipient`]."""
    time_zone: Union[str, None]
    """As in [`PutRecipient`]."""
    topics: List[str]
    """As in [`PutRecipient`]."""


class _RegisterWorker(TypedDict):
    kinds: List[str]
    """The kinds it handles, 1 to 100."""
    name: str
    """The machine it runs on, and its process id there."""
    protocol: int
    """The version of the protocol that it speaks."""
    sdk: str
    """What it is written with."""
    slots: int
    """How many jobs it runs at once, 1 to 10,000."""


class RegisterWorker(_RegisterWorker, total=False):
    """Who a worker is."""
    labels: Dict[str, str]
    """Words of its operator's, 16 at the most."""
    queues: List[str]
    """The queues it claims from, 1 to 200; those of the names of its kinds if none are named."""
    version: Union[str, None]
    """The version of the program it is part of."""


class Registered(TypedDict):
    """What a worker is told as it registers."""
    beat: Span
    """How often to beat, at the least."""
    id: str
    """Its id."""
    lease: Span
    """How long a lease lasts without a renewal."""
    limits: RemoteLimits
    """How much fits into a call."""
    protocol: int
    """The version of the protocol."""
    server: str
    """The server's version."""


class ReleaseLeases(TypedDict):
    """Leases under which nothing was started."""
    leases: List[str]
    """The leases."""


class RemoteLimits(TypedDict):
    """How much fits into a call."""
    body: int
    """Bytes of a call."""
    checkpoints: int
    """Checkpoints of a call."""
    claim: int
    """Jobs of a claim."""
    cursor: int
    """Bytes of a cursor."""
    jobs: int
    """Jobs that the checkpoints of a call make."""
    result: int
    """Bytes of a result."""
    results: int
    """Results of a call."""
    wait: Span
    """How long a claim waits at the most."""


class _RemoteWorker(TypedDict):
    free: int
    """How many more it could run."""
    kinds: List[str]
    """The kinds it handles."""
    labels: Dict[str, str]
    """Words of its operator's."""
    queues: List[str]
    """The queues it claims from."""
    sdk: str
    """What it is written with."""
    slots: int
    """How many jobs it runs at once."""


class RemoteWorker(_RemoteWorker, total=False):
    """What a remote worker says of itself."""
    app_version: Union[str, None]
    """The version of the program it is part of."""
    asked_at: Union[Moment, None]
    """When it asked for jobs last."""


Resolve = TypedDict("Resolve", {"as": "Resolution"})
"""Says how an uncertain job ended."""

class Retry(TypedDict, total=False):
    """Runs a job again."""
    afresh: bool
    """Begins anew instead of behind its cursor, which is emptied."""


class RetryFailed(TypedDict, total=False):
    """Runs failed deliveries of a campaign again."""
    fingerprint: Union[str, None]
    """Those of one cause only, as the failures of the campaign name it."""


class RotateKey(TypedDict, total=False):
    """How a key is rotated."""
    overlap: str
    """How long the old key stays good beside the new one, 90 days at most; `0s` ends it now."""


class _RotatedKey(TypedDict):
    created_at: Moment
    """When it was made."""
    created_by: str
    """By whom."""
    id: str
    """Its id, which is also the second part of the key."""
    kinds: List[str]
    """The kinds of jobs its bearer may enqueue; all if there are none."""
    name: str
    """What people call it."""
    permissions: List[Permission]
    """What its bearer may do."""
    queues: List[str]
    """The queues its bearer may enqueue to; all if there are none."""
    token: str
    """The key itself, told this once."""
    replaces: ApiKey
    """The old key, with its end."""


class RotatedKey(_RotatedKey, total=False):
    """A key that was put in the place of another."""
    expires_at: Union[Moment, None]
    """From when on it is worth nothing."""
    last_used_at: Union[Moment, None]
    """When it was last used, to the minute."""
    revoked_at: Union[Moment, None]
    """When it was taken back."""


class _Routine(TypedDict):
    duty: str
    """What it does, in one sentence."""
    failures: int
    """Turns that failed in a row."""
    name: str
    """Its name."""
    ready: bool
    """Whether it makes progress."""
    state: str
    """How it is."""
    turns: int
    """How many turns it has made."""


class Routine(_Routine, total=False):
    """A repeated duty of the server."""
    last_error: Union[str, None]
    """Why the last failed turn failed."""
    last_turn_at: Union[Moment, None]
    """When its last turn ended."""


class RowErrors(TypedDict):
    """Why a row was not accepted."""
    errors: List[FieldError]
    """What is wrong with it."""
    line: int
    """Where it begins; the first line is 1."""


Sample = TypedDict("Sample", {"class": "FailureClass", "code": "str", "job_id": "str", "message": "str"})
"""What went wrong, as one job of a group said it."""

class _SaveCheckpoint(TypedDict):
    cursor: Json
    """The job's own word for where it is, 16 KiB at the most."""
    seq: int
    """The number of the move: one more than the one before, which the claim told."""
    token: str
    """The right to the attempt."""


class SaveCheckpoint(_SaveCheckpoint, total=False):
    """A cursor to be moved."""
    jobs: List[EnqueueJob]
    """The jobs that it makes, written with the cursor or not at all. One that names no trace has that of the job."""
    progress: Union[Progress, None]
    """How far it is, for people."""


class SaveCheckpoints(TypedDict):
    """Cursors to be moved."""
    checkpoints: List[SaveCheckpoint]
    """1 to 100 of them, each in a transaction of its own."""


class _SavedCheckpoint(TypedDict):
    saved: Saved
    """What became of it."""


class SavedCheckpoint(_SavedCheckpoint, total=False):
    """What became of a move."""
    errors: List[FieldError]
    """What is wrong with it, if it is refused."""
    job: Union[str, None]
    """The job, if the token could be read."""
    jobs: List[BatchItem]
    """The jobs it has made, in their order."""
    seq: Union[int, None]
    """The number of the one that stands."""
    stop: Union[str, None]
    """Whether the job is to stop, and why; null if it is not."""


class SavedCheckpoints(TypedDict):
    """What became of the moves, in their order."""
    items: List[SavedCheckpoint]
    """Each of them."""


class _Schedule(TypedDict):
    created_at: Moment
    """When it was made."""
    cron: str
    """The cron line."""
    id: str
    """Its id."""
    lead: Span
    """How long before its time it fires."""
    missed: Missed
    """What becomes of missed times."""
    name: str
    """What it is called."""
    paused: bool
    """Whether a person has stopped it."""
    revision: int
    """1, and one more with each change."""
    time_zone: str
    """The IANA name of the time zone whose clock it goes by."""
    updated_at: Moment
    """When it was last changed."""


class Schedule(_Schedule, total=False):
    """A schedule."""
    campaign: Union[Dict[str, Any], None]
    """The campaign that it makes each time."""
    job: Union[ScheduledJob, None]
    """The job that it makes each time."""
    last_at: Union[Moment, None]
    """The nominal time that it has fired for last."""
    missed_max: Union[int, None]
    """How many missed times are made up for; null unless `missed` is `all`."""
    next_at: Union[Moment, None]
    """The nominal time that it fires for next; null while it is paused."""


class _ScheduledJob(TypedDict):
    kind: str
    """The name that chooses the handler."""


class ScheduledJob(_ScheduledJob, total=False):
    """A job as a schedule makes it each time. It has no time of its own, and no key: each is another job."""
    backoff: Union[Backoff, None]
    """When to try again."""
    delivery: Union[Delivery, None]
    """What to do when the outcome of a call is in doubt; `at_least_once` if nothing is given."""
    expires_after: Union[Span, None]
    """How long after its nominal time it is still of use; what is older is not made, and not run."""
    max_attempts: Union[int, None]
    """How many tries it has; 4 if none is given."""
    payload: Json
    """The handler's arguments, kept to the letter."""
    priority: Union[int, None]
    """Smaller is sooner; 0 if none is given."""
    queue: Union[str, None]
    """The queue it stands in; if none is given `default`, or for a custom kind the queue of its own name."""
    tags: List[str]
    """Words to find it by."""
    timeout: Union[Span, None]
    """How long one attempt may take; 30s if none is given."""


class SelectDeadLetters(TypedDict):
    """Which dead letters a bulk operation is about."""
    filter: DeadLetterFilter
    """The dead letters; `{}` means all of them."""


class _SelectJobs(TypedDict):
    filter: JobSelection
    """The jobs: those of one state."""


class SelectJobs(_SelectJobs, total=False):
    """Which jobs an operation is about, and why."""
    reason: Union[str, None]
    """Why, as canceled jobs and the audit log will say; 500 characters at most."""


class SendToRest(TypedDict, total=False):
    """What may be different about the campaign for the rest of another one."""
    name: Union[str, None]
    """What people call it; the name of the other one with `, the rest` if nothing is given."""
    rate: Union[float, None]
    """How many deliveries may start each second; as with the other one if nothing is given."""


class _Sent(TypedDict):
    recipient_id: str
    """Who."""


class Sent(_Sent, total=False):
    """What became of a notification for one recipient."""
    item_id: Union[str, None]
    """What lies in the inbox."""
    job_id: Union[str, None]
    """The job that brings it."""
    skipped: Union[str, None]
    """Why there is neither: `disabled` or `opted_out`."""


class _SettledResult(TypedDict):
    settled: Settled
    """What became of it."""


class SettledResult(_SettledResult, total=False):
    """What became of a result."""
    errors: List[FieldError]
    """What is wrong with it, if it is refused."""
    job: Union[str, None]
    """The job, if the token could be read."""
    run_at: Union[Moment, None]
    """When it runs again, if it does."""
    state: Union[JobState, None]
    """Where the job went, if the result counts."""


class SettledResults(TypedDict):
    """What became of results, in their order."""
    items: List[SettledResult]
    """Each of them."""


class SignedOut(TypedDict):
    """How many sessions have ended."""
    sessions: int
    """How many."""


class StopJob(TypedDict):
    """A job that is to stop."""
    job: str
    """The job."""
    why: str
    """Why: `canceled`."""


class _TellProgress(TypedDict):
    done: int
    """How much is done."""
    token: str
    """The right to the attempt."""


class TellProgress(_TellProgress, total=False):
    """How far a job has come."""
    note: Union[str, None]
    """A word about it."""
    total: Union[int, None]
    """Of how much, where that is known."""


TellResult = TypedDict("TellResult", {"after": "Union[Span, None]", "class": "Union[FailureClass, None]", "code": "Union[str, None]", "message": "Union[str, None]", "ran": "Union[Span, None]", "result": "Json", "retry_after": "Union[Span, None]", "started_ago": "Union[Span, None]", "token": "str", "verdict": "VerdictWord", "why": "Union[str, None]"}, total=False)
"""How an attempt ended."""

class TellResults(TypedDict):
    """How attempts ended."""
    results: List[TellResult]
    """1 to 1,000 of them."""


class _Trace(TypedDict):
    traceparent: str
    """The trace and the span that asked for the job."""


class Trace(_Trace, total=False):
    """The trace context of whoever asked for a job, after W3C Trace Context."""
    tracestate: Union[str, None]
    """What vendors of tracing add to it, 512 bytes at the most."""


class Translation(TypedDict):
    """What a message says in one language."""
    body: str
    """What there is to say, as the body of the message."""
    title: str
    """One line, as the title of the message."""


class Unread(TypedDict):
    """How many items of an inbox are unread."""
    unread: int
    """How many."""
    version: int
    """Higher with each change of the inbox: of two answers, drop the one with the lower version."""


class _User(TypedDict):
    created_at: Moment
    """When they were added."""
    disabled: bool
    """Whether they are kept out."""
    id: str
    """Their id, as the audit log has it."""
    name: str
    """What they type, and are called by."""
    role: Role
    """What they may do."""


class User(_User, total=False):
    """A user."""
    issuer: Union[str, None]
    """The identity provider that they sign in at, as it calls itself; `null` for whoever has a password here."""
    signed_in_at: Union[Moment, None]
    """When they signed in last."""


class Want(TypedDict):
    """What a worker asks for of one queue."""
    lease: str
    """The lease under which it wants them: `lse_` and a random UUID that it has drawn, used for this want alone."""
    limit: int
    """How many jobs at the most."""
    queue: str
    """The queue."""


class _Worker(TypedDict):
    id: str
    """Its id; a restart is another worker."""
    name: str
    """The machine it runs on, and its process id there."""
    running: int
    """How many it runs now."""
    seen_at: Moment
    """When it was last heard of."""
    slots: Dict[str, int]
    """How many jobs it runs at once, by queue."""
    started_at: Moment
    """When it started."""
    state: Presence
    """How it is."""
    version: str
    """Baton's version."""


class Worker(_Worker, total=False):
    """A worker: one incarnation of a process that runs jobs."""
    drain: bool
    """Whether somebody has asked it to take nothing new."""
    left_at: Union[Moment, None]
    """When it said goodbye."""
    remote: Union[RemoteWorker, None]
    """What a remote worker says besides; null for one inside a server."""


__all__ = [
    "Action",
    "AddUser",
    "Alive",
    "ApiKey",
    "ApiKeyList",
    "Attempt",
    "AttemptList",
    "Audience",
    "AudiencePreview",
    "AuditAction",
    "AuditEntry",
    "AuditEntryList",
    "Backoff",
    "Batch",
    "BatchItem",
    "BeatWorker",
    "Campaign",
    "CampaignApproval",
    "CampaignList",
    "CampaignPreview",
    "CampaignProgress",
    "CampaignRest",
    "CampaignSample",
    "CampaignState",
    "Cancel",
    "ChangeCampaign",
    "ChangeQueue",
    "ChangeSchedule",
    "ChangeUser",
    "ChangeWorker",
    "ClaimJobs",
    "ClaimedBatch",
    "ClaimedCheckpoint",
    "ClaimedJob",
    "ClaimedJobs",
    "CommandCampaign",
    "Component",
    "CreateCampaign",
    "CreateKey",
    "CreateSchedule",
    "CreatedKey",
    "DeadLetterFilter",
    "DeadLetters",
    "DeadLettersList",
    "Delivery",
    "EnqueueBatch",
    "EnqueueJob",
    "Event",
    "EventList",
    "EventPage",
    "Explanation",
    "Failure",
    "FailureClass",
    "FieldError",
    "Fire",
    "FireList",
    "GivenBack",
    "Import",
    "ImportStop",
    "InboxItem",
    "InboxItemList",
    "InboxToken",
    "Jitter",
    "Job",
    "JobList",
    "JobSelection",
    "JobState",
    "Json",
    "Kind",
    "KindList",
    "Late",
    "MakeInboxToken",
    "Message",
    "MessageAction",
    "Missed",
    "Moment",
    "News",
    "NextTime",
    "NextTimeList",
    "Node",
    "NodeClock",
    "NodeList",
    "NodeState",
    "NotReady",
    "Nothing",
    "Notification",
    "Notify",
    "Operation",
    "OperationList",
    "OperationState",
    "Outcome",
    "Permission",
    "Presence",
    "PreviewAudience",
    "Problem",
    "Progress",
    "PutRecipient",
    "Queue",
    "QueueList",
    "Readiness",
    "Recipient",
    "RecipientList",
    "RecipientRow",
    "RegisterWorker",
    "Registered",
    "ReleaseLeases",
    "RemoteLimits",
    "RemoteWorker",
    "Resolution",
    "Resolve",
    "Retry",
    "RetryFailed",
    "Role",
    "RotateKey",
    "RotatedKey",
    "Routine",
    "RowErrors",
    "Sample",
    "SaveCheckpoint",
    "SaveCheckpoints",
    "Saved",
    "SavedCheckpoint",
    "SavedCheckpoints",
    "Schedule",
    "ScheduleList",
    "ScheduledJob",
    "SelectDeadLetters",
    "SelectJobs",
    "SendToRest",
    "Sent",
    "Settled",
    "SettledResult",
    "SettledResults",
    "SignedOut",
    "Span",
    "Stage",
    "StopJob",
    "Strategy",
    "TellProgress",
    "TellResult",
    "TellResults",
    "Trace",
    "Translation",
    "Unread",
    "User",
    "UserList",
    "VerdictWord",
    "Want",
    "Worker",
    "WorkerList",
]
