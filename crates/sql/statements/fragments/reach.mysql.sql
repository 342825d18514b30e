-- How far to look, @reach, for the mark that most have to be found as often as is wanted: to the end where none is. Each look goes
-- eight times as far as the one before, unless that was far enough.
SET @reach = least(:until, :after + 4 * :limit);
SELECT coalesce(max(x.n), 0) INTO @most
FROM (SELECT count(*) AS n FROM recipient_marks m WHERE m.mark IN (:marks) AND m.number > :after AND m.number <= @reach GROUP BY m.mark) x;
SET @further = CASE WHEN @most < :limit AND @reach < :until THEN least(:until, :after + 32 * :limit) END;
SELECT greatest(@most, coalesce(max(x.n), 0)) INTO @most
FROM (SELECT count(*) AS n FROM recipient_marks m WHERE m.mark IN (:marks) AND m.number > :after AND m.number <= @further GROUP BY m.mark) x;
SET @reach = coalesce(@further, @reach);
SET @further = CASE WHEN @most < :limit AND @reach < :until THEN least(:until, :after + 256 * :limit) END;
SELECT greatest(@most, coalesce(max(x.n), 0)) INTO @most
FROM (SELECT count(*) AS n FROM recipient_marks m WHERE m.mark IN (:marks) AND m.number > :after AND m.number <= @further GROUP BY m.mark) x;
SET @reach = CASE WHEN @most < :limit THEN :until ELSE coalesce(@further, @reach) END;
