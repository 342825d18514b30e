-- Writes recipients down; what is known and the same stays as it is, and who is being erased stays away. Each statement sees what
-- those before it had to wait for: first whoever begins to erase somebody, then whoever gives out numbers, then whoever changes
-- the same recipients, who are locked in the order of their numbers.
{{hold_marks}}
DELETE FROM putting;
INSERT INTO putting (nth, id, platform, lat, lon, topics, enabled, addresses, time_zone, locale, marks)
VALUES (:nths, :ids, :platforms, :lats, :lons, :topics, :enabled, :addresses, :time_zones, :locales, :marks);
DELETE p FROM putting p STRAIGHT_JOIN erasures e FORCE INDEX (recipient) ON e.recipient = p.id;
DELETE FROM marking;
INSERT INTO marking (number) SELECT x.number FROM putting p STRAIGHT_JOIN recipients x FORCE INDEX (id) ON x.id = p.id ORDER BY x.number;
SET @fresh = (SELECT count(*) FROM putting) - (SELECT count(*) FROM marking);
SELECT last INTO @held FROM recipient_numbers WHERE id = CASE WHEN @fresh > 0 THEN 1 END FOR UPDATE;
SELECT count(*) INTO @held FROM marking m STRAIGHT_JOIN recipients x FORCE INDEX (PRIMARY) ON x.number = m.number FOR UPDATE;
UPDATE putting p STRAIGHT_JOIN recipients x FORCE INDEX (id) ON x.id = p.id
SET p.number = x.number, p.old_marks = x.marks,
  p.is_changed = NOT (x.platform = p.platform AND x.lat <=> p.lat AND x.lon <=> p.lon AND x.topics = p.topics
    AND x.enabled = p.enabled AND x.addresses = p.addresses AND x.time_zone <=> p.time_zone AND x.locale <=> p.locale);
DELETE FROM posting;
INSERT INTO posting (id, nth) SELECT id, row_number() OVER (ORDER BY nth) FROM putting WHERE number IS NULL;
SET @fresh = (SELECT count(*) FROM posting);
UPDATE recipient_numbers SET last = last + @fresh WHERE id = CASE WHEN @fresh > 0 THEN 1 END;
SELECT last - @fresh INTO @base FROM recipient_numbers WHERE id = 1;
UPDATE posting f STRAIGHT_JOIN putting p FORCE INDEX (PRIMARY) ON p.id = f.id SET p.number = @base + f.nth;
INSERT INTO recipients (number, id, platform, lat, lon, topics, enabled, addresses, time_zone, locale, dead, marks, created_at, updated_at)
SELECT number, id, platform, lat, lon, topics, enabled, addresses, time_zone, locale, '{}', marks, :now, :now
FROM putting WHERE is_changed IS NULL ORDER BY number;
UPDATE putting p STRAIGHT_JOIN recipients x FORCE INDEX (PRIMARY) ON x.number = p.number
SET x.platform = p.platform, x.lat = p.lat, x.lon = p.lon, x.topics = p.topics, x.enabled = p.enabled, x.addresses = p.addresses,
  x.time_zone = p.time_zone, x.locale = p.locale, x.marks = p.marks, x.updated_at = :now
WHERE p.is_changed;
DELETE y
FROM putting p
STRAIGHT_JOIN json_table(CASE WHEN p.old_marks <> p.marks THEN p.old_marks ELSE '[]' END, '$[*]' COLUMNS (mark varchar(512) PATH '$')) k
STRAIGHT_JOIN recipient_marks y FORCE INDEX (PRIMARY) ON y.mark = k.mark AND y.number = p.number
WHERE NOT json_contains(p.marks, json_quote(k.mark));
INSERT INTO recipient_marks (mark, number)
SELECT k.mark, p.number
FROM putting p
STRAIGHT_JOIN json_table(CASE WHEN p.is_changed IS NULL OR p.old_marks <> p.marks THEN p.marks ELSE '[]' END, '$[*]' COLUMNS (mark varchar(512) PATH '$')) k
WHERE p.is_changed IS NULL OR NOT json_contains(p.old_marks, json_quote(k.mark))
ORDER BY 1, 2;
SELECT id, is_changed FROM putting WHERE is_changed IS NOT NULL
UNION ALL
SELECT recipient, NULL FROM erasures WHERE recipient IN (:ids)
