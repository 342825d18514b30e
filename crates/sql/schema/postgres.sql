-- As PostgreSQL 15 tells it.

CREATE DOMAIN job_delivery AS text
	CONSTRAINT job_delivery_check CHECK ((VALUE = ANY (ARRAY['at_least_once'::text, 'at_most_once'::text])));

CREATE DOMAIN job_priority AS smallint
	CONSTRAINT job_priority_check CHECK (((VALUE >= '-100'::integer) AND (VALUE <= 100)));

CREATE DOMAIN job_timeout AS bigint
	CONSTRAINT job_timeout_check CHECK ((VALUE > 0));

CREATE DOMAIN one_or_more AS integer
	CONSTRAINT one_or_more_check CHECK ((VALUE >= 1));

CREATE TYPE uuid_range AS RANGE (
    subtype = uuid,
    multirange_type_name = uuid_multirange
);

CREATE FUNCTION baton_enqueue(job json) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $_$
<<asked>>
DECLARE
  kind CONSTANT text := job ->> 'kind';
  key CONSTANT text := job ->> 'key';
  payload CONSTANT text := coalesce((job -> 'payload')::text, '{}');
  now_us CONSTANT bigint := extract(epoch FROM clock_timestamp()) * 1000000;
  bytes bytea := uuid_send(gen_random_uuid());
  id uuid;
  is_staged boolean := false;
  holder record;
BEGIN
  IF job IS NULL OR json_typeof(job) <> 'object' OR coalesce(json_typeof(job -> 'kind'), '') <> 'string' THEN
    RAISE invalid_parameter_value USING MESSAGE = 'a job is an object with a kind, such as {"kind": "resize", "payload": {"image": 7}}';
  END IF;
  IF kind !~ '^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$' THEN
    RAISE invalid_parameter_value USING MESSAGE = format('kind %s: must be 1 to 64 letters, digits, ''.'', ''_'', '':'' or ''-'', starting with a letter or digit', to_json(kind));
  END IF;
  IF json_typeof(job -> 'key') NOT IN ('string', 'null') OR octet_length(key) NOT BETWEEN 1 AND 255 THEN
    RAISE invalid_parameter_value USING MESSAGE = format('key %s: must be a text of 1 to 255 bytes', job -> 'key');
  END IF;
  IF octet_length(job::text) > 524288 THEN
    RAISE invalid_parameter_value USING MESSAGE = format('a job can be 512 KiB at most and this one of the kind %s has %s bytes: keep what is large elsewhere, and say where in the payload', to_json(kind), octet_length(job::text));
  END IF;
  -- A UUID of version 7: its first 48 bits are milliseconds.
  bytes := overlay(bytes PLACING substring(int8send(now_us / 1000) FROM 3) FROM 1 FOR 6);
  id := encode(set_byte(bytes, 6, get_byte(bytes, 6) & 15 | 112), 'hex');
  FOR _ IN 1..10 LOOP
    SELECT k.job_id AS id, j.kind, j.payload INTO holder
    FROM job_keys k LEFT JOIN jobs j ON j.id = k.job_id WHERE k.key = asked.key;
    IF FOUND THEN
      DELETE FROM staged_jobs s WHERE s.id = asked.id AND is_staged;
      is_staged := false;
    ELSIF is_staged THEN
      PERFORM pg_notify('baton', 'staged');
      RETURN 'job_' || id;
    ELSE
      INSERT INTO staged_jobs VALUES (asked.id, asked.key, job::text, now_us) ON CONFLICT DO NOTHING;
      is_staged := FOUND;
      CONTINUE WHEN is_staged;
      SELECT s.id, s.job::json ->> 'kind' AS kind, coalesce((s.job::json -> 'payload')::text, '{}') AS payload INTO holder
      FROM staged_jobs s WHERE s.key = asked.key AND s.refused IS NULL;
    END IF;
    IF holder.id IS NOT NULL AND holder.kind = kind AND holder.payload = payload THEN
      RETURN 'job_' || holder.id;
    ELSIF holder.id IS NOT NULL THEN
      RAISE unique_violation USING MESSAGE = format('the key %s belongs to job_%s, which was asked for with other content', to_json(key), holder.id);
    END IF;
  END LOOP;
  RAISE unique_violation USING MESSAGE = format('the key %s changes hands all the time; try again', to_json(key));
END $_$;

CREATE FUNCTION incarnation(history oid) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
  RETURN (SELECT s.system_identifier FROM pg_control_system() s)
    || '/' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)
    || '/' || (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
    || '/' || history;
EXCEPTION WHEN OTHERS THEN
  RETURN NULL;
END
$$;

CREATE FUNCTION pass_over_success() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF EXISTS (
    SELECT 1 FROM (SELECT last, jobs FROM success_batches WHERE first <= NEW.job_id ORDER BY first DESC LIMIT 1) k
    WHERE k.last >= NEW.job_id AND k.jobs[width_bucket(NEW.job_id, k.jobs)] = NEW.job_id)
  THEN
    RETURN NULL;
  END IF;
  RETURN NEW;
END $$;

CREATE FUNCTION places_in(held uuid[], ended uuid[]) RETURNS int4multirange
    LANGUAGE plpgsql IMMUTABLE
    AS $$
BEGIN
  RETURN (
    SELECT coalesce(range_agg(int4range(p.place, p.place + 1)), '{}')
    FROM (
      -- A slice, for the array as it is kept here would be copied for each of them.
      SELECT s.job, l.jobs, width_bucket(s.job, l.jobs) AS place
      FROM (SELECT held[1 :] AS jobs OFFSET 0) l CROSS JOIN unnest(ended) AS s (job)
    ) p
    WHERE p.jobs[p.place] = p.job);
END $$;

CREATE TABLE api_keys (
    id uuid NOT NULL,
    name text NOT NULL,
    digest text NOT NULL COLLATE pg_catalog."C",
    permissions text NOT NULL,
    kinds text NOT NULL,
    queues text NOT NULL,
    created_at bigint NOT NULL,
    created_by text NOT NULL COLLATE pg_catalog."C",
    expires_at bigint,
    revoked_at bigint,
    last_used_at bigint,
    CONSTRAINT api_keys_digest_check CHECK ((length(digest) = 64)),
    CONSTRAINT api_keys_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
    CONSTRAINT api_keys_permissions_check CHECK ((permissions <> '[]'::text))
);

CREATE TABLE approvals (
    campaign uuid NOT NULL,
    recipients bigint NOT NULL,
    asked_by text NOT NULL COLLATE pg_catalog."C",
    asked_name text NOT NULL,
    person text NOT NULL COLLATE pg_catalog."C",
    asked_at bigint NOT NULL,
    approved_by text COLLATE pg_catalog."C",
    approved_name text,
    approved_at bigint,
    CONSTRAINT approvals_check CHECK ((((approved_at IS NULL) = (approved_by IS NULL)) AND ((approved_at IS NULL) = (approved_name IS NULL)))),
    CONSTRAINT approvals_recipients_check CHECK ((recipients >= 0))
);

CREATE TABLE attempts (
    job_id uuid NOT NULL,
    attempt integer NOT NULL,
    run integer NOT NULL,
    lease_id uuid NOT NULL,
    worker_id uuid NOT NULL,
    queued_at bigint NOT NULL,
    claimed_at bigint NOT NULL,
    started_at bigint,
    ended_at bigint NOT NULL,
    cancel_asked_at bigint,
    outcome text NOT NULL,
    state text NOT NULL,
    reason text,
    next_run_at bigint,
    tries integer NOT NULL,
    losses integer NOT NULL,
    class text,
    code text,
    message text,
    fingerprint text,
    result text,
    CONSTRAINT attempts_attempt_check CHECK ((attempt >= 1)),
    CONSTRAINT attempts_check CHECK (((outcome <> 'succeeded'::text) OR (state = 'succeeded'::text))),
    CONSTRAINT attempts_check1 CHECK (((next_run_at IS NOT NULL) = (state = ANY (ARRAY['pending'::text, 'queued'::text, 'retry_wait'::text])))),
    CONSTRAINT attempts_outcome_check CHECK ((outcome = ANY (ARRAY['succeeded'::text, 'skipped'::text, 'failed'::text, 'lost'::text, 'given_back'::text, 'snoozed'::text, 'throttled'::text, 'canceled'::text, 'uncertain'::text]))),
    CONSTRAINT attempts_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'queued'::text, 'retry_wait'::text, 'succeeded'::text, 'failed'::text, 'canceled'::text, 'skipped'::text, 'uncertain'::text])))
);

