-- Whether a server has ever worked here.
SELECT 1 WHERE EXISTS (SELECT 1 FROM workers) OR EXISTS (SELECT 1 FROM leases)
  OR EXISTS (SELECT 1 FROM leadership WHERE node IS NOT NULL)
