-- A counter that is compared with what it counts. Those of a campaign's ends are its books: what is forgotten stays in them.
state IN ('pending', 'queued', 'running', 'retry_wait') OR state = 'uncertain' AND substr(queue, 1, 4) <> 'cmp_'