CREATE TABLE audit_log (
    at bigint NOT NULL,
    id uuid NOT NULL,
    principal text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    action text NOT NULL COLLATE pg_catalog."C",
    object text NOT NULL COLLATE pg_catalog."C",
    was text,
    to_be text,
    reason text,
    n bigint,
    request_id text,
    CONSTRAINT audit_log_action_check CHECK ((action <> ''::text)),
    CONSTRAINT audit_log_n_check CHECK ((n >= 0)),
    CONSTRAINT audit_log_principal_check CHECK ((principal <> ''::text))
);

CREATE TABLE campaigns (
    id uuid NOT NULL,
    key text COLLATE pg_catalog."C",
    content_hash text NOT NULL,
    plan text NOT NULL,
    lane text NOT NULL COLLATE pg_catalog."C",
    state text NOT NULL,
    why text,
    epoch bigint DEFAULT 0 NOT NULL,
    start_at bigint NOT NULL,
    cursor bigint DEFAULT 0 NOT NULL,
    until bigint,
    expected bigint,
    expanded bigint DEFAULT 0 NOT NULL,
    items bigint DEFAULT 0 NOT NULL,
    chunks bigint DEFAULT 0 NOT NULL,
    holder uuid,
    held_until bigint,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    began_at bigint,
    completed_at bigint,
    finished_at bigint,
    losses integer DEFAULT 0 NOT NULL,
    lost_at bigint,
    CONSTRAINT campaigns_check CHECK ((until >= cursor)),
    CONSTRAINT campaigns_check1 CHECK (((holder IS NULL) = (held_until IS NULL))),
    CONSTRAINT campaigns_check2 CHECK (((state <> 'expanding'::text) OR ((until IS NOT NULL) AND (completed_at IS NULL)))),
    CONSTRAINT campaigns_check3 CHECK (((state <> ALL (ARRAY['sending'::text, 'done'::text])) OR ((completed_at IS NOT NULL) AND (cursor = until)))),
    CONSTRAINT campaigns_check4 CHECK (((state <> 'done'::text) OR (finished_at IS NOT NULL))),
    CONSTRAINT campaigns_cursor_check CHECK ((cursor >= 0)),
    CONSTRAINT campaigns_epoch_check CHECK ((epoch >= 0)),
    CONSTRAINT campaigns_expanded_check CHECK ((expanded >= 0)),
    CONSTRAINT campaigns_state_check CHECK ((state = ANY (ARRAY['scheduled'::text, 'expanding'::text, 'sending'::text, 'done'::text, 'stopped'::text, 'canceled'::text])))
)
WITH (fillfactor='50');

CREATE TABLE cancellations (
    job_id uuid NOT NULL,
    asked_at bigint NOT NULL,
    reason text
);

CREATE TABLE checkpoints (
    job_id uuid NOT NULL,
    seq bigint NOT NULL,
    era bigint NOT NULL,
    attempt integer NOT NULL,
    lease_id uuid,
    cursor text,
    progress text,
    moved boolean NOT NULL,
    at bigint NOT NULL,
    told_at bigint NOT NULL,
    CONSTRAINT checkpoints_attempt_check CHECK ((attempt >= 0)),
    CONSTRAINT checkpoints_check CHECK (((seq > 0) OR ((cursor IS NULL) AND (lease_id IS NULL)))),
    CONSTRAINT checkpoints_check1 CHECK (((cursor IS NOT NULL) OR (NOT moved))),
    CONSTRAINT checkpoints_cursor_check CHECK ((octet_length(cursor) <= 16384)),
    CONSTRAINT checkpoints_era_check CHECK ((era >= 1)),
    CONSTRAINT checkpoints_progress_check CHECK ((octet_length(progress) <= 2048)),
    CONSTRAINT checkpoints_seq_check CHECK ((seq >= 0))
)
WITH (fillfactor='50');

CREATE TABLE dead_letter_groups (
    fingerprint text NOT NULL,
    kind text NOT NULL,
    reason text NOT NULL,
    class text NOT NULL,
    code text NOT NULL,
    message text NOT NULL,
    sample_job uuid NOT NULL,
    n bigint NOT NULL,
    first_at bigint NOT NULL,
    last_at bigint NOT NULL
);

CREATE TABLE erasures (
    id uuid NOT NULL,
    number bigint,
    recipient text COLLATE pg_catalog."C",
    quoted text,
    quoted_within text,
    addresses text,
    stage text,
    cursor text DEFAULT ''::text NOT NULL,
    done bigint DEFAULT 0 NOT NULL,
    created_at bigint NOT NULL,
    finished_at bigint,
    CONSTRAINT erasures_check CHECK (((finished_at IS NULL) = (stage IS NOT NULL))),
    CONSTRAINT erasures_check1 CHECK (((finished_at IS NULL) = ((recipient IS NOT NULL) AND (quoted IS NOT NULL) AND (quoted_within IS NOT NULL) AND (addresses IS NOT NULL)))),
    CONSTRAINT erasures_done_check CHECK ((done >= 0)),
    CONSTRAINT erasures_stage_check CHECK ((stage = ANY (ARRAY['schedules'::text, 'deliveries'::text, 'campaigns'::text, 'notifications'::text, 'facts'::text, 'events'::text, 'dead_letters'::text])))
);

