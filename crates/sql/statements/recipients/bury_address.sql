-- Takes an address out of use, if the addresses are still as they were seen.
UPDATE recipients SET dead = :dead, updated_at = :now
WHERE number = :number AND addresses = :addresses AND dead = :old_dead
{{returning number recipients number :number}}
