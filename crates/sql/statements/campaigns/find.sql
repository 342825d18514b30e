-- One campaign, with its books.
{{campaign}}
WHERE c.id = :id