CREATE TABLE facts (
    id bigint NOT NULL,
    last_seq bigint,
    n one_or_more NOT NULL,
    type text NOT NULL,
    queue text COLLATE pg_catalog."C",
    from_state text,
    to_state text,
    at bigint NOT NULL,
    subject text,
    subjects uuid[],
    attempts integer[],
    data text,
    items text,
    CONSTRAINT facts_check CHECK (((num_nulls(subject, subjects) = 1) AND (cardinality(subjects) = (n)::integer)))
);
ALTER TABLE ONLY facts ALTER COLUMN subjects SET STORAGE EXTERNAL;

ALTER TABLE facts ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME facts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE finished (
    job_id uuid NOT NULL,
    state text NOT NULL,
    reason text,
    finished_at bigint NOT NULL,
    queued_at bigint,
    attempt integer NOT NULL,
    tries integer NOT NULL,
    losses integer NOT NULL,
    run integer NOT NULL,
    fingerprint text,
    discarded_at bigint,
    CONSTRAINT finished_check CHECK (((state <> 'failed'::text) OR ((reason IS NOT NULL) AND (fingerprint IS NOT NULL)))),
    CONSTRAINT finished_state_check CHECK ((state = ANY (ARRAY['succeeded'::text, 'failed'::text, 'canceled'::text, 'skipped'::text, 'uncertain'::text])))
);

CREATE TABLE fires (
    schedule_id uuid NOT NULL,
    at bigint NOT NULL,
    recorded_at bigint NOT NULL,
    made text,
    by_hand boolean NOT NULL,
    missed_until bigint,
    missed integer,
    reason text,
    CONSTRAINT fires_check CHECK (((made IS NULL) = (missed IS NOT NULL))),
    CONSTRAINT fires_check1 CHECK ((((missed IS NULL) = (missed_until IS NULL)) AND ((missed IS NULL) = (reason IS NULL)))),
    CONSTRAINT fires_check2 CHECK ((missed_until >= at)),
    CONSTRAINT fires_missed_check CHECK ((missed >= 1))
);

CREATE TABLE leases (
    id uuid NOT NULL,
    worker_id uuid NOT NULL,
    queue text NOT NULL COLLATE pg_catalog."C",
    until bigint NOT NULL,
    claimed_at bigint NOT NULL,
    open one_or_more NOT NULL,
    jobs uuid[] NOT NULL,
    attempts integer[],
    tries integer[],
    losses integer[],
    runs integer[],
    since bigint[] NOT NULL,
    done int4multirange DEFAULT '{}'::int4multirange NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.0', autovacuum_vacuum_threshold='1000');
ALTER TABLE ONLY leases ALTER COLUMN jobs SET STORAGE EXTERNAL;

CREATE TABLE success_batches (
    first uuid NOT NULL,
    last uuid NOT NULL,
    n integer NOT NULL,
    worker_id uuid NOT NULL,
    lease_id uuid NOT NULL,
    claimed_at bigint NOT NULL,
    ended_at bigint NOT NULL,
    jobs uuid[] NOT NULL,
    queued_ats bigint[] NOT NULL,
    started_ats bigint[] NOT NULL,
    results text[],
    CONSTRAINT success_batches_check CHECK (((cardinality(jobs) = n) AND (jobs[1] = first) AND (jobs[n] = last))),
    CONSTRAINT success_batches_check1 CHECK (((cardinality(queued_ats) = n) AND (cardinality(started_ats) = n) AND (cardinality(results) = n))),
    CONSTRAINT success_batches_n_check CHECK ((n >= 1))
);
ALTER TABLE ONLY success_batches ALTER COLUMN jobs SET STORAGE EXTERNAL;
ALTER TABLE ONLY success_batches ALTER COLUMN queued_ats SET STORAGE EXTERNAL;
ALTER TABLE ONLY success_batches ALTER COLUMN started_ats SET STORAGE EXTERNAL;

CREATE TABLE successes (
    job_id uuid NOT NULL,
    settlement_id bigint NOT NULL,
    lease smallint NOT NULL,
    queued_at bigint NOT NULL,
    started_at bigint,
    result text,
    CONSTRAINT successes_lease_check CHECK ((lease >= 1))
);

CREATE VIEW held AS
 SELECT u.job_id,
    l.id AS lease_id,
    l.worker_id,
    l.queue,
    l.until,
    l.claimed_at,
    COALESCE(u.attempt, 1) AS attempt,
    COALESCE(u.tries, 1) AS tries,
    COALESCE(u.losses, 0) AS losses,
    COALESCE(u.run, 1) AS run,
    u.since
   FROM ((leases l
     CROSS JOIN LATERAL ( SELECT ((cardinality(l.jobs) - (l.open)::integer) = COALESCE(sum((upper(r.r) - lower(r.r))), (0)::bigint)) AS is_all
           FROM unnest(l.done) r(r)) d)
     CROSS JOIN LATERAL UNNEST(l.jobs, l.attempts, l.tries, l.losses, l.runs, l.since) WITH ORDINALITY u(job_id, attempt, tries, losses, run, since, place))
  WHERE
        CASE
            WHEN d.is_all THEN (NOT (l.done @> (u.place)::integer))
            ELSE ((NOT (EXISTS ( SELECT 1
               FROM attempts a
              WHERE ((a.job_id = u.job_id) AND (a.attempt = COALESCE(u.attempt, 1)))
             OFFSET 0))) AND (NOT (EXISTS ( SELECT 1
               FROM successes s
              WHERE (s.job_id = u.job_id)
             OFFSET 0))) AND (NOT (EXISTS ( SELECT 1
               FROM ( SELECT success_batches.last,
                        success_batches.jobs
                       FROM success_batches
                      WHERE (success_batches.first <= u.job_id)
                      ORDER BY success_batches.first DESC
                     LIMIT 1) k
              WHERE ((k.last >= u.job_id) AND (k.jobs[width_bucket(u.job_id, k.jobs)] = u.job_id))
             OFFSET 0))))
        END;

CREATE TABLE hint_generation (
    id smallint NOT NULL,
    number bigint NOT NULL,
    incarnation text NOT NULL,
    CONSTRAINT hint_generation_id_check CHECK ((id = 1)),
    CONSTRAINT hint_generation_number_check CHECK ((number >= 0))
);

CREATE TABLE inbox (
    recipient bigint NOT NULL,
    seq bigint NOT NULL,
    id uuid NOT NULL,
    campaign_id uuid,
    notification_id uuid,
    category text NOT NULL,
    title text NOT NULL,
    body text NOT NULL,
    data text,
    created_at bigint NOT NULL,
    read_at bigint,
    CONSTRAINT inbox_check CHECK (((campaign_id IS NULL) OR (notification_id IS NULL))),
    CONSTRAINT inbox_seq_check CHECK ((seq >= 1))
);

CREATE TABLE inboxes (
    recipient bigint NOT NULL,
    unread bigint NOT NULL,
    version bigint NOT NULL,
    CONSTRAINT inboxes_check CHECK ((version >= unread)),
    CONSTRAINT inboxes_unread_check CHECK ((unread >= 0))
)
WITH (fillfactor='70');

CREATE TABLE installation (
    id smallint NOT NULL,
    secret text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT installation_id_check CHECK ((id = 1)),
    CONSTRAINT installation_secret_check CHECK ((length(secret) = 64))
);

CREATE TABLE job_keys (
    key text NOT NULL COLLATE pg_catalog."C",
    job_id uuid NOT NULL,
    content_hash text NOT NULL,
    created_at bigint NOT NULL,
    ended_as text,
    ended_at bigint,
    CONSTRAINT job_keys_check CHECK ((((ended_as IS NULL) = (ended_at IS NULL)) AND (ended_as = ANY (ARRAY['succeeded'::text, 'failed'::text, 'canceled'::text, 'skipped'::text, 'uncertain'::text]))))
);

CREATE TABLE job_operations (
    id uuid NOT NULL,
    action text NOT NULL,
    filter text NOT NULL,
    reason text,
    total bigint NOT NULL,
    at_least boolean NOT NULL,
    done bigint DEFAULT 0 NOT NULL,
    skipped bigint DEFAULT 0 NOT NULL,
    cursor uuid DEFAULT 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid NOT NULL,
    created_at bigint NOT NULL,
    finished_at bigint,
    stopped boolean DEFAULT false NOT NULL,
    CONSTRAINT job_operations_action_check CHECK ((action = ANY (ARRAY['cancel'::text, 'retry'::text])))
);

CREATE TABLE jobs (
    id uuid NOT NULL,
    key text COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    queue text NOT NULL COLLATE pg_catalog."C",
    priority job_priority NOT NULL,
    payload text NOT NULL,
    run_at bigint NOT NULL,
    max_attempts one_or_more NOT NULL,
    backoff text NOT NULL,
    timeout_us job_timeout NOT NULL,
    expires_at bigint,
    delivery job_delivery NOT NULL,
    tags text NOT NULL,
    created_at bigint NOT NULL,
    trace text
);

CREATE TABLE late_results (
    job_id uuid NOT NULL,
    attempt integer NOT NULL,
    outcome text NOT NULL,
    at bigint NOT NULL,
    adopted boolean NOT NULL,
    result text
);

CREATE TABLE ready (
    queue text NOT NULL COLLATE pg_catalog."C",
    priority smallint NOT NULL,
    run_at bigint NOT NULL,
    job_id uuid NOT NULL,
    expires_at bigint,
    since bigint NOT NULL,
    attempt integer NOT NULL,
    tries integer NOT NULL,
    losses integer NOT NULL,
    run integer NOT NULL,
    CONSTRAINT ready_attempt_check CHECK ((attempt >= 0)),
    CONSTRAINT ready_losses_check CHECK ((losses >= 0)),
    CONSTRAINT ready_run_check CHECK ((run >= 1)),
    CONSTRAINT ready_tries_check CHECK ((tries >= 0))
)
WITH (autovacuum_vacuum_scale_factor='0.0', autovacuum_vacuum_threshold='20000');

CREATE TABLE ready_batches (
    first uuid NOT NULL,
    queue text NOT NULL COLLATE pg_catalog."C",
    priority smallint NOT NULL,
    run_at bigint NOT NULL,
    expires_at bigint,
    since bigint NOT NULL,
    n integer NOT NULL,
    taken integer DEFAULT 0 NOT NULL,
    jobs uuid[] NOT NULL,
    payloads text[] NOT NULL,
    CONSTRAINT ready_batches_check CHECK (((taken >= 0) AND (taken < n))),
    CONSTRAINT ready_batches_check1 CHECK (((cardinality(jobs) = n) AND (jobs[1] = first))),
    CONSTRAINT ready_batches_check2 CHECK ((cardinality(payloads) = n))
)
WITH (fillfactor='50');
ALTER TABLE ONLY ready_batches ALTER COLUMN jobs SET STORAGE EXTERNAL;
ALTER TABLE ONLY ready_batches ALTER COLUMN payloads SET STORAGE EXTERNAL;

CREATE TABLE settlements (
    id bigint NOT NULL,
    worker_id uuid NOT NULL,
    leases uuid[] NOT NULL,
    claimed_at bigint[] NOT NULL,
    ended_at bigint NOT NULL,
    CONSTRAINT settlements_check CHECK ((cardinality(leases) = cardinality(claimed_at)))
);

CREATE TABLE waiting (
    job_id uuid NOT NULL,
    state text NOT NULL,
    queue text NOT NULL COLLATE pg_catalog."C",
    priority smallint NOT NULL,
    run_at bigint NOT NULL,
    expires_at bigint,
    since bigint NOT NULL,
    attempt integer NOT NULL,
    tries integer NOT NULL,
    losses integer NOT NULL,
    run integer NOT NULL,
    CONSTRAINT waiting_attempt_check CHECK ((attempt >= 0)),
    CONSTRAINT waiting_check CHECK (((state = 'pending'::text) OR (attempt >= 1))),
    CONSTRAINT waiting_losses_check CHECK ((losses >= 0)),
    CONSTRAINT waiting_run_check CHECK ((run >= 1)),
    CONSTRAINT waiting_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'retry_wait'::text]))),
    CONSTRAINT waiting_tries_check CHECK ((tries >= 0))
)
WITH (autovacuum_vacuum_scale_factor='0.0', autovacuum_vacuum_threshold='20000');

