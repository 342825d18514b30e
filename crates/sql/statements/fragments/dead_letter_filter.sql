-- Which dead letters are meant.
  AND (CAST(:fingerprint AS text) IS NULL OR f.fingerprint = :fingerprint)
  AND (CAST(:kind AS text) IS NULL OR j.kind = :kind)
  AND (CAST(:queue AS text) IS NULL OR j.queue = :queue)
  AND (CAST(:reason AS text) IS NULL OR f.reason = :reason)
