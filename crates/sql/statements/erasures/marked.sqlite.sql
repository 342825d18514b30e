-- Those of these recipients who were erased or are being erased.
SELECT id FROM erasures WHERE number IN (SELECT value FROM json_each(:numbers)) OR recipient IN (SELECT value FROM json_each(:recipients))
