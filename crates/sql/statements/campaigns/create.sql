-- Adds a campaign whose id and key are free.
INSERT INTO campaigns (id, key, content_hash, plan, lane, state, until, start_at, created_at, updated_at)
VALUES (:id, :key, :hash, :plan, :lane, 'scheduled', :until, :start_at, :now, :now)
ON CONFLICT DO NOTHING
RETURNING id
