-- Oldest program: 1
-- `baton_enqueue` looks for a key again once it has staged a job under it: what was taken over between its looks at accepted and at staged
-- jobs stood in neither, and the second job was staged, and refused only after the commit.
CREATE OR REPLACE FUNCTION baton_enqueue(job json) RETURNS text LANGUAGE plpgsql SECURITY DEFINER AS $$
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
END $$;

-- A function that is made anew has lost its search path; who may call it stays.
DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION baton_enqueue(json) SET search_path = pg_catalog, %I, pg_temp', current_schema());
END $$;
