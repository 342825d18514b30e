-- Other claims need not wait for the disk. That of a job to be called once must: a server that forgot it would have the call made again.
CASE WHEN j.delivery = 'at_most_once' THEN set_config('synchronous_commit', 'on', true) END
