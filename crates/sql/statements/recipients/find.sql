-- Those of these ids that there are.
SELECT r.number, r.id, r.platform, r.lat, r.lon, r.topics, r.enabled, r.addresses, r.time_zone, r.locale, r.dead, r.created_at, r.updated_at
FROM recipients r WHERE r.id {{in :ids text}}
