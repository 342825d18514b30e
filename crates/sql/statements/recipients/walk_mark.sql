-- The next recipients with a mark after a number.
SELECT r.number, r.id, r.platform, r.lat, r.lon, r.topics, r.enabled, r.addresses, r.time_zone, r.locale, r.dead, r.created_at, r.updated_at
FROM recipient_marks m {{straight_join}} recipients r ON r.number = m.number
WHERE m.mark = :mark AND m.number > :after AND m.number <= :until ORDER BY m.number LIMIT :limit
