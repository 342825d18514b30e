-- Whether a fact may tell of jobs that became dead letters, or are none any more.
f.items IS NOT NULL
      AND (f.to_state = 'failed' OR f.from_state = 'failed' OR f.from_state = 'uncertain' OR f.type IN ('job.discarded', 'job.pruned'))
