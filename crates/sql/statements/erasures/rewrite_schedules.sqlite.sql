-- Writes schedules without a person, each as its next revision: what was about to be made by the last one is overtaken.
UPDATE schedules SET template = :templates, revision = revision + 1 WHERE id = :ids AND revision = :revisions
