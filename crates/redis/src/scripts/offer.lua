-- Puts hints in front of and behind ready lists, and says how many no list had room for.
-- KEYS from 2: the lists. ARGV[2]: the longest list; then for each list how many go in front and how
-- many behind; then all of them, list by list, those in front from the last to the first.
local longest = tonumber(ARGV[2])
local at = 3 + 2 * (#KEYS - 1)

local function push(command, key, count)
  local last = at + count - 1
  for first = at, last, 1000 do
    redis.call(command, key, unpack(ARGV, first, math.min(first + 999, last)))
  end
  at = at + count
end

local left_out = 0
for i = 2, #KEYS do
  push('LPUSH', KEYS[i], tonumber(ARGV[2 * i - 1]))
  push('RPUSH', KEYS[i], tonumber(ARGV[2 * i]))
  local over = redis.call('LLEN', KEYS[i]) - longest
  if over > 0 then
    redis.call('LTRIM', KEYS[i], 0, longest - 1)
    left_out = left_out + over
  end
end
return left_out
