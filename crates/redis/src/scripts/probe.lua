-- Sees whether Redis takes writes, and returns what the sentinel says.
-- KEYS: 1 the sentinel, 2 what is written. ARGV: 1 empty, 2 for how many milliseconds.
redis.call('SET', KEYS[2], '1', 'PX', ARGV[2])
local value = redis.pcall('GET', KEYS[1])
if type(value) == 'table' then
  return false
end
return value
