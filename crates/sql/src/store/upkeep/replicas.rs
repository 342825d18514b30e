//! Who else has what a MariaDB confirms: a replica that is waited for, or the other members of a Galera cluster.

use baton_ports::store::Finding;

use super::{Settings, is};

/// Whether what is confirmed survives the loss of the server that confirmed it.
pub(super) fn are_there(settings: &Settings) -> bool {
    is_in_a_cluster(settings) && count(settings, "wsrep_cluster_size") > 1 || is_followed(settings)
}

pub(super) fn findings(settings: &Settings) -> Vec<Finding> {
    let mut findings = Vec::new();
    if is(settings, "wsrep_on", "on") {
        findings.push(cluster(settings));
    }
    if is(settings, "rpl_semi_sync_master_status", "on") {
        findings.push(replica(settings));
    }
    findings
}

fn cluster(settings: &Settings) -> Finding {
    let is_good = is_in_a_cluster(settings);
    let message = if is_good {
        let size = count(settings, "wsrep_cluster_size");
        format!(
            "is on, members: {size}; all servers of Baton must speak with the same one, and with another only when that one is gone"
        )
    } else {
        "is on: this member belongs to no cluster at the moment and answers nothing; connect to another".to_owned()
    };
    Finding {
        is_good,
        subject: "wsrep_on".to_owned(),
        message,
    }
}

fn replica(settings: &Settings) -> Finding {
    let is_good = is_followed(settings);
    let message = if is_good {
        let timeout = settings.get("rpl_semi_sync_master_timeout");
        let timeout = timeout.map_or("some", String::as_str);
        format!(
            "a replica has what is confirmed; after {timeout} ms without it the server goes on alone"
        )
    } else if count(settings, "rpl_semi_sync_master_clients") == 0 {
        "no replica is there: what is confirmed is on this machine alone".to_owned()
    } else {
        "what was committed is seen before a replica has it; set rpl_semi_sync_master_wait_point = AFTER_SYNC".to_owned()
    };
    Finding {
        is_good,
        subject: "rpl_semi_sync_master".to_owned(),
        message,
    }
}

fn is_in_a_cluster(settings: &Settings) -> bool {
    is(settings, "wsrep_on", "on") && is(settings, "wsrep_cluster_status", "primary")
}

fn is_followed(settings: &Settings) -> bool {
    is(settings, "rpl_semi_sync_master_status", "on")
        && is(settings, "rpl_semi_sync_master_wait_point", "after_sync")
        && count(settings, "rpl_semi_sync_master_clients") > 0
}

fn count(settings: &Settings, name: &str) -> u64 {
    let count = settings.get(name).and_then(|count| count.parse().ok());
    count.unwrap_or(0)
}
