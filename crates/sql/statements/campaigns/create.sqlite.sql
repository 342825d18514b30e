-- Adds a campaign whose id and key are free and that names nobody who is being erased.
INSERT INTO campaigns (id, key, content_hash, plan, lane, state, until, start_at, created_at, updated_at)
SELECT :id, :key, :hash, :plan, :lane, 'scheduled', :until, :start_at, :now, :now
WHERE NOT EXISTS (SELECT 1 FROM erasures e WHERE instr(:plan, e.quoted) > 0)
ON CONFLICT DO NOTHING
RETURNING id
