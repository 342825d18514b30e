-- Pauses every queue, so that somebody can look before anything runs; each is a fact.
INSERT INTO facts (n, type, queue, at, subject)
SELECT 1, 'queue.paused', name, :now, name FROM queues WHERE NOT paused;
UPDATE queues SET paused = true WHERE NOT paused
