-- Returns the set of workers. KEYS[2]: the set.
return redis.call('SMEMBERS', KEYS[2])
