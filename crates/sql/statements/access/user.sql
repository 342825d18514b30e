-- One user.
SELECT {{account}} FROM users u WHERE u.id = :id
