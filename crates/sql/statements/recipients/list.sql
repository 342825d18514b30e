-- Recipients before a number, the newest first.
SELECT r.number, r.id, r.platform, r.lat, r.lon, r.topics, r.enabled, r.addresses, r.time_zone, r.locale, r.dead, r.created_at, r.updated_at
FROM recipients r WHERE r.number < :before ORDER BY r.number DESC LIMIT :limit
