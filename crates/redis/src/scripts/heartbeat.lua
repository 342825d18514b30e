-- Shows for a while that a worker lives. KEYS[2]: its heartbeat. ARGV[2]: milliseconds.
redis.call('SET', KEYS[2], '1', 'PX', ARGV[2])
return 1