CREATE VIEW job_places AS
 SELECT j.id,
    j.key,
    j.kind,
    j.queue,
        CASE
            WHEN ((s.job_id IS NOT NULL) OR (k.ended_at IS NOT NULL)) THEN 'succeeded'::text
            WHEN (w.job_id IS NOT NULL) THEN w.state
            WHEN ((r.job_id IS NOT NULL) OR (b.job_id IS NOT NULL)) THEN 'queued'::text
            WHEN (f.job_id IS NOT NULL) THEN f.state
            ELSE 'running'::text
        END AS state,
    f.reason,
    j.priority,
    j.payload,
    COALESCE(w.run_at, r.run_at, b.run_at, LEAST(COALESCE(( SELECT a_1.next_run_at
           FROM attempts a_1
          WHERE ((a_1.job_id = j.id) AND (a_1.next_run_at IS NOT NULL))
          ORDER BY a_1.attempt DESC
         LIMIT 1), j.run_at), COALESCE(h.since, '9223372036854775807'::bigint))) AS run_at,
    COALESCE(w.attempt, r.attempt, f.attempt, h.attempt,
        CASE
            WHEN ((s.job_id IS NOT NULL) OR (k.ended_at IS NOT NULL)) THEN 1
            ELSE NULL::integer
        END, 0) AS attempt,
    COALESCE(w.tries, r.tries, f.tries, h.tries,
        CASE
            WHEN ((s.job_id IS NOT NULL) OR (k.ended_at IS NOT NULL)) THEN 1
            ELSE NULL::integer
        END, 0) AS tries,
    j.max_attempts,
    COALESCE(w.losses, r.losses, f.losses, h.losses, 0) AS losses,
    COALESCE(w.run, r.run, f.run, h.run, 1) AS run,
    j.backoff,
    j.timeout_us,
    j.expires_at,
    j.delivery,
    j.tags,
    a.class,
    a.code,
    a.message,
        CASE
            WHEN (s.job_id IS NOT NULL) THEN s.result
            WHEN (k.ended_at IS NOT NULL) THEN k.result
            WHEN (f.state = 'succeeded'::text) THEN COALESCE(a.result, ( SELECT t_1.result
               FROM late_results t_1
              WHERE ((t_1.job_id = j.id) AND t_1.adopted)
              ORDER BY t_1.attempt DESC
             LIMIT 1))
            ELSE NULL::text
        END AS result,
    j.created_at,
    COALESCE(w.since, r.since, b.since, f.finished_at, t.ended_at, k.ended_at, h.claimed_at, j.created_at) AS updated_at,
    COALESCE(f.finished_at, t.ended_at, k.ended_at) AS finished_at,
    h.worker_id,
    h.until,
    c.asked_at
   FROM ((((((((((jobs j
     LEFT JOIN successes s ON ((s.job_id = j.id)))
     LEFT JOIN settlements t ON ((t.id = s.settlement_id)))
     LEFT JOIN LATERAL ( SELECT x.ended_at,
            x.results[x.place] AS result
           FROM ( SELECT y.first,
                    y.last,
                    y.n,
                    y.worker_id,
                    y.lease_id,
                    y.claimed_at,
                    y.ended_at,
                    y.jobs,
                    y.queued_ats,
                    y.started_ats,
                    y.results,
                    width_bucket(j.id, y.jobs) AS place
                   FROM ( SELECT success_batches.first,
                            success_batches.last,
                            success_batches.n,
                            success_batches.worker_id,
                            success_batches.lease_id,
                            success_batches.claimed_at,
                            success_batches.ended_at,
                            success_batches.jobs,
                            success_batches.queued_ats,
                            success_batches.started_ats,
                            success_batches.results
                           FROM success_batches
                          WHERE ((success_batches.first <= j.id) AND (s.job_id IS NULL))
                          ORDER BY success_batches.first DESC
                         LIMIT 1) y
                  WHERE (y.last >= j.id)
                 OFFSET 0) x
          WHERE (x.jobs[x.place] = j.id)
         OFFSET 0) k ON (true))
     LEFT JOIN LATERAL ( SELECT waiting.job_id,
            waiting.state,
            waiting.queue,
            waiting.priority,
            waiting.run_at,
            waiting.expires_at,
            waiting.since,
            waiting.attempt,
            waiting.tries,
            waiting.losses,
            waiting.run
           FROM waiting
          WHERE (waiting.job_id = j.id)
         OFFSET 0) w ON (true))
     LEFT JOIN LATERAL ( SELECT ready.queue,
            ready.priority,
            ready.run_at,
            ready.job_id,
            ready.expires_at,
            ready.since,
            ready.attempt,
            ready.tries,
            ready.losses,
            ready.run
           FROM ready
          WHERE (ready.job_id = j.id)
         OFFSET 0) r ON (true))
     LEFT JOIN finished f ON ((f.job_id = j.id)))
     LEFT JOIN cancellations c ON ((c.job_id = j.id)))
     LEFT JOIN LATERAL ( SELECT j.id AS job_id,
            x.run_at,
            x.since
           FROM ( SELECT ready_batches.first,
                    ready_batches.queue,
                    ready_batches.priority,
                    ready_batches.run_at,
                    ready_batches.expires_at,
                    ready_batches.since,
                    ready_batches.n,
                    ready_batches.taken,
                    ready_batches.jobs,
                    ready_batches.payloads
                   FROM ready_batches
                  WHERE ((ready_batches.first <= j.id) AND (s.job_id IS NULL) AND (k.ended_at IS NULL) AND (w.job_id IS NULL) AND (r.job_id IS NULL) AND (f.job_id IS NULL))
                  ORDER BY ready_batches.first DESC
                 LIMIT 1) x
          WHERE (j.id = ANY (x.jobs[(x.taken + 1):]))
         OFFSET 0) b ON (true))
     LEFT JOIN LATERAL ( SELECT held.job_id,
            held.lease_id,
            held.worker_id,
            held.queue,
            held.until,
            held.claimed_at,
            held.attempt,
            held.tries,
            held.losses,
            held.run,
            held.since
           FROM held
          WHERE ((held.job_id = j.id) AND (s.job_id IS NULL) AND (k.ended_at IS NULL) AND (w.job_id IS NULL) AND (r.job_id IS NULL) AND (f.job_id IS NULL) AND (b.job_id IS NULL))
         OFFSET 0) h ON (true))
     LEFT JOIN LATERAL ( SELECT x.class,
            x.code,
            x.message,
            x.result
           FROM attempts x
          WHERE (x.job_id = j.id)
          ORDER BY x.attempt DESC
         LIMIT 1) a ON (true));

