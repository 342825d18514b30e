//! What is left of a killed worker: processes with its name in their environment, as the machine lists them.

use std::{ffi::OsStr, fs, path::Path};

/// The variable that names a worker to its programs, and to whatever they start.
pub const WORKER: &str = "LAB_WORKER";

/// How much of a command is told.
const TOLD: usize = 80;

/// What runs for a worker: each process by its id and its command.
pub fn programs_of(worker: &str) -> Vec<String> {
    let wanted = format!("{WORKER}={worker}");
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let of_worker = processes.filter(|one| has(&one.path(), wanted.as_bytes()));
    of_worker
        .map(|one| named(&one.path(), &one.file_name()))
        .collect()
}

/// Whether a process has this in its environment. One that has ended has none.
fn has(process: &Path, wanted: &[u8]) -> bool {
    let environment = fs::read(process.join("environ")).unwrap_or_default();
    environment
        .split(|byte| *byte == 0)
        .any(|one| one == wanted)
}

fn named(process: &Path, id: &OsStr) -> String {
    let command = fs::read(process.join("cmdline")).unwrap_or_default();
    let command = String::from_utf8_lossy(&command).replace('\0', " ");
    let told: String = command.trim_end().chars().take(TOLD).collect();
    format!("process {} (`{told}`)", id.display())
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::{
        io::{BufRead, BufReader},
        os::unix::process::CommandExt,
        process::{Command, Stdio},
    };

    use super::*;

    #[test]
    fn whatever_a_program_has_started_is_found_by_the_name_of_its_worker_until_it_has_ended() {
        let mut program = Command::new("sh")
            .args(["-c", "sleep 4713 & echo begun; wait"])
            .env(WORKER, "remote-of-a-test.1")
            .process_group(0)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut out = BufReader::new(program.stdout.take().unwrap());
        out.read_line(&mut line).unwrap();

        let found = programs_of("remote-of-a-test.1");
        let others = programs_of("remote-of-a-test.10");
        let group = rustix::process::Pid::from_child(&program);
        rustix::process::kill_process_group(group, rustix::process::Signal::KILL).unwrap();
        program.wait().unwrap();
        // At the end of the pipe nobody is left who holds it.
        out.read_line(&mut line).unwrap();

        assert_eq!(found.len(), 2, "{found:?}");
        assert!(
            found.iter().any(|one| one.contains("sh -c sleep 4713")),
            "{found:?}"
        );
        assert_eq!(others, [""; 0]);
        assert_eq!(programs_of("remote-of-a-test.1"), [""; 0]);
    }
}
