-- How many jobs of a queue `q` ended in the minute before, and in this one.
coalesce((SELECT n FROM queue_minutes m WHERE m.queue = q.name AND m.minute = :minute::bigint - 1), 0),
  coalesce((SELECT n FROM queue_minutes m WHERE m.queue = q.name AND m.minute = :minute::bigint), 0)