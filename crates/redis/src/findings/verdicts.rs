//! What is good about a Redis and what is not, and what to do about it.

use std::time::Duration;

use baton_domain::Timestamp;
use baton_ports::store::Finding;

use crate::info::Info;

/// The first version with the commands that hints need.
const OLDEST: (u32, u32) = (6, 2);
/// An answer that takes longer makes hints slower than the database.
const SLOW: Duration = Duration::from_millis(20);
/// Clocks that differ by more mislead whoever compares logs.
const OFFSET: Duration = Duration::from_secs(1);
/// The connection of a machine that vanished stays for so long, in seconds.
const KEEPALIVE: u64 = 300;
/// A client is cut off when more than this waits for it, in bytes; an answer of hints takes less.
const OUTPUT: u64 = 4 * 1024 * 1024;
pub(super) fn version(info: &Info) -> Finding {
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

pub(super) fn latency(fastest: Duration) -> Finding {
    let millis = fastest.as_secs_f64() * 1_000.0;
    if fastest <= SLOW {
        return good("latency", format!("is {millis:.2} ms"));
    }
    bad(
        "latency",
        format!("is {millis:.0} ms: hints this slow help little; use a Redis that is near"),
    )
}

pub(super) fn clock(theirs: Timestamp, ours: Timestamp) -> Finding {
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

pub(super) fn role(info: &Info) -> Finding {
    if info.get("role") != "slave" {
        return good("role", "is primary".to_owned());
    }
    bad(
        "role",
        "is replica: it takes no hints, so work goes by the database; point the URL at the primary"
            .to_owned(),
    )
}

pub(super) fn policy(info: &Info) -> Finding {
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

pub(super) fn memory(info: &Info) -> Finding {
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

pub(super) fn tcp_keepalive(seconds: &str) -> Finding {
    if (1..=KEEPALIVE).contains(&seconds.parse().unwrap_or(0)) {
        return good("tcp-keepalive", format!("is {seconds} s"));
    }
    let message = format!(
        "is {seconds} s: connections of machines that vanished stay; set tcp-keepalive to 60"
    );
    bad("tcp-keepalive", message)
}

/// `normal 0 0 0 slave 268435456 67108864 60 ...`: by class of client, the hard and the soft limit.
pub(super) fn output_limit(limits: &str) -> Finding {
    let mut words = limits
        .split(' ')
        .skip_while(|word| *word != "normal")
        .skip(1);
    let mut limit = || words.next().and_then(|word| word.parse().ok()).unwrap_or(0);
    let (hard, soft): (u64, u64) = (limit(), limit());
    let least = [hard, soft].into_iter().filter(|limit| *limit > 0).min();
    match least {
        Some(bytes) if bytes < OUTPUT => bad(
            "client-output-buffer-limit",
            format!(
                "is {bytes} bytes for normal clients: long answers break the connection; set it to 0 or to some megabytes"
            ),
        ),
        Some(bytes) => good("client-output-buffer-limit", format!("is {bytes} bytes")),
        None => good("client-output-buffer-limit", "is none".to_owned()),
    }
}

pub(super) fn good(subject: &str, message: String) -> Finding {
    Finding {
        is_good: true,
        subject: format!("redis {subject}"),
        message,
    }
}

pub(super) fn bad(subject: &str, message: String) -> Finding {
    Finding {
        is_good: false,
        subject: format!("redis {subject}"),
        message,
    }
}
