-- Writes schedules without a person, each as its next revision: what was about to be made by the last one is overtaken.
UPDATE schedules SET template = r.template, revision = schedules.revision + 1
FROM (SELECT {{member :ids uuid}} AS id, {{member :revisions bigint}} AS revision, {{member :templates text}} AS template) AS r
WHERE schedules.id = r.id AND schedules.revision = r.revision
