-- How far each part has come: its last page, where that ended.
SELECT p.part, p.page, p.cursor
FROM relocated_pages p
WHERE p.page = (SELECT max(q.page) FROM relocated_pages q WHERE q.part = p.part)
