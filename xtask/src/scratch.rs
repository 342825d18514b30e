//! Where tests write: into memory where there is plenty of it. They make hundreds of databases and throw them away, and none of them
//! asks more of a disk than that it remembers.

use std::env;
use std::fs;
use std::process::Command;

use crate::run::output;

const MEMORY: &str = "/dev/shm";
/// The room and the free memory that there have to be, in bytes: the tests of SQL alone hold more than half a GiB at a time.
const ENOUGH: u64 = 6 << 30;

/// The folder in memory; none where somebody has chosen another one, where memory is short, or where no program may be started from it.
pub fn in_memory() -> Option<&'static str> {
    let is_chosen = env::var_os("TMPDIR").is_some();
    let is_wide = || room().is_some_and(|room| room >= ENOUGH);
    let is_free =
        || fs::read_to_string("/proc/meminfo").is_ok_and(|told| available(&told) >= ENOUGH);
    let is_usable =
        || fs::read_to_string("/proc/mounts").is_ok_and(|told| may_start_programs(&told));
    (!is_chosen && is_usable() && is_wide() && is_free()).then_some(MEMORY)
}

/// The bytes that the folder still takes.
fn room() -> Option<u64> {
    let told =
        output(Command::new("df").args(["--output=avail", "--block-size=1", MEMORY])).ok()?;
    told.lines().last()?.trim().parse().ok()
}

/// The bytes of memory that can be had without swapping, by `/proc/meminfo`; none where it does not say.
fn available(told: &str) -> u64 {
    let line = told
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"));
    let kibibytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    kibibytes.unwrap_or(0) << 10
}

/// Whether the folder is one in memory, as `/proc/mounts` has it, in which a program may be started.
fn may_start_programs(told: &str) -> bool {
    let words = told.lines().map(|line| line.split(' ').collect::<Vec<_>>());
    let mut of_memory = words.filter(|words| words.get(1) == Some(&MEMORY));
    of_memory.any(|words| {
        words.get(2) == Some(&"tmpfs")
            && words.get(3).is_some_and(|options| {
                !options
                    .split(',')
                    .any(|option| option == "noexec" || option == "ro")
            })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_that_can_be_had_is_read_in_bytes() {
        let told = "MemTotal:       24683660 kB\nMemAvailable:   20455136 kB\n";

        assert_eq!(available(told), 20_455_136 << 10);
        assert_eq!(available("MemTotal: 1 kB\n"), 0);
    }

    #[test]
    fn a_folder_from_which_no_program_may_be_started_is_left_alone() {
        let usable = "/dev/vda / ext4 rw 0 0\ntmpfs /dev/shm tmpfs rw,nosuid,nodev 0 0\n";
        let barred = "shm /dev/shm tmpfs rw,nosuid,nodev,noexec,relatime,size=65536k 0 0\n";

        assert!(may_start_programs(usable));
        assert!(!may_start_programs(barred));
        assert!(!may_start_programs("/dev/vda / ext4 rw 0 0\n"));
    }
}
