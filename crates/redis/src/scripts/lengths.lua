-- Says how long lists are. KEYS from 2: the lists.
local lengths = {}
for i = 2, #KEYS do
  lengths[i - 1] = redis.call('LLEN', KEYS[i])
end
return lengths
