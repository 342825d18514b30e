-- How far apart two events tell of a job's checkpoints at the least, in microseconds.
1000000
