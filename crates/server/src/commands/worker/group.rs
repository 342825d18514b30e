//! Children: each leads a process group, started from one thread that lives as long as the worker, and guarded.

use std::{
    collections::BTreeSet,
    ffi::OsStr,
    io::{self, Write},
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{self, ChildStdin, Stdio},
    sync::{Arc, mpsc},
    thread,
};

use parking_lot::Mutex;
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::{
    process::{Child, Command},
    runtime::Handle,
    sync::oneshot,
};

use super::keeper::{CHILD, GUARD};

/// This program itself, also where its file was replaced meanwhile.
fn this_program() -> PathBuf {
    if cfg!(target_os = "linux") {
        "/proc/self/exe".into()
    } else {
        std::env::current_exe().unwrap_or_else(|_| "baton".into())
    }
}

/// Starts children.
pub struct Starter {
    requests: mpsc::Sender<(Command, oneshot::Sender<io::Result<Child>>)>,
    guard: Arc<Guard>,
}

impl Starter {
    /// Begins, with a thread of its own: the kernel kills children when the thread ends that has started them.
    ///
    /// When the worker has ended, however, the guard also removes this folder.
    pub fn new(folder: &Path) -> io::Result<Self> {
        let (requests, asked) = mpsc::channel::<(Command, oneshot::Sender<io::Result<Child>>)>();
        let runtime = Handle::current();
        thread::Builder::new()
            .name("starter".to_owned())
            .spawn(move || {
                let _runtime = runtime.enter();
                for (mut command, answer) in asked {
                    // Whoever asked may have been told to stop meanwhile.
                    if !answer.is_closed() {
                        let _ = answer.send(command.spawn());
                    }
                }
            })?;
        let guard = Arc::new(Guard::new(folder)?);
        Ok(Self { requests, guard })
    }

    /// The command as it is to be started.
    pub fn command<S: AsRef<OsStr>>(words: &[S]) -> Command {
        let mut command = Command::new(this_program());
        command.arg(CHILD).arg(process::id().to_string());
        command.args(words).process_group(0).kill_on_drop(true);
        // What is the worker's own is no child's business: its key above all.
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            if text.starts_with("BATON_") && !matches!(&*text, "BATON_URL" | "BATON_CA") {
                command.env_remove(name);
            }
        }
        command
    }

    /// Starts it.
    pub async fn start(&self, command: Command) -> io::Result<(Child, Group)> {
        let (answer, started) = oneshot::channel();
        let gone = || io::Error::other("the thread that starts commands has ended");
        self.requests.send((command, answer)).map_err(|_| gone())?;
        let child = started.await.map_err(|_| gone())??;
        let leader = child.id().and_then(|id| Pid::from_raw(id.cast_signed()));
        let leader = leader.ok_or_else(gone)?;
        self.guard.add(leader);
        let guard = Arc::clone(&self.guard);
        let group = Group {
            leader,
            guard,
            is_over: false,
        };
        Ok((child, group))
    }
}

/// A child and all that it has started; killed when this is dropped.
pub struct Group {
    leader: Pid,
    guard: Arc<Guard>,
    is_over: bool,
}

impl Group {
    /// Asks it to end.
    pub fn terminate(&self) {
        let _ = kill_process_group(self.leader, Signal::TERM);
    }

    /// Ends it.
    pub fn kill(&self) {
        let _ = kill_process_group(self.leader, Signal::KILL);
    }

    /// Waits until the child has ended; its process id is not given to another before it is waited for.
    pub async fn ended(&self) -> io::Result<()> {
        #[cfg(target_os = "linux")]
        {
            use rustix::process::{PidfdFlags, pidfd_open};
            use tokio::io::{Interest, unix::AsyncFd};
            let end = pidfd_open(self.leader, PidfdFlags::NONBLOCK)?;
            #[expect(
                deprecated,
                reason = "the descriptor is owned: nobody closes it meanwhile"
            )]
            let end = AsyncFd::with_interest(end, Interest::READABLE)?;
            let _ready = end.readable().await?;
            Ok(())
        }
        #[cfg(not(target_os = "linux"))]
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Ends what is left of it, once and for all: from here on its id may be another's.
    pub fn end(&mut self) {
        self.kill();
        self.is_over = true;
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if !self.is_over {
            self.kill();
        }
        self.guard.remove(self.leader);
    }
}

/// The process that kills what the worker leaves behind if it is killed itself.
struct Guard(Mutex<Post>);

struct Post {
    told: ChildStdin,
    folder: PathBuf,
    groups: BTreeSet<i32>,
}

impl Guard {
    fn new(folder: &Path) -> io::Result<Self> {
        let (folder, groups) = (folder.to_owned(), BTreeSet::new());
        let told = post(&folder, &groups)?;
        Ok(Self(Mutex::new(Post {
            told,
            folder,
            groups,
        })))
    }

    fn add(&self, leader: Pid) {
        let leader = i32::from(leader.as_raw_nonzero());
        let mut post = self.0.lock();
        post.groups.insert(leader);
        post.tell(&format!("+{leader}\n"));
    }

    fn remove(&self, leader: Pid) {
        let leader = i32::from(leader.as_raw_nonzero());
        let mut post = self.0.lock();
        post.groups.remove(&leader);
        post.tell(&format!("-{leader}\n"));
    }
}

impl Post {
    fn tell(&mut self, line: &str) {
        if self.told.write_all(line.as_bytes()).is_ok() {
            return;
        }
        match post(&self.folder, &self.groups) {
            Ok(told) => self.told = told,
            Err(error) => tracing::error!(
                %error,
                "the guard of the commands has ended and cannot be started again: if this worker is killed, they may go on"
            ),
        }
    }
}

/// A guard that knows of these groups. It is told nothing by a signal to the worker's own group.
fn post(folder: &Path, groups: &BTreeSet<i32>) -> io::Result<ChildStdin> {
    let mut guard = process::Command::new(this_program());
    guard.arg(GUARD).process_group(0);
    guard.stdin(Stdio::piped()).stdout(Stdio::null());
    let told = guard.spawn()?.stdin.take();
    let deaf = || io::Error::other("the guard cannot be told anything");
    let mut told = told.ok_or_else(deaf)?;
    told.write_all(format!("{}\n", folder.display()).as_bytes())?;
    for group in groups {
        told.write_all(format!("+{group}\n").as_bytes())?;
    }
    Ok(told)
}
