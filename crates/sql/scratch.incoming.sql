-- What is asked of the jobs of a batch. SQLite takes the types of MySQL for its own, and the engines for a comment.
CREATE TEMPORARY TABLE IF NOT EXISTS incoming (
  id varchar(36) PRIMARY KEY, "key" varchar(512), hash varchar(255), queue varchar(255), kind varchar(255), priority int, payload longtext, max_attempts bigint,
  backoff longtext, timeout_us bigint, run_at bigint, expires_at bigint, delivery varchar(255), tags longtext, trace text, state varchar(255)
) /*M! ENGINE=Aria TRANSACTIONAL=0 */ /*!80000 ENGINE=MyISAM */;
