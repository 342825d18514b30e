-- Seals the database: no program starts on it, of whatever version, before the seal is taken off.
INSERT INTO schema_migrations (name, digest, oldest_program) VALUES ('relocated', '', 2147483647);
DELETE FROM relocation WHERE state = 'arrived';
INSERT INTO relocation (id, relocation_id, state, peer, installation, target, at)
VALUES (1, :relocation_id, :state, :peer, :installation, :target, :now)
