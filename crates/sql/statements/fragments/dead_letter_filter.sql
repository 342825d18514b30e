-- Which dead letters are meant.
  AND (:fingerprint::text IS NULL OR f.fingerprint = :fingerprint)
  AND (:kind::text IS NULL OR j.kind = :kind)
  AND (:queue::text IS NULL OR j.queue = :queue)
  AND (:reason::text IS NULL OR f.reason = :reason)
