-- A fact about something other than a job's move.
INSERT INTO facts (n, type, at, subject, data) VALUES (1, :type, :now, :subject, :data)
