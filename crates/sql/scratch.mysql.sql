-- What a script of the writer passes from statement to statement. Each table has a key of its own, for there are
-- servers that take no table without. No transaction takes back what is in them: each script empties those it uses. MySQL has room for long
-- keys in InnoDB only.
CREATE TEMPORARY TABLE IF NOT EXISTS moving (
  job_id varchar(36) PRIMARY KEY, from_state varchar(255), queue varchar(255), priority int, run_at bigint, expires_at bigint, since bigint,
  attempt int, tries int, losses int, run int, fingerprint varchar(255), finished_at bigint, discarded_at bigint,
  lease_id varchar(36), kind varchar(255)
) /*M! ENGINE=Aria TRANSACTIONAL=0 */ /*!80000 ENGINE=MyISAM */;
CREATE TEMPORARY TABLE IF NOT EXISTS settling (
  job_id varchar(36) PRIMARY KEY, lease_id varchar(36), queue varchar(255), worker_id varchar(36), claimed_at bigint, queued_at bigint, started_at bigint,
  attempt int, run int, tries int, losses int, outcome varchar(255), state varchar(255), reason varchar(2048), run_at bigint,
  class varchar(255), code varchar(255), message longtext, fingerprint varchar(255), result longtext, cancel_asked_at bigint, place bigint
) /*M! ENGINE=Aria TRANSACTIONAL=0 */ /*!80000 ENGINE=MyISAM */;
CREATE TEMPORARY TABLE IF NOT EXISTS claiming (
  nth bigint AUTO_INCREMENT PRIMARY KEY, job_id varchar(36), priority int, run_at bigint, expires_at bigint, since bigint, attempt int, tries int, losses int,
  run int, batch varchar(36)
) /*M! ENGINE=Aria TRANSACTIONAL=0 */ /*!80000 ENGINE=MyISAM */;
CREATE TEMPORARY TABLE IF NOT EXISTS reporting (
  nth bigint AUTO_INCREMENT PRIMARY KEY, job_id varchar(36), lease_id varchar(36), place bigint, queued_at bigint, started_at bigint, result longtext
) /*M! ENGINE=Aria TRANSACTIONAL=0 */ /*!80000 ENGINE=MyISAM */;
CREATE TEMPORARY TABLE IF NOT EXISTS succeeding (
  job_id varchar(36) PRIMARY KEY, lease_id varchar(36), queue varchar(255), place bigint, queued_at bigint, started_at bigint, result longtext
) /*M! ENGINE=Aria TRANSACTIONAL=0 */ /*!80000 ENGINE=MyISAM */;
CREATE TEMPORARY TABLE IF NOT EXISTS putting (
  id varchar(512) PRIMARY KEY, nth bigint, platform varchar(255), lat double, lon double, topics longtext, enabled bigint, addresses longtext,
  time_zone varchar(255), locale varchar(255), marks longtext, number bigint, old_marks longtext, is_changed bigint
) /*M! ENGINE=Aria TRANSACTIONAL=0 */;
CREATE TEMPORARY TABLE IF NOT EXISTS posting (
  id varchar(512) PRIMARY KEY, nth bigint, number bigint, recipient varchar(512), title longtext, body longtext, data longtext
) /*M! ENGINE=Aria TRANSACTIONAL=0 */;
-- What is locked until the end of the transaction, and so stays as it was found.
CREATE TEMPORARY TABLE IF NOT EXISTS locked (
  id varchar(36) PRIMARY KEY, worker_id varchar(36), queue varchar(255), until bigint, claimed_at bigint
) /*M! ENGINE=Aria TRANSACTIONAL=0 */ /*!80000 ENGINE=MyISAM */;
CREATE TEMPORARY TABLE IF NOT EXISTS unpacking (
  first varchar(36) PRIMARY KEY, last varchar(36), queue varchar(255), priority int, run_at bigint, expires_at bigint, since bigint
) /*M! ENGINE=Aria TRANSACTIONAL=0 */ /*!80000 ENGINE=MyISAM */;
CREATE TEMPORARY TABLE IF NOT EXISTS unpacking_leased (
  job_id varchar(36) PRIMARY KEY, lease_id varchar(36)
) /*M! ENGINE=Aria TRANSACTIONAL=0 */ /*!80000 ENGINE=MyISAM */;
CREATE TEMPORARY TABLE IF NOT EXISTS batching (
  first varchar(36) PRIMARY KEY, last varchar(36), priority int, run_at bigint, expires_at bigint, since bigint, n bigint
) /*M! ENGINE=Aria TRANSACTIONAL=0 */ /*!80000 ENGINE=MyISAM */;
CREATE TEMPORARY TABLE IF NOT EXISTS taking (
  first varchar(36) PRIMARY KEY, last varchar(36), run_at bigint, since bigint, is_dense boolean
) /*M! ENGINE=Aria TRANSACTIONAL=0 */ /*!80000 ENGINE=MyISAM */;
CREATE TEMPORARY TABLE IF NOT EXISTS parting (
  block varchar(35), settlement_id bigint, queued_at bigint, PRIMARY KEY (block, settlement_id, queued_at)
) /*M! ENGINE=Aria TRANSACTIONAL=0 */ /*!80000 ENGINE=MyISAM */;
CREATE TEMPORARY TABLE IF NOT EXISTS naming (name varchar(255) PRIMARY KEY);
CREATE TEMPORARY TABLE IF NOT EXISTS counting (number bigint PRIMARY KEY);
CREATE TEMPORARY TABLE IF NOT EXISTS marking (
  number bigint PRIMARY KEY
) /*M! ENGINE=Aria TRANSACTIONAL=0 */;
CREATE TEMPORARY TABLE IF NOT EXISTS numbering (
  id bigint PRIMARY KEY, upto bigint
) /*M! ENGINE=Aria TRANSACTIONAL=0 */ /*!80000 ENGINE=MyISAM */;
CREATE TEMPORARY TABLE IF NOT EXISTS rewriting (
  id varchar(255) PRIMARY KEY, number bigint, was longtext, text longtext, items longtext
) /*M! ENGINE=Aria TRANSACTIONAL=0 */;
