-- Removes each of these once from a worker's list, and says how many were there.
-- KEYS[2]: the worker's list. ARGV from 2: what to remove.
local dropped = 0
for i = 2, #ARGV do
  dropped = dropped + redis.call('LREM', KEYS[2], 1, ARGV[i])
end
return dropped
