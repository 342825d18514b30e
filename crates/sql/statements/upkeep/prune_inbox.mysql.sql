-- Forgets items that came long ago; who had not read them has fewer to read. Counters are locked first, as everywhere, and only
-- then it is looked who has read what.
DELETE FROM posting;
INSERT INTO posting (id, number, nth)
SELECT id, recipient, seq FROM inbox WHERE id < :bound ORDER BY id LIMIT :limit;
DELETE FROM counting;
INSERT INTO counting (number) SELECT DISTINCT number FROM posting;
SELECT b.recipient FROM counting k STRAIGHT_JOIN inboxes b FORCE INDEX (PRIMARY) ON b.recipient = k.number FOR UPDATE;
UPDATE (
  SELECT p.number, count(*) AS n FROM posting p STRAIGHT_JOIN inbox i FORCE INDEX (PRIMARY) ON i.recipient = p.number AND i.seq = p.nth
  WHERE i.read_at IS NULL GROUP BY p.number) u
STRAIGHT_JOIN inboxes b FORCE INDEX (PRIMARY) ON b.recipient = u.number
SET b.unread = b.unread - u.n, b.version = b.version + 1;
SELECT i.id FROM posting p STRAIGHT_JOIN inbox i FORCE INDEX (PRIMARY) ON i.recipient = p.number AND i.seq = p.nth;
DELETE i FROM posting p STRAIGHT_JOIN inbox i FORCE INDEX (PRIMARY) ON i.recipient = p.number AND i.seq = p.nth
