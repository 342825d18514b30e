-- What is beyond @most stays in line.
SET @last = (SELECT max(x.nth) FROM (SELECT nth, row_number() OVER (ORDER BY nth) AS place FROM claiming) x WHERE x.place <= @most);
DELETE FROM claiming WHERE nth > @last;
SELECT @most - count(*) INTO @room FROM claiming;