CREATE TABLE leadership (
    id smallint NOT NULL,
    node uuid,
    until bigint NOT NULL,
    CONSTRAINT leadership_id_check CHECK ((id = 1))
);

CREATE TABLE markers (
    minute bigint NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    n bigint NOT NULL,
    subject text,
    version text,
    CONSTRAINT markers_n_check CHECK ((n > 0))
);

CREATE TABLE nodes (
    id uuid NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    address text,
    version text NOT NULL,
    roles text NOT NULL,
    started_at bigint NOT NULL,
    seen_at bigint NOT NULL,
    clock_ahead_us bigint,
    clock_bound_us bigint,
    CONSTRAINT nodes_check CHECK (((clock_ahead_us IS NULL) = (clock_bound_us IS NULL))),
    CONSTRAINT nodes_clock_bound_us_check CHECK ((clock_bound_us >= 0))
)
WITH (fillfactor='50');

CREATE TABLE notifications (
    id uuid NOT NULL,
    key text COLLATE pg_catalog."C",
    content_hash text NOT NULL,
    sent text NOT NULL,
    created_at bigint NOT NULL
);

CREATE TABLE operations (
    id uuid NOT NULL,
    action text NOT NULL,
    filter text NOT NULL,
    total bigint NOT NULL,
    done bigint DEFAULT 0 NOT NULL,
    cursor uuid DEFAULT '00000000-0000-0000-0000-000000000000'::uuid NOT NULL,
    created_at bigint NOT NULL,
    finished_at bigint,
    stopped boolean DEFAULT false NOT NULL,
    CONSTRAINT operations_action_check CHECK ((action = ANY (ARRAY['retry'::text, 'discard'::text])))
);

CREATE TABLE queue_counts (
    queue text NOT NULL COLLATE pg_catalog."C",
    state text NOT NULL,
    n bigint NOT NULL
);

CREATE TABLE queue_minutes (
    queue text NOT NULL COLLATE pg_catalog."C",
    minute bigint NOT NULL,
    n bigint NOT NULL
);

