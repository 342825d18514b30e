-- Forgets what pictures are drawn from and is kept no longer, of some of the oldest spans.
DELETE m FROM markers m FORCE INDEX (PRIMARY) WHERE m.minute < :marked;
SELECT least(:kept, coalesce(min(span), 0) + :spans) INTO @end FROM waits WHERE resolution = :resolution;
DELETE w FROM waits w FORCE INDEX (waits_span) WHERE w.resolution = :resolution AND w.span < @end;
SELECT least(:kept, coalesce(min(span), 0) + :spans) INTO @end FROM rollups WHERE resolution = :resolution;
SELECT span FROM rollups WHERE resolution = :resolution AND span < @end;
DELETE r FROM rollups r FORCE INDEX (rollups_span) WHERE r.resolution = :resolution AND r.span < @end
