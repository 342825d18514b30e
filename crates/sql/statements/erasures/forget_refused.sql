-- Forgets deliveries that were asked for in transactions of other programs and refused: whom they were for cannot be looked up in them.
DELETE FROM staged_jobs WHERE refused IS NOT NULL AND job LIKE '%"delivery"%'
