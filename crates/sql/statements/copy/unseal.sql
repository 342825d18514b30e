-- Takes the seal off, of a database that stays where it is.
DELETE FROM relocated_pages;
DELETE FROM schema_migrations WHERE name = 'relocated';
DELETE FROM relocation WHERE id = 1
