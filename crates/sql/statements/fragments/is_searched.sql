-- Whether a candidate is one of those that are searched for.
CASE WHEN (:kind::text IS NULL OR j.kind = :kind)
  AND (:queue::text IS NULL OR j.queue = :queue)
  AND (:tag::text IS NULL OR {{strpos}}(j.tags, :tag) > 0)
  AND (:key::text IS NULL OR j.key = :key) THEN 1 ELSE 0 END
