-- Stops where the generation is another one. KEYS[1]: the sentinel. ARGV[1]: the generation, or
-- nothing if any will do.
if ARGV[1] ~= '' and redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return false
end
