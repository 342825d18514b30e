-- What is beyond @most stays in line. Mostly nothing is, and then no row is counted.
SELECT count(*) INTO @taken FROM claiming;
SET @last = (SELECT max(x.nth) FROM (SELECT nth, row_number() OVER (ORDER BY nth) AS place FROM claiming WHERE @taken > @most) x WHERE x.place <= @most);
DELETE FROM claiming WHERE nth > @last;
SELECT @most - count(*) INTO @room FROM claiming;
