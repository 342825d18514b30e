-- Forgets rollups that are kept no longer, of some of the oldest spans.
SELECT least(:kept, coalesce(min(span), 0) + :spans) INTO @end FROM rollups WHERE resolution = :resolution;
SELECT span FROM rollups WHERE resolution = :resolution AND span < @end;
DELETE r FROM rollups r FORCE INDEX (rollups_span) WHERE r.resolution = :resolution AND r.span < @end
