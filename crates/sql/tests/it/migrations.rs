//! Migrations arrive at one schema, from wherever they start and however often they run.
