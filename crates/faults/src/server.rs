//! A server in a process that can be killed: this program itself, or another version of it.

use std::{
    ffi::OsStr,
    fs::{self, File},
    path::{Path, PathBuf},
    process::{ExitStatus, Stdio},
    time::Duration,
};

use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::{Child, Command},
    time::timeout,
};

use crate::Failure;

/// How long a start may take, on a machine that is busy with others.
const START: Duration = Duration::from_mins(1);
/// How long a stop may take.
const STOP: Duration = Duration::from_secs(15);
/// How much of the log a failure shows.
const LAST_LINES: usize = 8;

pub struct Server {
    child: Child,
    process: u32,
    url: String,
    log: PathBuf,
}

impl Server {
    /// Starts a server with these flags, what it keeps in this folder, and waits until it says that it
    /// is ready.
    pub async fn start<S: AsRef<OsStr>>(
        folder: &Path,
        flags: impl IntoIterator<Item = S>,
    ) -> Result<Self, Failure> {
        let log = folder.join("serve.log");
        Self::start_program(&this_program()?, folder, &log, flags, []).await
    }

    /// The same with a server that asks everybody who they are.
    pub async fn start_closed<S: AsRef<OsStr>>(
        folder: &Path,
        flags: impl IntoIterator<Item = S>,
    ) -> Result<Self, Failure> {
        let mut command = closed_command(&this_program()?, folder);
        command.args(flags);
        Self::spawn(command, &folder.join("serve.log")).await
    }

    /// The same with another program, what it says in another file, and more in its environment.
    pub async fn start_program<S: AsRef<OsStr>>(
        program: &Path,
        folder: &Path,
        log: &Path,
        flags: impl IntoIterator<Item = S>,
        environment: impl IntoIterator<Item = (&'static str, PathBuf)>,
    ) -> Result<Self, Failure> {
        let mut command = serve_command(program, folder);
        command.args(flags).envs(environment);
        Self::spawn(command, log).await
    }

    async fn spawn(mut command: Command, log: &Path) -> Result<Self, Failure> {
        let mut child = command
            .stderr(append(log)?)
            .spawn()
            .map_err(|error| Failure::new(format!("the server cannot be started: {error}")))?;
        let out = child.stdout.take();
        let mut lines =
            BufReader::new(out.ok_or_else(|| Failure::new("the server has no stdout"))?).lines();
        let line = timeout(START, lines.next_line()).await;
        let Ok(Ok(Some(line))) = line else {
            return Err(dead(log));
        };
        let url = line.rsplit(' ').next().unwrap_or_default().to_owned();
        Ok(Self {
            process: child.id().unwrap_or_default(),
            child,
            url,
            log: log.to_owned(),
        })
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    /// What it listens on.
    pub fn address(&self) -> &str {
        self.url.trim_start_matches("http://")
    }

    pub const fn process(&self) -> u32 {
        self.process
    }

    /// Kills it with the signal that cannot be caught.
    pub async fn kill(&mut self) -> Result<(), Failure> {
        self.assert_alive()?;
        let killed = self.child.kill().await;
        killed.map_err(|error| Failure::new(format!("the server cannot be killed: {error}")))
    }

    /// Fails when it has ended by itself.
    pub fn assert_alive(&mut self) -> Result<(), Failure> {
        match self.child.try_wait() {
            Ok(Some(status)) => Err(self
                .dead()
                .then(format!("It had ended by itself: {status}."))),
            _ => Ok(()),
        }
    }

    /// Whether it runs.
    pub fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Freezes it.
    #[cfg(unix)]
    pub fn pause(&self) -> Result<(), Failure> {
        self.signal(rustix::process::Signal::STOP)
    }

    /// Lets a frozen one go on.
    #[cfg(unix)]
    pub fn resume(&self) -> Result<(), Failure> {
        self.signal(rustix::process::Signal::CONT)
    }

    /// Tells it to stop, and waits for an orderly end.
    pub async fn stop(mut self) -> Result<(), Failure> {
        self.ask_to_stop().await?;
        match timeout(STOP, self.child.wait()).await {
            Ok(Ok(status)) if status.success() => Ok(()),
            Ok(Ok(status)) => Err(dead(&self.log).then(format!("It ended with {status}."))),
            _ => Err(Failure::new("the server did not stop in time")),
        }
    }

    /// Waits for its end. One that cannot be waited for is not there.
    pub async fn ended(&mut self) -> Option<ExitStatus> {
        self.child.wait().await.ok()
    }

    /// What to say of a server that has ended.
    pub fn dead(&self) -> Failure {
        dead(&self.log)
    }

    /// Tells it to stop.
    #[cfg(unix)]
    pub async fn ask_to_stop(&mut self) -> Result<(), Failure> {
        self.signal(rustix::process::Signal::TERM)
    }

    #[cfg(unix)]
    fn signal(&self, signal: rustix::process::Signal) -> Result<(), Failure> {
        use rustix::process::{Pid, kill_process};
        let process = i32::try_from(self.process).ok().and_then(Pid::from_raw);
        let sent = process.map_or(Ok(()), |process| kill_process(process, signal));
        sent.map_err(|error| Failure::new(format!("the server cannot be sent a signal: {error}")))
    }

    #[cfg(not(unix))]
    async fn ask_to_stop(&mut self) -> Result<(), Failure> {
        self.kill().await
    }
}

/// The program that runs.
pub fn this_program() -> Result<PathBuf, Failure> {
    std::env::current_exe()
        .map_err(|error| Failure::new(format!("this program cannot be found: {error}")))
}

/// The command `baton serve`, for a server that keeps all in this folder.
#[must_use]
pub fn serve_command(program: &Path, folder: &Path) -> Command {
    let mut command = closed_command(program, folder);
    // Whoever asks it shows no credential.
    command.arg("--dev");
    command
}

fn closed_command(program: &Path, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command
        .arg("serve")
        .args(["--log-format", "json", "--migrate"])
        .args(["--allow-private-targets", "--allow-unsafe-durability"])
        .arg("--data-dir")
        .arg(folder);
    // What the caller's own server is told must not reach this one.
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("BATON_") {
            command.env_remove(name);
        }
    }
    command
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .kill_on_drop(true);
    // Ctrl-C is for the command, which then stops the server itself.
    #[cfg(unix)]
    command.process_group(0);
    command
}

fn append(log: &Path) -> Result<Stdio, Failure> {
    let file = File::options().create(true).append(true).open(log);
    file.map(Stdio::from)
        .map_err(|error| Failure::new(format!("{} cannot be written: {error}", log.display())))
}

fn dead(log: &Path) -> Failure {
    let text = fs::read_to_string(log).unwrap_or_default();
    let lines: Vec<_> = text.lines().rev().take(LAST_LINES).collect();
    let last: Vec<_> = lines.into_iter().rev().collect();
    Failure::unreachable("the command's own server has ended")
        .then(format!("The last it said:\n{}", last.join("\n")))
}
