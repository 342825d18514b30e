-- Adds a campaign whose id and key are free and that names nobody who is being erased.
{{hold_marks}}
INSERT INTO campaigns (id, key, content_hash, plan, lane, state, until, start_at, created_at, updated_at)
SELECT :id::uuid, :key, :hash, :plan, :lane, :state, :until::bigint, :start_at::bigint, :now::bigint, :now::bigint
WHERE NOT EXISTS (SELECT 1 FROM erasures e WHERE {{strpos}}(:plan::text, e.quoted) > 0 {{for_key_share}})
{{unless_taken campaigns id}}
{{returning id campaigns id :id}}
