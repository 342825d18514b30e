-- Which entries of `audit_log`: between two moments, and of the later one those before an id.
at >= :since AND at <= :until AND (at < :until OR id < :before)
