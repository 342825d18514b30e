-- Writes recipients down; what is known and the same stays as it is, and who is being erased stays away. The plus has each looked up among
-- the recipients, instead of each recipient among them.
DELETE FROM putting;
INSERT INTO putting (nth, id, platform, lat, lon, topics, enabled, addresses, time_zone, locale, marks)
VALUES (:nths, :ids, :platforms, :lats, :lons, :topics, :enabled, :addresses, :time_zones, :locales, :marks);
DELETE FROM putting WHERE id IN (SELECT recipient FROM erasures);
UPDATE putting SET number = x.number, old_marks = x.marks,
  is_changed = x.platform <> putting.platform OR x.lat IS NOT putting.lat OR x.lon IS NOT putting.lon OR x.topics <> putting.topics
    OR x.enabled <> putting.enabled OR x.addresses <> putting.addresses OR x.time_zone IS NOT putting.time_zone
    OR x.locale IS NOT putting.locale
FROM recipients x WHERE x.id = +putting.id;
UPDATE putting SET number = (SELECT last FROM recipient_numbers) + f.rank
FROM (SELECT id, row_number() OVER (ORDER BY nth) AS rank FROM putting WHERE number IS NULL) f
WHERE f.id = putting.id;
UPDATE recipient_numbers SET last = last + (SELECT count(*) FROM putting WHERE is_changed IS NULL);
INSERT INTO recipients (number, id, platform, lat, lon, topics, enabled, addresses, time_zone, locale, dead, marks, created_at, updated_at)
SELECT number, id, platform, lat, lon, topics, enabled, addresses, time_zone, locale, '{}', marks, :now, :now
FROM putting WHERE is_changed IS NULL ORDER BY number;
UPDATE recipients
SET platform = p.platform, lat = p.lat, lon = p.lon, topics = p.topics, enabled = p.enabled, addresses = p.addresses,
  time_zone = p.time_zone, locale = p.locale, marks = p.marks, updated_at = :now
FROM putting p WHERE p.is_changed AND recipients.number = p.number;
DELETE FROM recipient_marks WHERE (mark, number) IN (
  SELECT k.value, p.number FROM putting p CROSS JOIN json_each(p.old_marks) k
  WHERE p.old_marks <> p.marks AND k.value NOT IN (SELECT value FROM json_each(p.marks))
);
INSERT INTO recipient_marks (mark, number)
SELECT k.value, p.number FROM putting p CROSS JOIN json_each(p.marks) k
WHERE p.is_changed IS NULL OR (p.old_marks <> p.marks AND k.value NOT IN (SELECT value FROM json_each(p.old_marks)))
ORDER BY 1, 2;
SELECT id, is_changed FROM putting WHERE is_changed IS NOT NULL
UNION ALL
SELECT recipient, NULL FROM erasures WHERE recipient IS NOT NULL
