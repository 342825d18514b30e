-- Which campaign has a key, or an id, and what was asked of it.
SELECT id, content_hash FROM campaigns WHERE id = :id OR key = :key ORDER BY CASE WHEN id = :id THEN 0 ELSE 1 END LIMIT 1
