//! What `baton doctor` says of a Redis. Nothing here stops anything: losing Redis costs time only.

mod verdicts;

use std::{collections::HashMap, time::Duration};

use baton_domain::Timestamp;
use baton_ports::store::Finding;
use redis::{cmd, pipe};
use tokio::time::Instant;

use self::verdicts::{
    bad, clock, good, latency, memory, output_limit, policy, role, tcp_keepalive, version,
};
use crate::{errors::LinkError, hints::Inner, info::Info};

/// Questions of which the fastest answer counts.
const QUESTIONS: usize = 5;

/// What this Redis is like; `now` is the store's time.
pub async fn of(inner: &Inner, now: Timestamp) -> Vec<Finding> {
    match look(inner, now).await {
        Ok(findings) => findings,
        Err(trouble) => vec![bad("answer", trouble.why)],
    }
}

/// A setting and its value.
type Setting = HashMap<String, String>;

async fn look(inner: &Inner, now: Timestamp) -> Result<Vec<Finding>, LinkError> {
    let asked = Instant::now();
    let mut fastest = Duration::MAX;
    for _ in 0..QUESTIONS {
        let start = Instant::now();
        inner.connection.ask::<()>(&cmd("PING")).await?;
        fastest = fastest.min(start.elapsed());
    }
    let (seconds, micros): (i64, i64) = inner.connection.ask(&cmd("TIME")).await?;
    let present = now + asked.elapsed();
    let mut sections = pipe();
    for section in ["server", "memory", "replication"] {
        sections.cmd("INFO").arg(section);
    }
    let sections: Vec<String> = inner.connection.ask_all(&sections).await?;
    let info = Info::read(&sections.join("\n"));
    let mut findings = vec![
        version(&info),
        latency(fastest),
        clock(
            Timestamp::from_micros(seconds * 1_000_000 + micros),
            present,
        ),
        role(&info),
        policy(&info),
        memory(&info),
        good(
            "persistence",
            "is not needed: hints are built anew from the database".to_owned(),
        ),
    ];
    findings.extend(settings(inner).await);
    Ok(findings)
}

/// What CONFIG tells, where it may be asked.
async fn settings(inner: &Inner) -> Vec<Finding> {
    let mut asked = pipe();
    for name in ["tcp-keepalive", "client-output-buffer-limit"] {
        asked.cmd("CONFIG").arg("GET").arg(name);
    }
    let Ok((keepalive, output)) = inner.connection.ask_all::<(Setting, Setting)>(&asked).await
    else {
        let message = "cannot be read here: CONFIG is not allowed".to_owned();
        return vec![good("settings", message)];
    };
    let value = |setting: Setting| setting.into_values().next().unwrap_or_default();
    vec![
        tcp_keepalive(&value(keepalive)),
        output_limit(&value(output)),
    ]
}
