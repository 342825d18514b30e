-- Moves the first hints of a ready list to a worker, and returns them.
-- KEYS: 2 the ready list, 3 the worker's list, 4 the set of workers.
-- ARGV: 2 how many, 3 the worker, 4 whether it will also wait for more (1 or 0).
local taken = redis.call('LPOP', KEYS[2], ARGV[2]) or {}
for first = 1, #taken, 1000 do
  redis.call('RPUSH', KEYS[3], unpack(taken, first, math.min(first + 999, #taken)))
end
if #taken > 0 or ARGV[4] == '1' then
  redis.call('SADD', KEYS[4], ARGV[3])
end
return taken
