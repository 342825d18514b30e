-- Has a job begin anew: nothing is left of how far it was, and an era begins.
INSERT INTO checkpoints (job_id, seq, era, attempt, moved, at, told_at)
VALUES (:job, 0, 2, 0, (1 = 0), :now, 0)
{{if_there job_id}} era = checkpoints.era + 1, lease_id = NULL, cursor = NULL, progress = NULL, moved = (1 = 0), at = {{new at}}
