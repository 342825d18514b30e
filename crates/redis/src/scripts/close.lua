-- Closes a generation, or whatever else stands where the sentinel should, and says whether it did.
-- KEYS[1]: the sentinel. ARGV[1]: empty. ARGV[2]: the generation.
local kind = redis.call('TYPE', KEYS[1]).ok
if kind == 'string' and redis.call('GET', KEYS[1]) ~= ARGV[2] then
  return 0
end
return redis.call('DEL', KEYS[1])
