-- Writes recipients down; what is known and the same stays as it is, and who is being erased stays away. Each statement sees what
-- those before it had to wait for: first whoever begins to erase somebody, then whoever gives out numbers, then whoever changes
-- the same recipients.
SELECT recipient FROM erasures WHERE recipient = ANY(:ids::text[]) FOR KEY SHARE;
SELECT last FROM recipient_numbers
WHERE id = 1 AND EXISTS (
  SELECT 1 FROM unnest(:ids::text[]) AS r (id) WHERE NOT EXISTS (SELECT 1 FROM recipients x WHERE x.id = r.id OFFSET 0)
)
FOR UPDATE;
SELECT x.number FROM recipients x WHERE x.id = ANY(:ids::text[]) ORDER BY x.id FOR UPDATE;
WITH requested AS MATERIALIZED (
  SELECT *
  FROM unnest(:ids::text[], :platforms::text[], :lats::double precision[], :lons::double precision[], :topics::text[], :enabled::boolean[],
    :addresses::text[], :time_zones::text[], :locales::text[], :marks::text[])
    WITH ORDINALITY AS r (id, platform, lat, lon, topics, enabled, addresses, time_zone, locale, marks, nth)
  WHERE NOT EXISTS (SELECT 1 FROM erasures e WHERE e.recipient = r.id)
), known AS MATERIALIZED (
  SELECT r.*, x.number, x.marks AS old_marks,
    (x.platform, x.lat, x.lon, x.topics, x.enabled, x.addresses, x.time_zone, x.locale)
      IS DISTINCT FROM (r.platform, r.lat, r.lon, r.topics, r.enabled, r.addresses, r.time_zone, r.locale) AS is_changed
  FROM requested r CROSS JOIN LATERAL (SELECT * FROM recipients y WHERE y.id = r.id OFFSET 0) x
), fresh AS MATERIALIZED (
  SELECT r.*, row_number() OVER (ORDER BY nth) AS rank FROM requested r WHERE id NOT IN (SELECT id FROM known)
), fresh_count AS MATERIALIZED (
  SELECT count(*) AS fresh FROM fresh
), numbering AS (
  UPDATE recipient_numbers SET last = last + (SELECT fresh FROM fresh_count) WHERE id = 1 AND (SELECT fresh FROM fresh_count) > 0
  RETURNING last - (SELECT fresh FROM fresh_count) AS base
), added AS (
  INSERT INTO recipients (number, id, platform, lat, lon, topics, enabled, addresses, time_zone, locale, dead, marks, created_at, updated_at)
  SELECT base + rank, id, platform, lat, lon, topics, enabled, addresses, time_zone, locale, '{}', marks, :now, :now FROM numbering CROSS JOIN fresh
), added_marks AS (
  INSERT INTO recipient_marks (mark, number)
  SELECT k.mark, base + rank FROM numbering CROSS JOIN fresh CROSS JOIN LATERAL json_array_elements_text(marks::json) AS k (mark) ORDER BY 1, 2
), changed AS (
  UPDATE recipients x
  SET platform = o.platform, lat = o.lat, lon = o.lon, topics = o.topics, enabled = o.enabled, addresses = o.addresses,
    time_zone = o.time_zone, locale = o.locale, marks = o.marks, updated_at = :now
  FROM known o WHERE x.number = o.number AND o.is_changed
), remarked AS MATERIALIZED (
  SELECT * FROM known WHERE old_marks <> marks
), dropped_marks AS (
  DELETE FROM recipient_marks y
  USING (
    SELECT m.number, k.mark FROM remarked m CROSS JOIN LATERAL json_array_elements_text(old_marks::json) AS k (mark)
    WHERE NOT jsonb_exists(marks::jsonb, k.mark) OFFSET 0
  ) z
  WHERE y.mark = z.mark AND y.number = z.number
), new_marks AS (
  INSERT INTO recipient_marks (mark, number)
  SELECT k.mark, m.number FROM remarked m CROSS JOIN LATERAL json_array_elements_text(marks::json) AS k (mark)
  WHERE NOT jsonb_exists(old_marks::jsonb, k.mark)
)
SELECT id, is_changed FROM known
UNION ALL
SELECT recipient, NULL FROM erasures WHERE recipient = ANY(:ids::text[])
