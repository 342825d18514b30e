-- Those of these recipients who were erased or are being erased.
SELECT id FROM erasures WHERE number {{in :numbers bigint}} OR recipient {{in :recipients text}}
