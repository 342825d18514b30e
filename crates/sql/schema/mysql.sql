-- As MariaDB 10.11 tells it.

CREATE TABLE `api_keys` (
  `id` varchar(36) NOT NULL,
  `name` longtext NOT NULL CHECK (char_length(`name`) between 1 and 100),
  `digest` varchar(64) NOT NULL CHECK (char_length(`digest`) = 64),
  `permissions` longtext NOT NULL CHECK (`permissions` <> '[]'),
  `kinds` longtext NOT NULL,
  `queues` longtext NOT NULL,
  `created_at` bigint(20) NOT NULL,
  `created_by` varchar(255) NOT NULL,
  `expires_at` bigint(20) DEFAULT NULL,
  `revoked_at` bigint(20) DEFAULT NULL,
  `last_used_at` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`id`),
  KEY `api_keys_revoked_at` (`revoked_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `approvals` (
  `campaign` varchar(36) NOT NULL,
  `recipients` bigint(20) NOT NULL CHECK (`recipients` >= 0),
  `asked_by` varchar(255) NOT NULL,
  `asked_name` longtext NOT NULL,
  `person` varchar(255) NOT NULL,
  `asked_at` bigint(20) NOT NULL,
  `approved_by` varchar(255) DEFAULT NULL,
  `approved_name` longtext DEFAULT NULL,
  `approved_at` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`campaign`),
  CONSTRAINT `CONSTRAINT_1` CHECK (`approved_at` is null = (`approved_by` is null) and `approved_at` is null = (`approved_name` is null))
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `attempts` (
  `job_id` varchar(36) NOT NULL,
  `attempt` int(11) NOT NULL CHECK (`attempt` >= 1),
  `run` int(11) NOT NULL,
  `lease_id` varchar(36) NOT NULL,
  `worker_id` varchar(36) NOT NULL,
  `queued_at` bigint(20) NOT NULL,
  `claimed_at` bigint(20) NOT NULL,
  `started_at` bigint(20) DEFAULT NULL,
  `ended_at` bigint(20) NOT NULL,
  `cancel_asked_at` bigint(20) DEFAULT NULL,
  `outcome` varchar(16) NOT NULL CHECK (`outcome` in ('succeeded','skipped','failed','lost','given_back','snoozed','throttled','canceled','uncertain')),
  `state` varchar(16) NOT NULL CHECK (`state` in ('pending','queued','retry_wait','succeeded','failed','canceled','skipped','uncertain')),
  `reason` varchar(2048) DEFAULT NULL,
  `next_run_at` bigint(20) DEFAULT NULL,
  `tries` int(11) NOT NULL,
  `losses` int(11) NOT NULL,
  `class` varchar(32) DEFAULT NULL,
  `code` varchar(255) DEFAULT NULL,
  `message` longtext DEFAULT NULL,
  `fingerprint` varchar(64) DEFAULT NULL,
  `result` longtext DEFAULT NULL,
  PRIMARY KEY (`job_id`,`attempt`),
  CONSTRAINT `CONSTRAINT_1` CHECK (`outcome` <> 'succeeded' or `state` = 'succeeded'),
  CONSTRAINT `CONSTRAINT_2` CHECK (`next_run_at` is not null = `state` in ('pending','queued','retry_wait'))
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `audit_log` (
  `at` bigint(20) NOT NULL,
  `id` varchar(36) NOT NULL,
  `principal` varchar(255) NOT NULL CHECK (`principal` <> ''),
  `name` longtext NOT NULL,
  `action` varchar(64) NOT NULL CHECK (`action` <> ''),
  `object` varchar(512) NOT NULL,
  `was` longtext DEFAULT NULL,
  `to_be` longtext DEFAULT NULL,
  `reason` longtext DEFAULT NULL,
  `n` bigint(20) DEFAULT NULL CHECK (`n` >= 0),
  `request_id` longtext DEFAULT NULL,
  PRIMARY KEY (`at`,`id`),
  KEY `audit_log_principal` (`principal`,`at`,`id`),
  KEY `audit_log_action` (`action`,`at`,`id`),
  KEY `audit_log_object` (`object`,`at`,`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `campaigns` (
  `id` varchar(36) NOT NULL,
  `key` varchar(512) DEFAULT NULL,
  `content_hash` varchar(128) NOT NULL,
  `plan` longtext NOT NULL,
  `lane` varchar(255) NOT NULL,
  `state` varchar(16) NOT NULL CHECK (`state` in ('scheduled','expanding','sending','done','stopped','canceled')),
  `why` longtext DEFAULT NULL,
  `epoch` bigint(20) NOT NULL DEFAULT 0 CHECK (`epoch` >= 0),
  `start_at` bigint(20) NOT NULL,
  `cursor` bigint(20) NOT NULL DEFAULT 0 CHECK (`cursor` >= 0),
  `until` bigint(20) DEFAULT NULL,
  `expected` bigint(20) DEFAULT NULL,
  `expanded` bigint(20) NOT NULL DEFAULT 0 CHECK (`expanded` >= 0),
  `items` bigint(20) NOT NULL DEFAULT 0,
  `chunks` bigint(20) NOT NULL DEFAULT 0,
  `holder` varchar(255) DEFAULT NULL,
  `held_until` bigint(20) DEFAULT NULL,
  `created_at` bigint(20) NOT NULL,
  `updated_at` bigint(20) NOT NULL,
  `began_at` bigint(20) DEFAULT NULL,
  `completed_at` bigint(20) DEFAULT NULL,
  `finished_at` bigint(20) DEFAULT NULL,
  `expanding_lane` varchar(255) GENERATED ALWAYS AS (case when `state` = 'expanding' then `lane` end) VIRTUAL,
  `losses` int(11) NOT NULL DEFAULT 0,
  `lost_at` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `key` (`key`),
  UNIQUE KEY `campaigns_lane` (`expanding_lane`),
  KEY `campaigns_active` (`finished_at`,`start_at`,`id`),
  CONSTRAINT `CONSTRAINT_1` CHECK (`until` >= `cursor`),
  CONSTRAINT `CONSTRAINT_2` CHECK (`holder` is null = (`held_until` is null)),
  CONSTRAINT `CONSTRAINT_3` CHECK (`state` <> 'expanding' or `until` is not null and `completed_at` is null),
  CONSTRAINT `CONSTRAINT_4` CHECK (`state` not in ('sending','done') or `completed_at` is not null and `cursor` = `until`),
  CONSTRAINT `CONSTRAINT_5` CHECK (`state` <> 'done' or `finished_at` is not null)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `cancellations` (
  `job_id` varchar(36) NOT NULL,
  `asked_at` bigint(20) NOT NULL,
  `reason` varchar(2048) DEFAULT NULL,
  PRIMARY KEY (`job_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `checkpoints` (
  `job_id` varchar(36) NOT NULL,
  `seq` bigint(20) NOT NULL CHECK (`seq` >= 0),
  `era` bigint(20) NOT NULL CHECK (`era` >= 1),
  `attempt` int(11) NOT NULL CHECK (`attempt` >= 0),
  `lease_id` varchar(36) DEFAULT NULL,
  `cursor` longtext DEFAULT NULL CHECK (octet_length(`cursor`) <= 16384),
  `progress` longtext DEFAULT NULL CHECK (octet_length(`progress`) <= 2048),
  `moved` tinyint(1) NOT NULL CHECK (`moved` in (0,1)),
  `at` bigint(20) NOT NULL,
  `told_at` bigint(20) NOT NULL,
  PRIMARY KEY (`job_id`),
  CONSTRAINT `CONSTRAINT_1` CHECK (`seq` > 0 or `cursor` is null and `lease_id` is null),
  CONSTRAINT `CONSTRAINT_2` CHECK (`cursor` is not null or `moved` = 0)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `dead_letter_groups` (
  `fingerprint` varchar(64) NOT NULL,
  `kind` varchar(255) NOT NULL,
  `reason` varchar(2048) NOT NULL,
  `class` varchar(32) NOT NULL,
  `code` varchar(255) NOT NULL,
  `message` longtext NOT NULL,
  `sample_job` varchar(36) NOT NULL,
  `n` int(11) NOT NULL,
  `first_at` bigint(20) NOT NULL,
  `last_at` bigint(20) NOT NULL,
  PRIMARY KEY (`fingerprint`),
  KEY `dead_letter_groups_n` (`n`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `erasing` (
  `id` bigint(20) NOT NULL CHECK (`id` = 1),
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `erasures` (
  `id` varchar(36) NOT NULL,
  `number` bigint(20) DEFAULT NULL,
  `recipient` varchar(512) DEFAULT NULL,
  `quoted` longtext DEFAULT NULL,
  `quoted_within` longtext DEFAULT NULL,
  `addresses` longtext DEFAULT NULL,
  `stage` varchar(16) DEFAULT NULL,
  `cursor` varchar(64) NOT NULL DEFAULT '',
  `done` bigint(20) NOT NULL DEFAULT 0 CHECK (`done` >= 0),
  `created_at` bigint(20) NOT NULL,
  `finished_at` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `number` (`number`),
  UNIQUE KEY `recipient` (`recipient`),
  KEY `erasures_unfinished` (`finished_at`,`id`),
  CONSTRAINT `CONSTRAINT_1` CHECK (`stage` in ('schedules','deliveries','campaigns','notifications','facts','events','dead_letters')),
  CONSTRAINT `CONSTRAINT_2` CHECK (`finished_at` is null = (`stage` is not null)),
  CONSTRAINT `CONSTRAINT_3` CHECK (`finished_at` is null = (`recipient` is not null and `quoted` is not null and `quoted_within` is not null and `addresses` is not null))
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `facts` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `last_seq` bigint(20) DEFAULT NULL,
  `n` int(11) NOT NULL CHECK (`n` >= 1),
  `type` varchar(64) NOT NULL,
  `queue` varchar(255) DEFAULT NULL,
  `from_state` varchar(16) DEFAULT NULL,
  `to_state` varchar(16) DEFAULT NULL,
  `at` bigint(20) NOT NULL,
  `subject` varchar(255) DEFAULT NULL,
  `subjects` longtext DEFAULT NULL,
  `attempts` longtext DEFAULT NULL,
  `data` longtext DEFAULT NULL,
  `items` longtext DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `facts_number` (`last_seq`),
  KEY `facts_at` (`at`),
  CONSTRAINT `CONSTRAINT_1` CHECK (`subject` is null <> (`subjects` is null)),
  CONSTRAINT `CONSTRAINT_2` CHECK (`subjects` is null or json_valid(`subjects`) and json_length(`subjects`) = `n`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `finished` (
  `job_id` varchar(36) NOT NULL,
  `state` varchar(16) NOT NULL CHECK (`state` in ('succeeded','failed','canceled','skipped','uncertain')),
  `reason` varchar(2048) DEFAULT NULL,
  `finished_at` bigint(20) NOT NULL,
  `queued_at` bigint(20) DEFAULT NULL,
  `attempt` int(11) NOT NULL,
  `tries` int(11) NOT NULL,
  `losses` int(11) NOT NULL,
  `run` int(11) NOT NULL,
  `fingerprint` varchar(64) DEFAULT NULL,
  `discarded_at` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`job_id`),
  KEY `finished_letters` (`state`,`discarded_at`,`fingerprint`,`job_id`),
  KEY `finished_others` (`state`,`job_id`),
  CONSTRAINT `CONSTRAINT_1` CHECK (`state` <> 'failed' or `reason` is not null and `fingerprint` is not null)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `fires` (
  `schedule_id` varchar(36) NOT NULL,
  `at` bigint(20) NOT NULL,
  `recorded_at` bigint(20) NOT NULL,
  `made` longtext DEFAULT NULL,
  `by_hand` tinyint(1) NOT NULL CHECK (`by_hand` in (0,1)),
  `missed_until` bigint(20) DEFAULT NULL,
  `missed` bigint(20) DEFAULT NULL CHECK (`missed` >= 1),
  `reason` varchar(2048) DEFAULT NULL,
  PRIMARY KEY (`schedule_id`,`at`),
  KEY `fires_recorded_at` (`recorded_at`),
  CONSTRAINT `CONSTRAINT_1` CHECK (`made` is null = (`missed` is not null)),
  CONSTRAINT `CONSTRAINT_2` CHECK (`missed` is null = (`missed_until` is null) and `missed` is null = (`reason` is null)),
  CONSTRAINT `CONSTRAINT_3` CHECK (`missed_until` >= `at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `hint_generation` (
  `id` bigint(20) NOT NULL CHECK (`id` = 1),
  `number` bigint(20) NOT NULL CHECK (`number` >= 0),
  `incarnation` varchar(255) NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `inbox` (
  `recipient` bigint(20) NOT NULL,
  `seq` bigint(20) NOT NULL CHECK (`seq` >= 1),
  `id` varchar(36) NOT NULL,
  `campaign_id` varchar(36) DEFAULT NULL,
  `notification_id` varchar(36) DEFAULT NULL,
  `category` varchar(255) NOT NULL,
  `title` longtext NOT NULL,
  `body` longtext NOT NULL,
  `data` longtext DEFAULT NULL,
  `created_at` bigint(20) NOT NULL,
  `read_at` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`recipient`,`seq`),
  UNIQUE KEY `id` (`id`),
  UNIQUE KEY `inbox_campaign` (`campaign_id`,`recipient`),
  CONSTRAINT `CONSTRAINT_1` CHECK (`campaign_id` is null or `notification_id` is null)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `inboxes` (
  `recipient` bigint(20) NOT NULL,
  `unread` bigint(20) NOT NULL CHECK (`unread` >= 0),
  `version` bigint(20) NOT NULL,
  PRIMARY KEY (`recipient`),
  CONSTRAINT `CONSTRAINT_1` CHECK (`version` >= `unread`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `installation` (
  `id` bigint(20) NOT NULL CHECK (`id` = 1),
  `secret` varchar(64) NOT NULL CHECK (char_length(`secret`) = 64),
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `jobs` (
  `id` varchar(36) NOT NULL,
  `key` varchar(512) DEFAULT NULL,
  `kind` varchar(255) NOT NULL,
  `queue` varchar(255) NOT NULL,
  `priority` smallint(6) NOT NULL CHECK (`priority` between -100 and 100),
  `payload` longtext NOT NULL,
  `run_at` bigint(20) NOT NULL,
  `max_attempts` int(11) NOT NULL CHECK (`max_attempts` >= 1),
  `backoff` longtext NOT NULL,
  `timeout_us` bigint(20) NOT NULL CHECK (`timeout_us` > 0),
  `expires_at` bigint(20) DEFAULT NULL,
  `delivery` varchar(16) NOT NULL CHECK (`delivery` in ('at_least_once','at_most_once')),
  `tags` longtext NOT NULL,
  `created_at` bigint(20) NOT NULL,
  `trace` text DEFAULT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `job_keys` (
  `key` varchar(512) NOT NULL,
  `job_id` varchar(36) NOT NULL,
  `content_hash` varchar(128) NOT NULL,
  `created_at` bigint(20) NOT NULL,
  `ended_as` varchar(16) DEFAULT NULL CHECK (`ended_as` in ('succeeded','failed','canceled','skipped','uncertain')),
  `ended_at` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`key`),
  KEY `job_keys_created_at` (`created_at`),
  CONSTRAINT `CONSTRAINT_1` CHECK (`ended_as` is null = (`ended_at` is null))
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `job_operations` (
  `id` varchar(36) NOT NULL,
  `action` varchar(16) NOT NULL CHECK (`action` in ('cancel','retry')),
  `filter` longtext NOT NULL,
  `reason` longtext DEFAULT NULL,
  `total` bigint(20) NOT NULL,
  `at_least` tinyint(1) NOT NULL CHECK (`at_least` in (0,1)),
  `done` bigint(20) NOT NULL DEFAULT 0,
  `skipped` bigint(20) NOT NULL DEFAULT 0,
  `cursor` varchar(64) NOT NULL DEFAULT 'ffffffff-ffff-ffff-ffff-ffffffffffff',
  `created_at` bigint(20) NOT NULL,
  `finished_at` bigint(20) DEFAULT NULL,
  `stopped` tinyint(1) NOT NULL DEFAULT 0 CHECK (`stopped` in (0,1)),
  PRIMARY KEY (`id`),
  KEY `job_operations_unfinished` (`finished_at`,`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `late_results` (
  `job_id` varchar(36) NOT NULL,
  `attempt` int(11) NOT NULL,
  `outcome` varchar(16) NOT NULL,
  `at` bigint(20) NOT NULL,
  `adopted` tinyint(1) NOT NULL CHECK (`adopted` in (0,1)),
  `result` longtext DEFAULT NULL,
  PRIMARY KEY (`job_id`,`attempt`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `leadership` (
  `id` bigint(20) NOT NULL CHECK (`id` = 1),
  `node` varchar(255) DEFAULT NULL,
  `until` bigint(20) NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `leased` (
  `job_id` varchar(36) NOT NULL,
  `lease_id` varchar(36) NOT NULL,
  `attempt` int(11) NOT NULL,
  `tries` int(11) NOT NULL,
  `losses` int(11) NOT NULL,
  `run` int(11) NOT NULL,
  `since` bigint(20) NOT NULL,
  PRIMARY KEY (`job_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `leased_blocks` (
  `lease_id` varchar(36) NOT NULL,
  `block` varchar(35) NOT NULL,
  `since` bigint(20) NOT NULL,
  `bits` bigint(20) unsigned NOT NULL,
  `first` varchar(36) NOT NULL,
  `last` varchar(36) NOT NULL,
  PRIMARY KEY (`lease_id`,`block`,`since`),
  KEY `leased_blocks_block` (`block`),
  CONSTRAINT `CONSTRAINT_1` CHECK (`first` <= `last` and left(`first`,34) = left(`block`,34) and left(`last`,34) = left(`block`,34))
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `leases` (
  `id` varchar(36) NOT NULL,
  `worker_id` varchar(36) NOT NULL,
  `queue` varchar(255) NOT NULL,
  `until` bigint(20) NOT NULL,
  `claimed_at` bigint(20) NOT NULL,
  `open` int(11) NOT NULL CHECK (`open` >= 0),
  PRIMARY KEY (`id`),
  KEY `leases_worker` (`worker_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `markers` (
  `minute` bigint(20) NOT NULL,
  `kind` varchar(64) NOT NULL,
  `n` bigint(20) NOT NULL CHECK (`n` > 0),
  `subject` longtext DEFAULT NULL,
  `version` longtext DEFAULT NULL,
  PRIMARY KEY (`minute`,`kind`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `nodes` (
  `id` varchar(36) NOT NULL,
  `name` varchar(255) NOT NULL,
  `address` longtext DEFAULT NULL,
  `version` varchar(64) NOT NULL,
  `roles` longtext NOT NULL,
  `started_at` bigint(20) NOT NULL,
  `seen_at` bigint(20) NOT NULL,
  `clock_ahead_us` bigint(20) DEFAULT NULL,
  `clock_bound_us` bigint(20) DEFAULT NULL CHECK (`clock_bound_us` >= 0),
  PRIMARY KEY (`id`),
  CONSTRAINT `CONSTRAINT_1` CHECK (`clock_ahead_us` is null = (`clock_bound_us` is null))
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `notifications` (
  `id` varchar(36) NOT NULL,
  `key` varchar(512) DEFAULT NULL,
  `content_hash` varchar(128) NOT NULL,
  `sent` longtext NOT NULL,
  `created_at` bigint(20) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `key` (`key`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `operations` (
  `id` varchar(36) NOT NULL,
  `action` varchar(16) NOT NULL CHECK (`action` in ('retry','discard')),
  `filter` longtext NOT NULL,
  `total` bigint(20) NOT NULL,
  `done` bigint(20) NOT NULL DEFAULT 0,
  `cursor` varchar(64) NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  `created_at` bigint(20) NOT NULL,
  `finished_at` bigint(20) DEFAULT NULL,
  `stopped` tinyint(1) NOT NULL DEFAULT 0 CHECK (`stopped` in (0,1)),
  PRIMARY KEY (`id`),
  KEY `operations_unfinished` (`finished_at`,`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `queues` (
  `name` varchar(255) NOT NULL,
  `paused` tinyint(1) NOT NULL DEFAULT 0 CHECK (`paused` in (0,1)),
  `max_running` int(11) DEFAULT NULL CHECK (`max_running` >= 1),
  `rate` double DEFAULT NULL CHECK (`rate` > 0),
  `tokens` double NOT NULL DEFAULT 0,
  `tokens_at` bigint(20) NOT NULL DEFAULT 0,
  `created_at` bigint(20) NOT NULL,
  `worked_by` varchar(16) NOT NULL DEFAULT 'server' CHECK (`worked_by` in ('server','remote')),
  PRIMARY KEY (`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `queue_counts` (
  `queue` varchar(255) NOT NULL,
  `state` varchar(16) NOT NULL,
  `n` bigint(20) NOT NULL,
  PRIMARY KEY (`queue`,`state`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `queue_minutes` (
  `queue` varchar(255) NOT NULL,
  `minute` bigint(20) NOT NULL,
  `n` bigint(20) NOT NULL,
  PRIMARY KEY (`queue`,`minute`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `ready` (
  `queue` varchar(255) NOT NULL,
  `priority` smallint(6) NOT NULL,
  `run_at` bigint(20) NOT NULL,
  `job_id` varchar(36) NOT NULL,
  `expires_at` bigint(20) DEFAULT NULL,
  `since` bigint(20) NOT NULL,
  `attempt` int(11) NOT NULL CHECK (`attempt` >= 0),
  `tries` int(11) NOT NULL CHECK (`tries` >= 0),
  `losses` int(11) NOT NULL CHECK (`losses` >= 0),
  `run` int(11) NOT NULL CHECK (`run` >= 1),
  PRIMARY KEY (`queue`,`priority`,`run_at`,`job_id`),
  UNIQUE KEY `ready_job` (`job_id`),
  KEY `ready_expiry` (`expires_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `ready_batches` (
  `queue` varchar(255) NOT NULL,
  `priority` smallint(6) NOT NULL,
  `run_at` bigint(20) NOT NULL,
  `first` varchar(36) NOT NULL,
  `last` varchar(36) NOT NULL,
  `n` int(11) NOT NULL,
  `expires_at` bigint(20) DEFAULT NULL,
  `since` bigint(20) NOT NULL,
  PRIMARY KEY (`queue`,`run_at`,`first`),
  UNIQUE KEY `ready_batches_first` (`first`),
  KEY `ready_batches_expiry` (`expires_at`),
  CONSTRAINT `CONSTRAINT_1` CHECK (`n` >= 1 and `first` <= `last`),
  CONSTRAINT `CONSTRAINT_2` CHECK (`n` = 1 = (`first` = `last`))
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `recipients` (
  `number` bigint(20) NOT NULL,
  `id` varchar(512) NOT NULL,
  `platform` varchar(64) NOT NULL,
  `lat` double DEFAULT NULL,
  `lon` double DEFAULT NULL,
  `topics` longtext NOT NULL,
  `enabled` tinyint(1) NOT NULL CHECK (`enabled` in (0,1)),
  `addresses` longtext NOT NULL,
  `time_zone` varchar(64) DEFAULT NULL,
  `dead` longtext NOT NULL,
  `marks` longtext NOT NULL,
  `created_at` bigint(20) NOT NULL,
  `updated_at` bigint(20) NOT NULL,
  `locale` varchar(64) DEFAULT NULL,
  PRIMARY KEY (`number`),
  UNIQUE KEY `id` (`id`),
  KEY `recipients_disabled` (`enabled`,`number`),
  CONSTRAINT `CONSTRAINT_1` CHECK (`lat` is null = (`lon` is null))
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `recipient_marks` (
  `mark` varchar(512) NOT NULL,
  `number` bigint(20) NOT NULL,
  PRIMARY KEY (`mark`,`number`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `recipient_numbers` (
  `id` bigint(20) NOT NULL CHECK (`id` = 1),
  `last` bigint(20) NOT NULL CHECK (`last` >= 0),
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `redrives` (
  `job_id` varchar(36) NOT NULL,
  `run` int(11) NOT NULL,
  `at` bigint(20) NOT NULL,
  `finished_at` bigint(20) NOT NULL,
  `queued_at` bigint(20) DEFAULT NULL,
  `discarded_at` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`job_id`,`run`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `relocated_pages` (
  `part` varchar(64) NOT NULL,
  `page` int(11) NOT NULL CHECK (`page` >= 1),
  `cursor` longtext NOT NULL,
  `n` int(11) NOT NULL,
  PRIMARY KEY (`part`,`page`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `relocation` (
  `id` bigint(20) NOT NULL CHECK (`id` = 1),
  `relocation_id` varchar(36) NOT NULL,
  `state` varchar(16) NOT NULL CHECK (`state` in ('leaving','left','arriving','arrived')),
  `peer` longtext NOT NULL,
  `installation` varchar(36) NOT NULL,
  `target` varchar(36) NOT NULL,
  `at` bigint(20) NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `rollups` (
  `queue` varchar(255) NOT NULL,
  `resolution` varchar(16) NOT NULL CHECK (`resolution` in ('minute','hour')),
  `span` bigint(20) NOT NULL,
  `state` varchar(16) NOT NULL,
  `came` bigint(20) NOT NULL CHECK (`came` >= 0),
  `went` bigint(20) NOT NULL CHECK (`went` >= 0),
  PRIMARY KEY (`queue`,`resolution`,`span`,`state`),
  KEY `rollups_span` (`resolution`,`span`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `schedules` (
  `id` varchar(36) NOT NULL,
  `name` varchar(255) NOT NULL,
  `cron` longtext NOT NULL,
  `time_zone` varchar(64) NOT NULL,
  `template` longtext NOT NULL,
  `lead_us` bigint(20) NOT NULL CHECK (`lead_us` >= 0),
  `missed` varchar(16) NOT NULL CHECK (`missed` in ('skip','latest','all')),
  `missed_max` bigint(20) NOT NULL CHECK (`missed_max` >= 0),
  `revision` int(11) NOT NULL CHECK (`revision` >= 1),
  `paused` tinyint(1) NOT NULL CHECK (`paused` in (0,1)),
  `next_at` bigint(20) DEFAULT NULL,
  `due_at` bigint(20) DEFAULT NULL,
  `last_at` bigint(20) DEFAULT NULL,
  `created_at` bigint(20) NOT NULL,
  `updated_at` bigint(20) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `name` (`name`),
  KEY `schedules_due` (`due_at`),
  CONSTRAINT `CONSTRAINT_1` CHECK (`next_at` is null = (`due_at` is null)),
  CONSTRAINT `CONSTRAINT_2` CHECK (`next_at` is null or `paused` = 0)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `schema_migrations` (
  `name` varchar(255) NOT NULL,
  `digest` varchar(64) NOT NULL,
  `oldest_program` int(11) NOT NULL,
  PRIMARY KEY (`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `schema_under_way` (
  `name` varchar(255) NOT NULL,
  `done` bigint(20) NOT NULL,
  PRIMARY KEY (`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `sessions` (
  `digest` varchar(64) NOT NULL CHECK (char_length(`digest`) = 64),
  `user_id` varchar(36) NOT NULL,
  `created_at` bigint(20) NOT NULL,
  `idle_until` bigint(20) NOT NULL,
  `ends_at` bigint(20) NOT NULL,
  PRIMARY KEY (`digest`),
  KEY `sessions_user_id` (`user_id`),
  KEY `sessions_idle_until` (`idle_until`),
  CONSTRAINT `CONSTRAINT_1` CHECK (`ends_at` >= `created_at`),
  CONSTRAINT `CONSTRAINT_2` CHECK (`idle_until` <= `ends_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `settlements` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `worker_id` varchar(36) NOT NULL,
  `leases` longtext NOT NULL,
  `claimed_at` longtext NOT NULL,
  `ended_at` bigint(20) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `settlements_ended_at` (`ended_at`),
  CONSTRAINT `CONSTRAINT_1` CHECK (json_valid(`leases`) and json_valid(`claimed_at`) and json_length(`leases`) = json_length(`claimed_at`))
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `set_up_tokens` (
  `id` bigint(20) NOT NULL CHECK (`id` = 1),
  `digest` varchar(64) NOT NULL CHECK (char_length(`digest`) = 64),
  `until` bigint(20) NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `staged_jobs` (
  `id` varchar(36) NOT NULL,
  `key` varchar(512) DEFAULT NULL,
  `job` longtext NOT NULL CHECK (octet_length(`job`) <= 524288),
  `at` bigint(20) NOT NULL,
  `refused` longtext DEFAULT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `stream` (
  `id` bigint(20) NOT NULL CHECK (`id` = 1),
  `installation` varchar(36) NOT NULL,
  `epoch` bigint(20) NOT NULL CHECK (`epoch` >= 1),
  `last_seq` bigint(20) NOT NULL CHECK (`last_seq` >= 0),
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `successes` (
  `job_id` varchar(36) NOT NULL,
  `settlement_id` bigint(20) NOT NULL,
  `lease` int(11) NOT NULL CHECK (`lease` >= 1),
  `queued_at` bigint(20) NOT NULL,
  `started_at` bigint(20) DEFAULT NULL,
  `result` longtext DEFAULT NULL,
  PRIMARY KEY (`job_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `success_blocks` (
  `block` varchar(35) NOT NULL,
  `settlement_id` bigint(20) NOT NULL,
  `queued_at` bigint(20) NOT NULL,
  `bits` bigint(20) unsigned NOT NULL,
  `first` varchar(36) NOT NULL,
  `last` varchar(36) NOT NULL,
  `started_ats` longtext NOT NULL,
  `results` longtext DEFAULT NULL,
  PRIMARY KEY (`block`,`settlement_id`,`queued_at`),
  CONSTRAINT `CONSTRAINT_1` CHECK (`first` <= `last` and left(`first`,34) = left(`block`,34) and left(`last`,34) = left(`block`,34)),
  CONSTRAINT `CONSTRAINT_2` CHECK (json_valid(`started_ats`)),
  CONSTRAINT `CONSTRAINT_3` CHECK (`results` is null or json_valid(`results`))
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `users` (
  `id` varchar(36) NOT NULL,
  `name` varchar(255) NOT NULL CHECK (char_length(`name`) between 1 and 64),
  `role` varchar(16) NOT NULL CHECK (`role` in ('viewer','operator','sender','admin')),
  `password` longtext DEFAULT NULL,
  `disabled` tinyint(1) NOT NULL CHECK (`disabled` in (0,1)),
  `created_at` bigint(20) NOT NULL,
  `signed_in_at` bigint(20) DEFAULT NULL,
  `failures` bigint(20) NOT NULL DEFAULT 0 CHECK (`failures` between 0 and 4294967295),
  `retry_at` bigint(20) DEFAULT NULL,
  `identity` varchar(64) DEFAULT NULL CHECK (char_length(`identity`) = 64),
  `issuer` longtext DEFAULT NULL,
  `subject` longtext DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `name` (`name`),
  UNIQUE KEY `users_identity` (`identity`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `waiting` (
  `job_id` varchar(36) NOT NULL,
  `state` varchar(16) NOT NULL CHECK (`state` in ('pending','retry_wait')),
  `queue` varchar(255) NOT NULL,
  `priority` smallint(6) NOT NULL,
  `run_at` bigint(20) NOT NULL,
  `expires_at` bigint(20) DEFAULT NULL,
  `since` bigint(20) NOT NULL,
  `attempt` int(11) NOT NULL CHECK (`attempt` >= 0),
  `tries` int(11) NOT NULL CHECK (`tries` >= 0),
  `losses` int(11) NOT NULL CHECK (`losses` >= 0),
  `run` int(11) NOT NULL CHECK (`run` >= 1),
  PRIMARY KEY (`job_id`),
  KEY `waiting_due` (`run_at`,`job_id`),
  KEY `waiting_expiry` (`expires_at`),
  CONSTRAINT `CONSTRAINT_1` CHECK (`state` = 'pending' or `attempt` >= 1)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `waits` (
  `queue` varchar(255) NOT NULL,
  `resolution` varchar(16) NOT NULL CHECK (`resolution` in ('minute','hour')),
  `span` bigint(20) NOT NULL,
  `bucket` bigint(20) NOT NULL CHECK (`bucket` >= 0 and `bucket` < 32),
  `n` bigint(20) NOT NULL CHECK (`n` > 0),
  PRIMARY KEY (`queue`,`resolution`,`span`,`bucket`),
  KEY `waits_span` (`resolution`,`span`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `workers` (
  `id` varchar(36) NOT NULL,
  `name` varchar(255) NOT NULL,
  `version` varchar(64) NOT NULL,
  `slots` longtext NOT NULL,
  `running` bigint(20) NOT NULL,
  `draining` tinyint(1) NOT NULL CHECK (`draining` in (0,1)),
  `started_at` bigint(20) NOT NULL,
  `seen_at` bigint(20) NOT NULL,
  `left_at` bigint(20) DEFAULT NULL,
  `lease_us` bigint(20) DEFAULT NULL,
  `remote` longtext DEFAULT NULL,
  `drain` tinyint(1) NOT NULL DEFAULT 0 CHECK (`drain` in (0,1)),
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE ALGORITHM=UNDEFINED SQL SECURITY INVOKER VIEW `batched` AS select `b`.`first` AS `batch`,`j`.`id` AS `job_id`,`b`.`queue` AS `queue`,`b`.`priority` AS `priority`,`b`.`run_at` AS `run_at`,`b`.`expires_at` AS `expires_at`,`b`.`since` AS `since` from (`ready_batches` `b` straight_join `jobs` `j` FORCE INDEX (PRIMARY) on(`j`.`id` >= `b`.`first` and `j`.`id` <= `b`.`last` and `j`.`run_at` = `b`.`run_at` and `j`.`queue` = `b`.`queue` and !exists(select 1 from `finished` `f` where `f`.`job_id` = `j`.`id` limit 1)));

CREATE ALGORITHM=UNDEFINED SQL SECURITY INVOKER VIEW `held` AS select `h`.`job_id` AS `job_id`,`h`.`lease_id` AS `lease_id`,`l`.`worker_id` AS `worker_id`,`l`.`queue` AS `queue`,`l`.`until` AS `until`,`l`.`claimed_at` AS `claimed_at`,`h`.`attempt` AS `attempt`,`h`.`tries` AS `tries`,`h`.`losses` AS `losses`,`h`.`run` AS `run`,`h`.`since` AS `since` from (`leased` `h` join `leases` `l` on(`l`.`id` = `h`.`lease_id`)) union all select `j`.`id` AS `id`,`b`.`lease_id` AS `lease_id`,`l`.`worker_id` AS `worker_id`,`l`.`queue` AS `queue`,`l`.`until` AS `until`,`l`.`claimed_at` AS `claimed_at`,1 AS `1`,1 AS `1`,0 AS `0`,1 AS `1`,`b`.`since` AS `since` from ((`leased_blocks` `b` straight_join `leases` `l` FORCE INDEX (PRIMARY) on(`l`.`id` = `b`.`lease_id`)) straight_join `jobs` `j` FORCE INDEX (PRIMARY) on(`j`.`id` >= `b`.`first` and `j`.`id` <= `b`.`last` and `b`.`bits` & 1 << (ord(unhex(right(`j`.`id`,2))) & 63) > 0));

CREATE ALGORITHM=UNDEFINED SQL SECURITY INVOKER VIEW `job_places` AS select `j`.`id` AS `id`,`j`.`key` AS `key`,`j`.`kind` AS `kind`,`j`.`queue` AS `queue`,case when `s`.`job_id` is not null or `u`.`block` is not null then 'succeeded' when `w`.`job_id` is not null then `w`.`state` when `r`.`job_id` is not null or `b`.`first` is not null then 'queued' when `f`.`job_id` is not null then `f`.`state` else 'running' end AS `state`,`f`.`reason` AS `reason`,`j`.`priority` AS `priority`,`j`.`payload` AS `payload`,coalesce(`w`.`run_at`,`r`.`run_at`,`b`.`run_at`,least(coalesce((select `a`.`next_run_at` from `attempts` `a` where `a`.`job_id` = `j`.`id` and `a`.`next_run_at` is not null order by `a`.`attempt` desc limit 1),`j`.`run_at`),coalesce(`h`.`since`,`i`.`since`,9223372036854775807))) AS `run_at`,coalesce(`w`.`attempt`,`r`.`attempt`,`f`.`attempt`,`h`.`attempt`,case when `s`.`job_id` is not null or `u`.`block` is not null or `i`.`block` is not null then 1 end,0) AS `attempt`,coalesce(`w`.`tries`,`r`.`tries`,`f`.`tries`,`h`.`tries`,case when `s`.`job_id` is not null or `u`.`block` is not null or `i`.`block` is not null then 1 end,0) AS `tries`,`j`.`max_attempts` AS `max_attempts`,coalesce(`w`.`losses`,`r`.`losses`,`f`.`losses`,`h`.`losses`,0) AS `losses`,coalesce(`w`.`run`,`r`.`run`,`f`.`run`,`h`.`run`,1) AS `run`,`j`.`backoff` AS `backoff`,`j`.`timeout_us` AS `timeout_us`,`j`.`expires_at` AS `expires_at`,`j`.`delivery` AS `delivery`,`j`.`tags` AS `tags`,`a`.`class` AS `class`,`a`.`code` AS `code`,`a`.`message` AS `message`,case when `s`.`job_id` is not null then `s`.`result` when `u`.`block` is not null then case when cast(json_type(json_extract(case when json_valid(`u`.`results`) then `u`.`results` end,concat('$[',ord(unhex(right(`j`.`id`,2))) - ord(unhex(right(`u`.`first`,2))),']'))) as char(16) charset utf8mb4 binary) = 'STRING' then json_unquote(json_extract(`u`.`results`,concat('$[',ord(unhex(right(`j`.`id`,2))) - ord(unhex(right(`u`.`first`,2))),']'))) collate utf8mb4_nopad_bin end when `f`.`state` = 'succeeded' then coalesce(`a`.`result`,(select `t`.`result` from `late_results` `t` where `t`.`job_id` = `j`.`id` and `t`.`adopted` <> 0 order by `t`.`attempt` desc limit 1)) end AS `result`,`j`.`created_at` AS `created_at`,coalesce(`w`.`since`,`r`.`since`,`b`.`since`,`f`.`finished_at`,`t`.`ended_at`,`l`.`claimed_at`,`j`.`created_at`) AS `updated_at`,coalesce(`f`.`finished_at`,`t`.`ended_at`) AS `finished_at`,`l`.`worker_id` AS `worker_id`,`l`.`until` AS `until`,`c`.`asked_at` AS `asked_at` from ((((((((((((`jobs` `j` left join `successes` `s` on(`s`.`job_id` = `j`.`id`)) left join `success_blocks` `u` FORCE INDEX (PRIMARY) on(`u`.`block` = concat(left(`j`.`id`,34),ord(unhex(right(`j`.`id`,2))) >> 6) and `u`.`bits` & 1 << (ord(unhex(right(`j`.`id`,2))) & 63) > 0)) left join `settlements` `t` on(`t`.`id` = coalesce(`s`.`settlement_id`,`u`.`settlement_id`))) left join `waiting` `w` on(`w`.`job_id` = `j`.`id`)) left join `ready` `r` on(`r`.`job_id` = `j`.`id`)) left join `finished` `f` on(`f`.`job_id` = `j`.`id`)) left join `ready_batches` `b` FORCE INDEX (PRIMARY) on(`b`.`queue` = `j`.`queue` and `b`.`run_at` = `j`.`run_at` and `b`.`first` <= `j`.`id` and `b`.`last` >= `j`.`id` and `f`.`job_id` is null)) left join `leased` `h` on(`h`.`job_id` = `j`.`id`)) left join `leased_blocks` `i` FORCE INDEX (`leased_blocks_block`) on(`i`.`block` = concat(left(`j`.`id`,34),ord(unhex(right(`j`.`id`,2))) >> 6) and `i`.`bits` & 1 << (ord(unhex(right(`j`.`id`,2))) & 63) > 0)) left join `leases` `l` on(`l`.`id` = coalesce(`h`.`lease_id`,`i`.`lease_id`))) left join `cancellations` `c` on(`c`.`job_id` = `j`.`id`)) left join `attempts` `a` on(`a`.`job_id` = `j`.`id` and `a`.`attempt` = (select max(`x`.`attempt`) from `attempts` `x` where `x`.`job_id` = `j`.`id`)));

CREATE ALGORITHM=UNDEFINED SQL SECURITY INVOKER VIEW `results` AS select `attempts`.`job_id` AS `job_id`,`attempts`.`attempt` AS `attempt`,`attempts`.`run` AS `run`,`attempts`.`lease_id` AS `lease_id`,`attempts`.`worker_id` AS `worker_id`,`attempts`.`queued_at` AS `queued_at`,`attempts`.`claimed_at` AS `claimed_at`,`attempts`.`started_at` AS `started_at`,`attempts`.`ended_at` AS `ended_at`,`attempts`.`cancel_asked_at` AS `cancel_asked_at`,`attempts`.`outcome` AS `outcome`,`attempts`.`state` AS `state`,`attempts`.`reason` AS `reason`,`attempts`.`next_run_at` AS `next_run_at`,`attempts`.`tries` AS `tries`,`attempts`.`losses` AS `losses`,`attempts`.`class` AS `class`,`attempts`.`code` AS `code`,`attempts`.`message` AS `message`,`attempts`.`fingerprint` AS `fingerprint`,`attempts`.`result` AS `result` from `attempts` union all select `s`.`job_id` AS `job_id`,1 AS `1`,1 AS `1`,cast(json_unquote(json_extract(case when json_valid(`t`.`leases`) then `t`.`leases` end,concat('$[',`s`.`lease` - 1,']'))) as char(36) charset utf8mb4 binary) collate utf8mb4_nopad_bin AS `Name_exp_4`,`t`.`worker_id` AS `worker_id`,`s`.`queued_at` AS `queued_at`,cast(json_extract(case when json_valid(`t`.`claimed_at`) then `t`.`claimed_at` end,concat('$[',`s`.`lease` - 1,']')) as signed) AS `Name_exp_7`,`s`.`started_at` AS `started_at`,`t`.`ended_at` AS `ended_at`,NULL AS `NULL`,'succeeded' AS `succeeded`,'succeeded' AS `succeeded`,NULL AS `NULL`,NULL AS `NULL`,1 AS `1`,0 AS `0`,NULL AS `NULL`,NULL AS `NULL`,NULL AS `NULL`,NULL AS `NULL`,`s`.`result` AS `result` from (`successes` `s` FORCE INDEX (PRIMARY) join `settlements` `t` on(`t`.`id` = `s`.`settlement_id`)) union all select `j`.`id` AS `id`,1 AS `1`,1 AS `1`,cast(json_unquote(json_extract(case when json_valid(`t`.`leases`) then `t`.`leases` end,'$[0]')) as char(36) charset utf8mb4 binary) collate utf8mb4_nopad_bin AS `Name_exp_4`,`t`.`worker_id` AS `worker_id`,`u`.`queued_at` AS `queued_at`,cast(json_extract(case when json_valid(`t`.`claimed_at`) then `t`.`claimed_at` end,'$[0]') as signed) AS `Name_exp_7`,case when cast(json_type(json_extract(case when json_valid(`u`.`started_ats`) then `u`.`started_ats` end,concat('$[',ord(unhex(right(`j`.`id`,2))) - ord(unhex(right(`u`.`first`,2))),']'))) as char(16) charset utf8mb4 binary) like '%INTEGER' then cast(json_extract(case when json_valid(`u`.`started_ats`) then `u`.`started_ats` end,concat('$[',ord(unhex(right(`j`.`id`,2))) - ord(unhex(right(`u`.`first`,2))),']')) as signed) end AS `Name_exp_8`,`t`.`ended_at` AS `ended_at`,NULL AS `NULL`,'succeeded' AS `succeeded`,'succeeded' AS `succeeded`,NULL AS `NULL`,NULL AS `NULL`,1 AS `1`,0 AS `0`,NULL AS `NULL`,NULL AS `NULL`,NULL AS `NULL`,NULL AS `NULL`,case when cast(json_type(json_extract(case when json_valid(`u`.`results`) then `u`.`results` end,concat('$[',ord(unhex(right(`j`.`id`,2))) - ord(unhex(right(`u`.`first`,2))),']'))) as char(16) charset utf8mb4 binary) = 'STRING' then json_unquote(json_extract(`u`.`results`,concat('$[',ord(unhex(right(`j`.`id`,2))) - ord(unhex(right(`u`.`first`,2))),']'))) collate utf8mb4_nopad_bin end AS `Name_exp_21` from ((`jobs` `j` straight_join `success_blocks` `u` FORCE INDEX (PRIMARY) on(`u`.`block` = concat(left(`j`.`id`,34),ord(unhex(right(`j`.`id`,2))) >> 6) and `u`.`bits` & 1 << (ord(unhex(right(`j`.`id`,2))) & 63) > 0)) join `settlements` `t` on(`t`.`id` = `u`.`settlement_id`));