CREATE TABLE queues (
    name text NOT NULL COLLATE pg_catalog."C",
    paused boolean DEFAULT false NOT NULL,
    max_running integer,
    rate double precision,
    tokens double precision DEFAULT 0 NOT NULL,
    tokens_at bigint DEFAULT 0 NOT NULL,
    created_at bigint NOT NULL,
    worked_by text DEFAULT 'server'::text NOT NULL,
    CONSTRAINT queues_max_running_check CHECK ((max_running >= 1)),
    CONSTRAINT queues_rate_check CHECK ((rate > (0)::double precision)),
    CONSTRAINT queues_worked_by_check CHECK ((worked_by = ANY (ARRAY['server'::text, 'remote'::text])))
);

CREATE TABLE recipient_marks (
    mark text NOT NULL COLLATE pg_catalog."C",
    number bigint NOT NULL
);

CREATE TABLE recipient_numbers (
    id smallint NOT NULL,
    last bigint NOT NULL,
    CONSTRAINT recipient_numbers_id_check CHECK ((id = 1)),
    CONSTRAINT recipient_numbers_last_check CHECK ((last >= 0))
);

CREATE TABLE recipients (
    number bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    platform text NOT NULL,
    lat double precision,
    lon double precision,
    topics text NOT NULL,
    enabled boolean NOT NULL,
    addresses text NOT NULL,
    time_zone text,
    dead text NOT NULL,
    marks text NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    locale text,
    CONSTRAINT recipients_check CHECK (((lat IS NULL) = (lon IS NULL)))
);

CREATE TABLE redrives (
    job_id uuid NOT NULL,
    run integer NOT NULL,
    at bigint NOT NULL,
    finished_at bigint NOT NULL,
    queued_at bigint,
    discarded_at bigint
);

CREATE TABLE relocated_pages (
    part text NOT NULL COLLATE pg_catalog."C",
    page integer NOT NULL,
    cursor text NOT NULL,
    n integer NOT NULL,
    CONSTRAINT relocated_pages_page_check CHECK ((page >= 1))
);

CREATE TABLE relocation (
    id smallint NOT NULL,
    relocation_id uuid NOT NULL,
    state text NOT NULL,
    peer text NOT NULL,
    installation uuid NOT NULL,
    target uuid NOT NULL,
    at bigint NOT NULL,
    CONSTRAINT relocation_id_check CHECK ((id = 1)),
    CONSTRAINT relocation_state_check CHECK ((state = ANY (ARRAY['leaving'::text, 'left'::text, 'arriving'::text, 'arrived'::text])))
);

CREATE VIEW results AS
 SELECT attempts.job_id,
    attempts.attempt,
    attempts.run,
    attempts.lease_id,
    attempts.worker_id,
    attempts.queued_at,
    attempts.claimed_at,
    attempts.started_at,
    attempts.ended_at,
    attempts.cancel_asked_at,
    attempts.outcome,
    attempts.state,
    attempts.reason,
    attempts.next_run_at,
    attempts.tries,
    attempts.losses,
    attempts.class,
    attempts.code,
    attempts.message,
    attempts.fingerprint,
    attempts.result
   FROM attempts
UNION ALL
 SELECT s.job_id,
    1 AS attempt,
    1 AS run,
    t.leases[s.lease] AS lease_id,
    t.worker_id,
    s.queued_at,
    t.claimed_at[s.lease] AS claimed_at,
    s.started_at,
    t.ended_at,
    NULL::bigint AS cancel_asked_at,
    'succeeded'::text AS outcome,
    'succeeded'::text AS state,
    NULL::text AS reason,
    NULL::bigint AS next_run_at,
    1 AS tries,
    0 AS losses,
    NULL::text AS class,
    NULL::text AS code,
    NULL::text AS message,
    NULL::text AS fingerprint,
    s.result
   FROM (successes s
     JOIN settlements t ON ((t.id = s.settlement_id)))
UNION ALL
 SELECT j.id AS job_id,
    1 AS attempt,
    1 AS run,
    k.lease_id,
    k.worker_id,
    k.queued_ats[k.place] AS queued_at,
    k.claimed_at,
    k.started_ats[k.place] AS started_at,
    k.ended_at,
    NULL::bigint AS cancel_asked_at,
    'succeeded'::text AS outcome,
    'succeeded'::text AS state,
    NULL::text AS reason,
    NULL::bigint AS next_run_at,
    1 AS tries,
    0 AS losses,
    NULL::text AS class,
    NULL::text AS code,
    NULL::text AS message,
    NULL::text AS fingerprint,
    k.results[k.place] AS result
   FROM (jobs j
     CROSS JOIN LATERAL ( SELECT x.first,
            x.last,
            x.n,
            x.worker_id,
            x.lease_id,
            x.claimed_at,
            x.ended_at,
            x.jobs,
            x.queued_ats,
            x.started_ats,
            x.results,
            width_bucket(j.id, x.jobs) AS place
           FROM ( SELECT success_batches.first,
                    success_batches.last,
                    success_batches.n,
                    success_batches.worker_id,
                    success_batches.lease_id,
                    success_batches.claimed_at,
                    success_batches.ended_at,
                    success_batches.jobs,
                    success_batches.queued_ats,
                    success_batches.started_ats,
                    success_batches.results
                   FROM success_batches
                  WHERE (success_batches.first <= j.id)
                  ORDER BY success_batches.first DESC
                 LIMIT 1) x
          WHERE (x.last >= j.id)
         OFFSET 0) k)
  WHERE (k.jobs[k.place] = j.id);

CREATE TABLE rollups (
    queue text NOT NULL COLLATE pg_catalog."C",
    resolution text NOT NULL COLLATE pg_catalog."C",
    span bigint NOT NULL,
    state text NOT NULL COLLATE pg_catalog."C",
    came bigint NOT NULL,
    went bigint NOT NULL,
    CONSTRAINT rollups_came_check CHECK ((came >= 0)),
    CONSTRAINT rollups_resolution_check CHECK ((resolution = ANY (ARRAY['minute'::text, 'hour'::text]))),
    CONSTRAINT rollups_went_check CHECK ((went >= 0))
)
WITH (fillfactor='50');

CREATE TABLE schedules (
    id uuid NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    cron text NOT NULL,
    time_zone text NOT NULL,
    template text NOT NULL,
    lead_us bigint NOT NULL,
    missed text NOT NULL,
    missed_max integer NOT NULL,
    revision bigint NOT NULL,
    paused boolean NOT NULL,
    next_at bigint,
    due_at bigint,
    last_at bigint,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    CONSTRAINT schedules_check CHECK (((next_at IS NULL) = (due_at IS NULL))),
    CONSTRAINT schedules_check1 CHECK (((next_at IS NULL) OR (NOT paused))),
    CONSTRAINT schedules_lead_us_check CHECK ((lead_us >= 0)),
    CONSTRAINT schedules_missed_check CHECK ((missed = ANY (ARRAY['skip'::text, 'latest'::text, 'all'::text]))),
    CONSTRAINT schedules_missed_max_check CHECK ((missed_max >= 0)),
    CONSTRAINT schedules_revision_check CHECK ((revision >= 1))
);

CREATE TABLE schema_migrations (
    name text NOT NULL,
    digest text NOT NULL,
    oldest_program integer NOT NULL
);

