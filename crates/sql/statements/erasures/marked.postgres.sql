-- Those of these recipients who were erased or are being erased.
SELECT id FROM erasures WHERE number = ANY (:numbers::bigint[]) OR recipient = ANY (:recipients::text[])
