-- Counts a page, in the transaction that writes it. Whoever writes the same page a second time is refused.
INSERT INTO relocated_pages (part, page, cursor, n) VALUES (:part, :page, :cursor, :n)
