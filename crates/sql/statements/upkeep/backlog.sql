-- How much there is of what nobody is through with. Each count is of a range of an index, those of facts and of groups bounded.
SELECT
  (SELECT count(*) FROM (SELECT f.id FROM facts f WHERE f.last_seq IS NULL ORDER BY f.id LIMIT :limit) u),
  (SELECT f.at FROM facts f WHERE f.last_seq IS NULL ORDER BY f.id LIMIT 1),
  (SELECT count(*) FROM (SELECT g.fingerprint FROM dead_letter_groups g WHERE g.n > 0 LIMIT :limit) u),
  (SELECT count(*) FROM campaigns c WHERE c.finished_at IS NULL AND c.state = 'scheduled'),
  (SELECT count(*) FROM campaigns c WHERE c.finished_at IS NULL AND c.state = 'expanding'),
  (SELECT count(*) FROM campaigns c WHERE c.finished_at IS NULL AND c.state = 'sending'),
  (SELECT count(*) FROM campaigns c WHERE c.finished_at IS NULL AND c.state = 'stopped'),
  (SELECT count(*) FROM campaigns c WHERE c.finished_at IS NULL AND c.state = 'canceled')
