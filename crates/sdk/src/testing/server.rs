//! A real server on a scratch file and a free port.

use std::{
    env, fs, io,
    net::{Ipv4Addr, SocketAddr, TcpListener},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use baton_client::Client;
use baton_domain::Timestamp;
use tempfile::TempDir;

use crate::{App, Error};

/// How long a server may take to be ready.
const START: Duration = Duration::from_secs(20);
/// How long it may take to stop.
const STOP: Duration = Duration::from_secs(10);
/// How long one question of `quiet` may wait for its answer.
const LONGEST_WAIT: Duration = Duration::from_secs(20);
/// How often it is looked whether it has started, or stopped.
const LOOK: Duration = Duration::from_millis(20);

/// There is no `baton` to start, or it does not start.
#[derive(Debug, thiserror::Error)]
pub enum NoServer {
    /// There is no such program.
    #[error("there is no `baton`: name the server's program in BATON_BIN, or put it on the path")]
    NoProgram,
    /// It cannot be started.
    #[error("{0} cannot be started: {1}")]
    CannotStart(PathBuf, io::Error),
    /// It has ended, or is not ready in time.
    #[error("the server is not ready: {0}")]
    NotReady(String),
    /// Its address cannot be used.
    #[error(transparent)]
    App(#[from] Error),
}

/// How a server is started.
#[derive(Debug, Clone, Default)]
pub struct ServerOptions {
    /// How long its leases last.
    pub lease: Option<Duration>,
    /// Its program; otherwise the one that `BATON_BIN` names, or the `baton` on the path.
    pub program: Option<PathBuf>,
    /// Further arguments of `baton serve`.
    pub arguments: Vec<String>,
}

/// A server, until this is dropped. Open to whoever is on this machine, on loopback alone.
#[derive(Debug)]
pub struct Server {
    folder: TempDir,
    port: u16,
    program: PathBuf,
    arguments: Vec<String>,
    process: Child,
    app: App,
    /// How far its clock was put ahead.
    ahead: Duration,
}

impl Server {
    /// Starts one, and waits until it answers.
    pub async fn start() -> Result<Self, NoServer> {
        Self::start_with(ServerOptions::default()).await
    }

    /// The same as these options say.
    pub async fn start_with(options: ServerOptions) -> Result<Self, NoServer> {
        let program = options
            .program
            .or_else(program)
            .ok_or(NoServer::NoProgram)?;
        let cannot = |error| NoServer::CannotStart(program.clone(), error);
        let folder = tempfile::Builder::new().prefix("baton-test-").tempdir();
        let folder = folder.map_err(cannot)?;
        let port = free_port().map_err(cannot)?;
        let mut arguments = options.arguments;
        if let Some(lease) = options.lease {
            arguments.extend(["--lease".to_owned(), format!("{}ms", lease.as_millis())]);
        }
        let process = spawn(&program, folder.path(), port, &arguments).map_err(cannot)?;
        let mut server = Self {
            app: App::new(&format!("http://127.0.0.1:{port}"))?,
            folder,
            port,
            program,
            arguments,
            process,
            ahead: Duration::ZERO,
        };
        server.until_ready().await?;
        Ok(server)
    }

    /// Its address.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        (Ipv4Addr::LOCALHOST, self.port).into()
    }

    /// An application of it.
    #[must_use]
    pub fn app(&self) -> App {
        self.app.clone()
    }

    /// All calls of its API.
    #[must_use]
    pub fn client(&self) -> Client {
        self.app.client()
    }

    /// Its process.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Ends it with a signal that cannot be caught.
    pub fn kill(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }

    /// Starts it again on the same file, and at the same time of day.
    pub async fn restart(&mut self) -> Result<(), NoServer> {
        self.kill();
        let process = spawn(
            &self.program,
            self.folder.path(),
            self.port,
            &self.arguments,
        );
        self.process =
            process.map_err(|error| NoServer::CannotStart(self.program.clone(), error))?;
        self.until_ready().await?;
        if !self.ahead.is_zero() {
            let put_ahead = self.door()?.advance_clock(self.ahead).await;
            put_ahead.map_err(Error::from)?;
        }
        Ok(())
    }

    /// Waits until nothing is due and nothing runs; what waits for its time may wait.
    ///
    /// # Errors
    /// When something still is after this span.
    pub async fn quiet(&self, within: Duration) -> Result<(), Error> {
        let (end, door) = (Instant::now() + within, self.door()?);
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let quiet = door.quiet(left.min(LONGEST_WAIT)).await?;
            if quiet.quiet {
                return Ok(());
            }
            if Instant::now() >= end {
                return Err(Error::NotQuiet(quiet.busy.join("; ")));
            }
        }
    }

    /// Puts its clock ahead, so that what is due by then runs now; says what it shows. Leases and workers live on.
    pub async fn advance(&mut self, span: Duration) -> Result<Timestamp, Error> {
        let now = self.door()?.advance_clock(span).await?;
        self.ahead += span;
        Ok(now)
    }

    /// Takes every lease away now, as after silent workers: their jobs run again. Says how many jobs those are.
    pub async fn lose_leases(&self) -> Result<u32, Error> {
        Ok(self.door()?.lose_leases().await?)
    }

    /// Closes every connection it has, those of waiting workers among them; says how many.
    pub async fn cut(&self) -> Result<usize, Error> {
        Ok(self.door()?.cut_connections().await?)
    }

    /// A client with connections of its own, so that no other is spared by a cut.
    fn door(&self) -> Result<Client, Error> {
        Ok(Client::new(&self.url())?)
    }

    async fn until_ready(&mut self) -> Result<(), NoServer> {
        let end = Instant::now() + START;
        let client = Client::new(&self.url()).map_err(Error::from)?;
        while Instant::now() < end {
            if let Ok(Some(status)) = self.process.try_wait() {
                return Err(NoServer::NotReady(format!(
                    "it ended with {status}:\n{}",
                    self.log()
                )));
            }
            if client.ready().await.is_ok_and(|ready| ready.is_yes()) {
                return Ok(());
            }
            tokio::time::sleep(LOOK).await;
        }
        Err(NoServer::NotReady(format!(
            "it took {START:?}:\n{}",
            self.log()
        )))
    }

    /// The end of what it has said.
    fn log(&self) -> String {
        let text = fs::read_to_string(log_of(self.folder.path())).unwrap_or_default();
        let from = text.floor_char_boundary(text.len().saturating_sub(2_000));
        text[from..].to_owned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(id) = rustix::process::Pid::from_raw(self.process.id().cast_signed()) {
            let _ = rustix::process::kill_process(id, rustix::process::Signal::TERM);
        }
        let end = Instant::now() + STOP;
        while Instant::now() < end {
            if !matches!(self.process.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(LOOK);
        }
        self.kill();
    }
}

fn spawn(program: &Path, folder: &Path, port: u16, arguments: &[String]) -> io::Result<Child> {
    let log = fs::File::options()
        .create(true)
        .append(true)
        .open(log_of(folder))?;
    let mut command = Command::new(program);
    command.args([
        "serve",
        "--dev",
        "--listen",
        &format!("127.0.0.1:{port}"),
        "--data-dir",
    ]);
    command.arg(folder).args(arguments).current_dir(folder);
    // Without settings of another server.
    for (name, _) in env::vars_os() {
        if name.to_string_lossy().starts_with("BATON_") {
            command.env_remove(name);
        }
    }
    command
        .stdin(Stdio::null())
        .stdout(log.try_clone()?)
        .stderr(log);
    command.spawn()
}

fn log_of(folder: &Path) -> PathBuf {
    folder.join("server.log")
}

fn program() -> Option<PathBuf> {
    if let Some(named) = env::var_os("BATON_BIN") {
        return Some(named.into());
    }
    let path = env::var_os("PATH")?;
    let mut programs = env::split_paths(&path).map(|folder| folder.join("baton"));
    programs.find(|program| program.is_file())
}

fn free_port() -> io::Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}