CREATE TABLE sessions (
    digest text NOT NULL COLLATE pg_catalog."C",
    user_id uuid NOT NULL,
    created_at bigint NOT NULL,
    idle_until bigint NOT NULL,
    ends_at bigint NOT NULL,
    CONSTRAINT sessions_check CHECK ((ends_at >= created_at)),
    CONSTRAINT sessions_check1 CHECK ((idle_until <= ends_at)),
    CONSTRAINT sessions_digest_check CHECK ((length(digest) = 64))
);

CREATE TABLE set_up_tokens (
    id smallint NOT NULL,
    digest text NOT NULL COLLATE pg_catalog."C",
    until bigint NOT NULL,
    CONSTRAINT set_up_tokens_digest_check CHECK ((length(digest) = 64)),
    CONSTRAINT set_up_tokens_id_check CHECK ((id = 1))
);

ALTER TABLE settlements ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME settlements_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE staged_jobs (
    id uuid NOT NULL,
    key text COLLATE pg_catalog."C",
    job text NOT NULL,
    at bigint NOT NULL,
    refused text,
    CONSTRAINT staged_jobs_job_check CHECK ((octet_length(job) <= 524288))
);

CREATE TABLE stream (
    id smallint NOT NULL,
    installation uuid NOT NULL,
    epoch bigint NOT NULL,
    last_seq bigint NOT NULL,
    incarnation text,
    CONSTRAINT stream_epoch_check CHECK ((epoch >= 1)),
    CONSTRAINT stream_id_check CHECK ((id = 1)),
    CONSTRAINT stream_last_seq_check CHECK ((last_seq >= 0))
);

CREATE TABLE users (
    id uuid NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    role text NOT NULL,
    password text,
    disabled boolean NOT NULL,
    created_at bigint NOT NULL,
    signed_in_at bigint,
    failures bigint DEFAULT 0 NOT NULL,
    retry_at bigint,
    identity text COLLATE pg_catalog."C",
    issuer text,
    subject text,
    CONSTRAINT users_failures_check CHECK (((failures >= 0) AND (failures <= '4294967295'::bigint))),
    CONSTRAINT users_identity_check CHECK ((length(identity) = 64)),
    CONSTRAINT users_name_check CHECK (((length(name) >= 1) AND (length(name) <= 64))),
    CONSTRAINT users_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'operator'::text, 'sender'::text, 'admin'::text])))
);

CREATE TABLE waits (
    queue text NOT NULL COLLATE pg_catalog."C",
    resolution text NOT NULL COLLATE pg_catalog."C",
    span bigint NOT NULL,
    bucket bigint NOT NULL,
    n bigint NOT NULL,
    CONSTRAINT waits_bucket_check CHECK (((bucket >= 0) AND (bucket < 32))),
    CONSTRAINT waits_n_check CHECK ((n > 0)),
    CONSTRAINT waits_resolution_check CHECK ((resolution = ANY (ARRAY['minute'::text, 'hour'::text])))
)
WITH (fillfactor='50');

CREATE TABLE workers (
    id uuid NOT NULL,
    name text NOT NULL,
    version text NOT NULL,
    slots text NOT NULL,
    running integer NOT NULL,
    draining boolean NOT NULL,
    started_at bigint NOT NULL,
    seen_at bigint NOT NULL,
    left_at bigint,
    lease_us bigint,
    remote text,
    drain boolean DEFAULT false NOT NULL
);

ALTER TABLE ONLY api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY approvals
    ADD CONSTRAINT approvals_pkey PRIMARY KEY (campaign);

ALTER TABLE ONLY attempts
    ADD CONSTRAINT attempts_pkey PRIMARY KEY (job_id, attempt);

ALTER TABLE ONLY audit_log
    ADD CONSTRAINT audit_log_pkey PRIMARY KEY (at, id);

ALTER TABLE ONLY campaigns
    ADD CONSTRAINT campaigns_key_key UNIQUE (key);

ALTER TABLE ONLY campaigns
    ADD CONSTRAINT campaigns_pkey PRIMARY KEY (id);

ALTER TABLE ONLY cancellations
    ADD CONSTRAINT cancellations_pkey PRIMARY KEY (job_id);

ALTER TABLE ONLY checkpoints
    ADD CONSTRAINT checkpoints_pkey PRIMARY KEY (job_id);

ALTER TABLE ONLY dead_letter_groups
    ADD CONSTRAINT dead_letter_groups_pkey PRIMARY KEY (fingerprint);

ALTER TABLE ONLY erasures
    ADD CONSTRAINT erasures_number_key UNIQUE (number);

ALTER TABLE ONLY erasures
    ADD CONSTRAINT erasures_pkey PRIMARY KEY (id);

ALTER TABLE ONLY erasures
    ADD CONSTRAINT erasures_recipient_key UNIQUE (recipient);

ALTER TABLE ONLY finished
    ADD CONSTRAINT finished_pkey PRIMARY KEY (job_id);

ALTER TABLE ONLY fires
    ADD CONSTRAINT fires_pkey PRIMARY KEY (schedule_id, at);

ALTER TABLE ONLY hint_generation
    ADD CONSTRAINT hint_generation_pkey PRIMARY KEY (id);

ALTER TABLE ONLY inbox
    ADD CONSTRAINT inbox_id_key UNIQUE (id);

ALTER TABLE ONLY inbox
    ADD CONSTRAINT inbox_pkey PRIMARY KEY (recipient, seq);

ALTER TABLE ONLY inboxes
    ADD CONSTRAINT inboxes_pkey PRIMARY KEY (recipient);

ALTER TABLE ONLY installation
    ADD CONSTRAINT installation_pkey PRIMARY KEY (id);

ALTER TABLE ONLY job_keys
    ADD CONSTRAINT job_keys_pkey PRIMARY KEY (key);

ALTER TABLE ONLY job_operations
    ADD CONSTRAINT job_operations_pkey PRIMARY KEY (id);

ALTER TABLE ONLY jobs
    ADD CONSTRAINT jobs_pkey PRIMARY KEY (id);

ALTER TABLE ONLY late_results
    ADD CONSTRAINT late_results_pkey PRIMARY KEY (job_id, attempt);

ALTER TABLE ONLY leadership
    ADD CONSTRAINT leadership_pkey PRIMARY KEY (id);

ALTER TABLE ONLY leases
    ADD CONSTRAINT leases_pkey PRIMARY KEY (id);

ALTER TABLE ONLY markers
    ADD CONSTRAINT markers_pkey PRIMARY KEY (minute, kind);

ALTER TABLE ONLY nodes
    ADD CONSTRAINT nodes_pkey PRIMARY KEY (id);

ALTER TABLE ONLY notifications
    ADD CONSTRAINT notifications_key_key UNIQUE (key);

ALTER TABLE ONLY notifications
    ADD CONSTRAINT notifications_pkey PRIMARY KEY (id);

ALTER TABLE ONLY operations
    ADD CONSTRAINT operations_pkey PRIMARY KEY (id);

ALTER TABLE ONLY queue_counts
    ADD CONSTRAINT queue_counts_pkey PRIMARY KEY (queue, state);

