-- Writes schedules without a person, each as its next revision: what was about to be made by the last one is overtaken.
UPDATE schedules SET template = r.template, revision = schedules.revision + 1
FROM unnest(:ids::uuid[], :revisions::bigint[], :templates::text[]) AS r (id, revision, template)
WHERE schedules.id = r.id AND schedules.revision = r.revision
