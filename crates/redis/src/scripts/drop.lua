-- Removes each of these once from a worker's list, and says how many were there.
-- KEYS[2]: the worker's list. ARGV from 2: what to remove.
local few = 100
if #ARGV <= few then
  local dropped = 0
  for i = 2, #ARGV do
    dropped = dropped + redis.call('LREM', KEYS[2], 1, ARGV[i])
  end
  return dropped
end

-- Each LREM walks the list from its front; for many of them, one walk is cheaper. It ends where all
-- are found, or far behind what a worker takes.
local window = 50000
local step = 1000
local unwanted = {}
for i = 2, #ARGV do
  unwanted[ARGV[i]] = (unwanted[ARGV[i]] or 0) + 1
end
local wanted = #ARGV - 1
local seen = 0
local kept = {}
while wanted > seen - #kept and seen < window do
  local piece = redis.call('LRANGE', KEYS[2], seen, seen + step - 1)
  for i = 1, #piece do
    local left = unwanted[piece[i]] or 0
    if left > 0 then
      unwanted[piece[i]] = left - 1
    else
      kept[#kept + 1] = piece[i]
    end
  end
  seen = seen + #piece
  if #piece < step then
    break
  end
end

-- What needs no memory comes first: a full Redis refuses a script's first write only.
redis.call('LTRIM', KEYS[2], seen, -1)
for last = #kept, 1, -step do
  local piece = {}
  for i = last, math.max(last - step + 1, 1), -1 do
    piece[#piece + 1] = kept[i]
  end
  redis.call('LPUSH', KEYS[2], unpack(piece))
end
return seen - #kept