ALTER TABLE ONLY queue_minutes
    ADD CONSTRAINT queue_minutes_pkey PRIMARY KEY (queue, minute);

ALTER TABLE ONLY queues
    ADD CONSTRAINT queues_pkey PRIMARY KEY (name);

ALTER TABLE ONLY ready_batches
    ADD CONSTRAINT ready_batches_pkey PRIMARY KEY (first);

ALTER TABLE ONLY ready
    ADD CONSTRAINT ready_pkey PRIMARY KEY (job_id);

ALTER TABLE ONLY recipient_marks
    ADD CONSTRAINT recipient_marks_pkey PRIMARY KEY (mark, number);

ALTER TABLE ONLY recipient_numbers
    ADD CONSTRAINT recipient_numbers_pkey PRIMARY KEY (id);

ALTER TABLE ONLY recipients
    ADD CONSTRAINT recipients_id_key UNIQUE (id);

ALTER TABLE ONLY recipients
    ADD CONSTRAINT recipients_pkey PRIMARY KEY (number);

ALTER TABLE ONLY redrives
    ADD CONSTRAINT redrives_pkey PRIMARY KEY (job_id, run);

ALTER TABLE ONLY relocated_pages
    ADD CONSTRAINT relocated_pages_pkey PRIMARY KEY (part, page);

ALTER TABLE ONLY relocation
    ADD CONSTRAINT relocation_pkey PRIMARY KEY (id);

ALTER TABLE ONLY rollups
    ADD CONSTRAINT rollups_pkey PRIMARY KEY (queue, resolution, span, state);

ALTER TABLE ONLY schedules
    ADD CONSTRAINT schedules_name_key UNIQUE (name);

ALTER TABLE ONLY schedules
    ADD CONSTRAINT schedules_pkey PRIMARY KEY (id);

ALTER TABLE ONLY schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (name);

ALTER TABLE ONLY sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (digest);

ALTER TABLE ONLY set_up_tokens
    ADD CONSTRAINT set_up_tokens_pkey PRIMARY KEY (id);

ALTER TABLE ONLY settlements
    ADD CONSTRAINT settlements_pkey PRIMARY KEY (id);

ALTER TABLE ONLY staged_jobs
    ADD CONSTRAINT staged_jobs_pkey PRIMARY KEY (id);

ALTER TABLE ONLY stream
    ADD CONSTRAINT stream_pkey PRIMARY KEY (id);

ALTER TABLE ONLY success_batches
    ADD CONSTRAINT success_batches_pkey PRIMARY KEY (first);

ALTER TABLE ONLY success_batches
    ADD CONSTRAINT success_batches_uuid_range_excl EXCLUDE USING gist (uuid_range(first, last, '[]'::text) WITH &&);

ALTER TABLE ONLY successes
    ADD CONSTRAINT successes_pkey PRIMARY KEY (job_id);

ALTER TABLE ONLY users
    ADD CONSTRAINT users_name_key UNIQUE (name);

ALTER TABLE ONLY users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);

ALTER TABLE ONLY waiting
    ADD CONSTRAINT waiting_pkey PRIMARY KEY (job_id);

ALTER TABLE ONLY waits
    ADD CONSTRAINT waits_pkey PRIMARY KEY (queue, resolution, span, bucket);

ALTER TABLE ONLY workers
    ADD CONSTRAINT workers_pkey PRIMARY KEY (id);

CREATE INDEX api_keys_revoked_at ON api_keys USING btree (revoked_at);

CREATE INDEX audit_log_action ON audit_log USING btree (action, at, id);

CREATE INDEX audit_log_object ON audit_log USING btree (object, at, id);

CREATE INDEX audit_log_principal ON audit_log USING btree (principal, at, id);

CREATE INDEX campaigns_active ON campaigns USING btree (start_at, id) WHERE (finished_at IS NULL);

CREATE UNIQUE INDEX campaigns_lane ON campaigns USING btree (lane) WHERE (state = 'expanding'::text);

CREATE INDEX erasures_unfinished ON erasures USING btree (id) WHERE (finished_at IS NULL);

CREATE INDEX facts_at ON facts USING btree (at) WHERE (last_seq IS NOT NULL);

CREATE UNIQUE INDEX facts_number ON facts USING btree (last_seq) WHERE (last_seq IS NOT NULL);

CREATE INDEX facts_unnumbered ON facts USING btree (id) WHERE (last_seq IS NULL);

CREATE INDEX finished_letters ON finished USING btree (fingerprint, job_id) WHERE ((state = 'failed'::text) AND (discarded_at IS NULL));

CREATE INDEX finished_others ON finished USING btree (state, job_id) WHERE (state <> 'succeeded'::text);

CREATE INDEX fires_recorded_at ON fires USING btree (recorded_at);

CREATE UNIQUE INDEX inbox_campaign ON inbox USING btree (campaign_id, recipient) WHERE (campaign_id IS NOT NULL);

CREATE INDEX job_keys_created_at ON job_keys USING btree (created_at);

CREATE INDEX job_operations_unfinished ON job_operations USING btree (id) WHERE (finished_at IS NULL);

CREATE INDEX leases_worker ON leases USING btree (worker_id);

CREATE INDEX operations_unfinished ON operations USING btree (id) WHERE (finished_at IS NULL);

CREATE INDEX ready_batches_expiry ON ready_batches USING btree (expires_at) WHERE (expires_at IS NOT NULL);

CREATE INDEX ready_batches_line ON ready_batches USING btree (queue, run_at, first) WHERE (n >= 1);

CREATE INDEX ready_expiry ON ready USING btree (expires_at) WHERE (expires_at IS NOT NULL);

CREATE INDEX ready_line ON ready USING btree (queue, priority, run_at, job_id) WHERE (run >= 1);

CREATE INDEX recipients_disabled ON recipients USING btree (number) WHERE (NOT enabled);

CREATE INDEX rollups_span ON rollups USING btree (resolution, span);

CREATE INDEX schedules_due ON schedules USING btree (due_at) WHERE (due_at IS NOT NULL);

CREATE INDEX sessions_idle_until ON sessions USING btree (idle_until);

CREATE INDEX sessions_user_id ON sessions USING btree (user_id);

CREATE INDEX settlements_ended_at ON settlements USING btree (ended_at);

CREATE UNIQUE INDEX staged_jobs_key ON staged_jobs USING btree (key) WHERE (refused IS NULL);

CREATE INDEX staged_jobs_open ON staged_jobs USING btree (id) WHERE (refused IS NULL);

CREATE UNIQUE INDEX users_identity ON users USING btree (identity);

CREATE INDEX waiting_due ON waiting USING btree (run_at, job_id) WHERE (run >= 1);

CREATE INDEX waiting_expiry ON waiting USING btree (expires_at) WHERE (expires_at IS NOT NULL);

CREATE INDEX waits_span ON waits USING btree (resolution, span);

CREATE TRIGGER attempts_not_of_successes BEFORE INSERT ON attempts FOR EACH ROW EXECUTE FUNCTION pass_over_success();
