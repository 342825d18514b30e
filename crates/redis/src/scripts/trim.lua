-- Forgets so many hints at the front of a ready list. KEYS[2]: the list. ARGV[2]: how many.
redis.call('LTRIM', KEYS[2], ARGV[2], -1)
return 1
