-- Nobody counts them.
SELECT NULL
