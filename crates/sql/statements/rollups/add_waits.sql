-- Adds jobs to those that waited for about so long.
INSERT INTO waits (queue, resolution, span, wait, n)
VALUES (:queue, :resolution, :span, :wait, :n)
{{if_there queue,resolution,span,wait}} n = waits.n + {{new n}}
