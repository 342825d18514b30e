-- Returns what the sentinel says. KEYS[1]: the sentinel. ARGV[1]: empty.
local value = redis.pcall('GET', KEYS[1])
if type(value) == 'table' then
  return false
end
return value
