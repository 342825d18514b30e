-- Puts the last of what a worker has taken back in front of its queues, and forgets the worker once
-- nothing is left. Returns how many went back, how many were garbage, and how many are left.
-- KEYS: 2 the worker's list, 3 the set of workers.
-- ARGV: 2 the worker, 3 how many, 4 what begins the name of a ready list.
local hex = '%x'
local id = hex:rep(8) .. '%-' .. (hex:rep(4) .. '%-'):rep(3) .. hex:rep(12)
local entry = '^' .. id .. ':(%w[%w%._:%-]*)$'

local taken = redis.call('RPOP', KEYS[2], ARGV[3]) or {}
local back = 0
for i = 1, #taken do
  local queue = taken[i]:match(entry)
  if queue then
    redis.call('LPUSH', ARGV[4] .. queue, taken[i])
    back = back + 1
  end
end

local left = redis.call('LLEN', KEYS[2])
if left == 0 then
  redis.call('SREM', KEYS[3], ARGV[2])
end
return {back, #taken - back, left}
