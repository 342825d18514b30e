-- The user whom a provider of sign-ins knows as this.
SELECT {{account}} FROM users u WHERE u.identity = :identity
