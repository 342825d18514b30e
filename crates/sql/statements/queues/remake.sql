-- Makes a queue again that was forgotten at the very moment a job came to it.
INSERT INTO queues (name, created_at) VALUES (:name, :now) {{unless_there queues name name}}
