//! What was measured on.

use std::{fs, time::Duration};

use serde::Serialize;

#[derive(Debug, Clone, Serialize)]
pub struct Machine {
    pub cores: usize,
    pub cpu: Option<String>,
    /// In bytes.
    pub memory: Option<u64>,
    pub os: String,
    /// How many processes wanted to run, over the last minute, this one's own included.
    pub load: Option<f64>,
}

impl Machine {
    pub fn here() -> Self {
        Self {
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            cpu: after("/proc/cpuinfo", "model name"),
            memory: after("/proc/meminfo", "MemTotal").and_then(|text| kilobytes(&text)),
            os: os(),
            load: load(),
        }
    }
}

/// How many processes want to run, over the last minute.
pub fn load() -> Option<f64> {
    let text = fs::read_to_string("/proc/loadavg").ok()?;
    text.split(' ').next()?.parse().ok()
}

/// The most memory a process has held so far, in bytes, where the system tells.
pub fn peak_memory(process: u32) -> Option<u64> {
    kilobytes(&after(&format!("/proc/{process}/status"), "VmHWM")?)
}

/// How much processor time a process has used so far, where the system tells.
pub fn processor_time(process: u32) -> Option<Duration> {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name may hold blanks; what follows its bracket does not.
    let (_, fields) = text.rsplit_once(')')?;
    let mut ticks = fields.split_ascii_whitespace().skip(11);
    let (user, system) = (ticks.next()?, ticks.next()?);
    let ticks = user.parse::<u64>().ok()? + system.parse::<u64>().ok()?;
    let each =
        Duration::from_secs(1) / u32::try_from(rustix::param::clock_ticks_per_second()).ok()?;
    Some(each * u32::try_from(ticks).ok()?)
}

/// What stands behind a name and a colon.
fn after(file: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let mut lines = text.lines().filter_map(|line| line.split_once(':'));
    let (_, value) = lines.find(|(key, _)| key.trim() == name)?;
    Some(value.trim().to_owned())
}

fn kilobytes(text: &str) -> Option<u64> {
    let number: u64 = text.strip_suffix("kB")?.trim().parse().ok()?;
    Some(number * 1024)
}

fn os() -> String {
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    format!(
        "{} {} {}",
        std::env::consts::OS,
        std::env::consts::ARCH,
        kernel.trim()
    )
}
