-- The highest number given so far.
SELECT last FROM recipient_numbers WHERE id = 1
