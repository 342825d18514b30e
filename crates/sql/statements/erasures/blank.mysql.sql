-- Takes everything out of deliveries that have ended but what their counters need: what they carried, what was answered, and what
-- others wrote. What jobs of a block had to say stands in one text: a row with something of theirs becomes a row of each of its jobs first.
DELETE FROM rewriting;
INSERT INTO rewriting (id, number, text) VALUES (:ids, :keeps_keys, :tags);
DELETE k FROM rewriting r STRAIGHT_JOIN jobs j FORCE INDEX (PRIMARY) ON j.id = r.id STRAIGHT_JOIN job_keys k FORCE INDEX (PRIMARY) ON k.key = j.key WHERE r.number = 0 AND k.job_id = r.id;
UPDATE rewriting r STRAIGHT_JOIN jobs j FORCE INDEX (PRIMARY) ON j.id = r.id SET j.payload = :erased, j.key = CASE WHEN r.number = 1 THEN j.key END, j.tags = r.text;
UPDATE rewriting r STRAIGHT_JOIN attempts a FORCE INDEX (PRIMARY) ON a.job_id = r.id
SET a.message = CASE WHEN a.message IS NOT NULL THEN :word END, a.result = NULL,
  a.reason = CASE WHEN a.state IN ('succeeded', 'failed', 'skipped', 'uncertain', 'pending', 'queued', 'retry_wait') THEN a.reason END;
DELETE FROM parting;
INSERT INTO parting (block, settlement_id, queued_at)
SELECT DISTINCT s.block, s.settlement_id, s.queued_at
FROM rewriting r STRAIGHT_JOIN success_blocks s FORCE INDEX (PRIMARY) ON s.block = {{block r.id}} AND (s.bits & {{bit r.id}}) > 0
WHERE s.results IS NOT NULL
FOR UPDATE;
INSERT INTO successes (job_id, settlement_id, lease, queued_at, started_at, result)
SELECT j.id, s.settlement_id, 1, s.queued_at,
  CASE WHEN CAST(json_type({{in_block s.started_ats j.id s.first}}) AS char(16)) LIKE '%INTEGER' THEN CAST({{in_block s.started_ats j.id s.first}} AS signed) END,
  CASE WHEN CAST(json_type({{in_block s.results j.id s.first}}) AS char(16)) = 'STRING' THEN json_unquote({{in_block s.results j.id s.first}}) END
FROM parting p
STRAIGHT_JOIN success_blocks s FORCE INDEX (PRIMARY) ON s.block = p.block AND s.settlement_id = p.settlement_id AND s.queued_at = p.queued_at
STRAIGHT_JOIN jobs j FORCE INDEX (PRIMARY) ON j.id >= s.first AND j.id <= s.last AND (s.bits & {{bit j.id}}) > 0;
DELETE s FROM parting p STRAIGHT_JOIN success_blocks s FORCE INDEX (PRIMARY) ON s.block = p.block AND s.settlement_id = p.settlement_id AND s.queued_at = p.queued_at;
UPDATE rewriting r STRAIGHT_JOIN successes s FORCE INDEX (PRIMARY) ON s.job_id = r.id SET s.result = NULL;
UPDATE rewriting r STRAIGHT_JOIN late_results l FORCE INDEX (PRIMARY) ON l.job_id = r.id SET l.result = NULL;
UPDATE rewriting r STRAIGHT_JOIN checkpoints c FORCE INDEX (PRIMARY) ON c.job_id = r.id SET c.lease_id = NULL, c.cursor = NULL, c.progress = NULL, c.moved = 0;
UPDATE rewriting r STRAIGHT_JOIN finished f FORCE INDEX (PRIMARY) ON f.job_id = r.id SET f.reason = NULL WHERE f.state NOT IN ('succeeded', 'failed', 'skipped', 'uncertain')
