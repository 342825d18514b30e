//! The control socket of a job, by which `baton tell` speaks to its worker: a line of JSON, and a line back.

use std::{
    io,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::{UnixListener, UnixStream},
    task::JoinHandle,
};

use super::said::Conversation;

/// The longest line.
pub const LONGEST: u64 = 8 * 1024 * 1024;

/// Where the sockets are: a folder that nobody else may enter.
pub struct Sockets {
    folder: TempDir,
    next: AtomicU64,
}

impl Sockets {
    /// A folder of the worker's own.
    pub fn new() -> io::Result<Self> {
        let folder = tempfile::Builder::new()
            .prefix("baton-")
            .permissions(std::fs::Permissions::from_mode(0o700))
            .tempdir()?;
        Ok(Self {
            folder,
            next: AtomicU64::new(0),
        })
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// A socket for one job.
    pub fn open(&self, conversation: Arc<Conversation>) -> io::Result<Control> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let path = self.folder.path().join(format!("{number}"));
        let listener = UnixListener::bind(&path)?;
        let task = tokio::spawn(serve(listener, conversation));
        Ok(Control { path, task })
    }
}

/// A job's socket, until it is dropped.
pub struct Control {
    path: PathBuf,
    task: JoinHandle<()>,
}

impl Control {
    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Control {
    fn drop(&mut self) {
        self.task.abort();
        let _ = std::fs::remove_file(&self.path);
    }
}

async fn serve(listener: UnixListener, conversation: Arc<Conversation>) {
    let mut talks = tokio::task::JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        talks.spawn(talk(stream, Arc::clone(&conversation)));
    }
}

async fn talk(stream: UnixStream, conversation: Arc<Conversation>) -> io::Result<()> {
    let (read, mut write) = stream.into_split();
    let mut read = BufReader::new(read);
    loop {
        let mut line = String::new();
        if (&mut read).take(LONGEST).read_line(&mut line).await? == 0 {
            return Ok(());
        }
        let answer = conversation.answer(&line).await;
        write.write_all(format!("{answer}\n").as_bytes()).await?;
    }
}
