-- Oldest program: 1
-- The trace of whoever asked for a job: a traceparent of W3C, and behind a blank a tracestate, if there is one.
ALTER TABLE jobs ADD COLUMN trace text;
