-- The user of this name.
SELECT {{account}} FROM users u WHERE u.name = :name
