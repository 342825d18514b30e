//! What `baton doctor` says of a Redis. Nothing here stops anything: losing Redis costs time only.

use std::{collections::HashMap, time::Duration};

use baton_domain::Timestamp;
use baton_ports::store::Finding;
use redis::{cmd, pipe};
use tokio::time::Instant;

use crate::{hints::Inner, info::Info, trouble::Trouble};

/// The first version with the commands that hints need.
const OLDEST: (u32, u32) = (6, 2);
/// An answer that takes longer makes hints slower than the database.
const SLOW: Duration = Duration::from_millis(20);
/// Clocks that differ by more mislead whoever compares logs.
const OFFSET: Duration = Duration::from_secs(1);
/// A dead client holds its hints and its connection until then, at the longest.
const KEEPALIVE: u64 = 300;
/// Questions of which the fastest answer counts.
const QUESTIONS: usize = 5;

/// What this Redis is like; `now` is the store's time.
pub async fn of(inner: &Inner, now: Timestamp) -> Vec<Finding> {
    match look(inner, now).await {
        Ok(findings) => findings,
        Err(trouble) => vec![bad("answer", trouble.why)],
    }
}

async fn look(inner: &Inner, now: Timestamp) -> Result<Vec<Finding>, Trouble> {
    let asked = Instant::now();
    let mut fastest = Duration::MAX;
    for _ in 0..QUESTIONS {
        let start = Instant::now();
        inner.line.ask::<()>(&cmd("PING")).await?;
        fastest = fastest.min(start.elapsed());
    }
    let (seconds, micros): (i64, i64) = inner.line.ask(&cmd("TIME")).await?;
    let present = now + asked.elapsed();
    let mut sections = pipe();
    for section in ["server", "memory", "replication"] {
        sections.cmd("INFO").arg(section);
    }
    let sections: Vec<String> = inner.line.ask_all(&sections).await?;
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

fn version(info: &Info) -> Finding {
    let version = info.get("redis_version");
    let mut numbers = version.split('.').map(|part| part.parse().unwrap_or(0));
    let found = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    if found >= OLDEST {
        return good("version", format!("is {version}"));
    }
    bad(
        "version",
        format!(
            "is {version}, which lacks commands that hints need: upgrade to 6.2 or later; until then work goes by the database"
        ),
    )
}

fn latency(fastest: Duration) -> Finding {
    let millis = fastest.as_secs_f64() * 1_000.0;
    if fastest <= SLOW {
        return good("latency", format!("is {millis:.2} ms"));
    }
    bad(
        "latency",
        format!("is {millis:.0} ms: hints this slow help little; use a Redis that is near"),
    )
}

fn clock(theirs: Timestamp, ours: Timestamp) -> Finding {
    let offset = theirs.since(ours).max(ours.since(theirs));
    let millis = offset.as_millis();
    if offset <= OFFSET {
        return good("clock", format!("is {millis} ms from Baton's"));
    }
    bad(
        "clock",
        format!(
            "is {millis} ms from Baton's: nothing depends on it but reading logs side by side; let both follow NTP"
        ),
    )
}

fn role(info: &Info) -> Finding {
    if info.get("role") != "slave" {
        return good("role", "is primary".to_owned());
    }
    bad(
        "role",
        "is replica: it takes no hints, so work goes by the database; point the URL at the primary"
            .to_owned(),
    )
}

fn policy(info: &Info) -> Finding {
    let policy = info.get("maxmemory_policy");
    if policy == "noeviction" || info.number("maxmemory") == 0 {
        return good("maxmemory-policy", format!("is {policy}"));
    }
    bad(
        "maxmemory-policy",
        format!(
            "is {policy}: when memory is short, whole lists of hints vanish and their jobs wait for the sweep; set noeviction, or give hints a Redis of their own"
        ),
    )
}

fn memory(info: &Info) -> Finding {
    let (used, most) = (info.number("used_memory"), info.number("maxmemory"));
    let mib = |bytes: u64| bytes / (1024 * 1024);
    if most == 0 {
        return good(
            "maxmemory",
            format!("is not set; {} MiB are used", mib(used)),
        );
    }
    let message = format!("is {} MiB, of which {} are used", mib(most), mib(used));
    if used.saturating_mul(5) < most.saturating_mul(4) {
        return good("maxmemory", message);
    }
    bad(
        "maxmemory",
        format!(
            "{message}: once it is full, hints are refused and work goes by the database; raise it"
        ),
    )
}

/// What CONFIG tells, where it may be asked.
async fn settings(inner: &Inner) -> Vec<Finding> {
    let mut config = cmd("CONFIG");
    config.arg("GET").arg("tcp-keepalive");
    let Ok(config) = inner.line.ask::<HashMap<String, String>>(&config).await else {
        return vec![good(
            "tcp-keepalive",
            "cannot be read here (CONFIG is not allowed)".to_owned(),
        )];
    };
    let keepalive = config
        .get("tcp-keepalive")
        .and_then(|value| value.parse().ok());
    let keepalive: u64 = keepalive.unwrap_or_default();
    if (1..=KEEPALIVE).contains(&keepalive) {
        return vec![good("tcp-keepalive", format!("is {keepalive} s"))];
    }
    let message = format!(
        "is {keepalive} s: connections of machines that vanished stay; set tcp-keepalive to 60"
    );
    vec![bad("tcp-keepalive", message)]
}

fn good(subject: &str, message: String) -> Finding {
    Finding {
        is_good: true,
        subject: format!("redis {subject}"),
        message,
    }
}

fn bad(subject: &str, message: String) -> Finding {
    Finding {
        is_good: false,
        subject: format!("redis {subject}"),
        message,
    }
}
