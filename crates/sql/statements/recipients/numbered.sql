-- Recipients by their numbers.
SELECT r.number, r.id, r.platform, r.lat, r.lon, r.topics, r.enabled, r.addresses, r.time_zone, r.locale, r.dead, r.created_at, r.updated_at
FROM recipients r WHERE r.number {{in :numbers bigint}} ORDER BY r.number
