-- The secret of the installation: of all that are drawn, the first is kept.
INSERT INTO installation (id, secret) VALUES (1, :secret) {{unless_there installation id id}};
SELECT secret FROM installation WHERE id = 1
