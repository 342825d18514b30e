//! The two small parts that this program plays beside its worker: the first breath of each child, and the guard of all of them.
//!
//! A child asks the kernel to be killed when the thread that started it ends, and becomes what it was started for. That holds
//! for the child alone; what it starts itself is killed by the guard, a process that outlives the worker by a moment.

use std::{
    collections::BTreeSet,
    env, fs,
    io::{BufRead, ErrorKind, stdin},
    os::unix::process::CommandExt,
    process::{Command, ExitCode},
};

use rustix::process::{Pid, Signal, kill_process_group};

/// The word by which a child is begun: then come the process id of the worker, and the command.
pub const CHILD: &str = "__child";
/// The word by which the guard is begun.
pub const GUARD: &str = "__guard";

/// Cannot be started: it is no program that this user may run.
const NOT_ALLOWED: u8 = 126;
/// Cannot be started: there is no such program.
const NOT_FOUND: u8 = 127;

/// Plays its part, if this process was started for one.
pub fn play() -> Option<ExitCode> {
    let mut words = env::args_os().skip(1);
    let part = words.next()?;
    if part == CHILD {
        let parent = words.next()?.into_string().ok()?.parse().ok()?;
        let mut command = Command::new(words.next()?);
        command.args(words);
        Some(ExitCode::from(become_it(parent, command)))
    } else if part == GUARD {
        guard();
        Some(ExitCode::SUCCESS)
    } else {
        None
    }
}

fn become_it(parent: i32, mut command: Command) -> u8 {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::set_parent_process_death_signal(Some(Signal::KILL)) {
        eprintln!("baton: the command would outlive its worker: {error}");
        return NOT_ALLOWED;
    }
    // Between the two it may have ended, and nobody would be told any more.
    if rustix::process::getppid()
        .map(Pid::as_raw_nonzero)
        .map(i32::from)
        != Some(parent)
    {
        return NOT_ALLOWED;
    }
    let error = command.exec();
    eprintln!(
        "baton: {} cannot be started: {error}",
        command.get_program().display()
    );
    match error.kind() {
        ErrorKind::NotFound => NOT_FOUND,
        _ => NOT_ALLOWED,
    }
}

/// Reads which groups there are, `+4711`, and which are gone, `-4711`; at the end, which is the worker's, it kills the rest,
/// and removes the folder that it was told of by its path.
fn guard() {
    let (mut groups, mut folder) = (BTreeSet::new(), None);
    for line in stdin().lock().lines().map_while(Result::ok) {
        if line.starts_with('/') {
            folder = Some(line);
            continue;
        }
        let group = line.get(1..).and_then(|group| group.parse::<i32>().ok());
        let Some(group) = group.and_then(Pid::from_raw) else {
            continue;
        };
        if line.starts_with('+') {
            groups.insert(group.as_raw_nonzero());
        } else {
            groups.remove(&group.as_raw_nonzero());
        }
    }
    for group in groups {
        if let Some(group) = Pid::from_raw(group.get()) {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
    if let Some(folder) = folder {
        let _ = fs::remove_dir_all(folder);
    }
}
