-- Adds jobs to those that waited for about so long.
INSERT INTO waits (queue, resolution, span, bucket, n)
VALUES (:queue, :resolution, :span, :bucket, :n)
{{if_there queue,resolution,span,bucket}} n = waits.n + {{new n}}
