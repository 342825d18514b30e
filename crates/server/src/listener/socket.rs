//! The socket that connections come to: a port, or one in the file system that its owner alone may open.

use std::{
    fs, io,
    net::{IpAddr, Ipv4Addr},
    os::unix::{
        fs::{FileTypeExt, MetadataExt, PermissionsExt},
        net::UnixStream,
    },
    path::{Path, PathBuf},
};

use tokio::net::{self, TcpListener, UnixListener};
use tokio_util::either::Either;

use crate::{
    config::Listen,
    exit::{Exit, Failure},
};

/// A connection, by either way.
pub type Stream = Either<net::TcpStream, net::UnixStream>;

/// Its owner may read and write, and nobody else.
const OWNER_ALONE: u32 = 0o600;

/// A socket that is listened at.
pub struct Socket {
    listener: Either<TcpListener, UnixSocket>,
}

/// A socket in the file system, gone from it when it is dropped, unless another one has come in its place.
struct UnixSocket {
    listener: UnixListener,
    path: PathBuf,
    /// Which file it is.
    inode: u64,
}

impl Socket {
    /// Begins to listen.
    pub async fn open(at: &Listen) -> Result<Self, Failure> {
        let listener = match at {
            Listen::Tcp(address) => {
                let bound = TcpListener::bind(address).await;
                Either::Left(bound.map_err(|error| no_port(at, &error))?)
            }
            Listen::Unix(path) => {
                Either::Right(UnixSocket::open(path).map_err(|error| no_socket(path, &error))?)
            }
        };
        Ok(Self { listener })
    }

    /// Where it is, with the port that the system chose.
    pub fn address(&self) -> io::Result<Listen> {
        match &self.listener {
            Either::Left(tcp) => tcp.local_addr().map(Listen::Tcp),
            Either::Right(unix) => Ok(Listen::Unix(unix.path.clone())),
        }
    }

    /// The next connection, and the address that it comes from: of one within the machine, loopback.
    pub async fn accept(&self) -> io::Result<(Stream, IpAddr)> {
        match &self.listener {
            Either::Left(tcp) => {
                let (stream, from) = tcp.accept().await?;
                Ok((Either::Left(stream), from.ip()))
            }
            Either::Right(unix) => {
                let (stream, _) = unix.listener.accept().await?;
                Ok((Either::Right(stream), Ipv4Addr::LOCALHOST.into()))
            }
        }
    }
}

impl UnixSocket {
    /// Made where nobody else can come, and only then put in its place: at no moment can others open it. One that a
    /// process left behind that was killed is replaced.
    fn open(path: &Path) -> io::Result<Self> {
        if UnixStream::connect(path).is_ok() {
            return Err(io::ErrorKind::AddrInUse.into());
        }
        if fs::symlink_metadata(path).is_ok_and(|found| !is_socket(&found)) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let folder = path.parent().unwrap_or(Path::new("/"));
        let private = tempfile::Builder::new().prefix(".b").tempdir_in(folder)?;
        let made = private.path().join("s");
        let listener = UnixListener::bind(&made)?;
        fs::set_permissions(&made, fs::Permissions::from_mode(OWNER_ALONE))?;
        let inode = fs::symlink_metadata(&made)?.ino();
        fs::rename(&made, path)?;
        let path = path.to_owned();
        Ok(Self {
            listener,
            path,
            inode,
        })
    }
}

impl Drop for UnixSocket {
    fn drop(&mut self) {
        let is_own = fs::symlink_metadata(&self.path).is_ok_and(|found| found.ino() == self.inode);
        if is_own {
            // Whoever comes finds nobody, with it or without.
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn is_socket(found: &fs::Metadata) -> bool {
    found.file_type().is_socket()
}

fn no_port(at: &Listen, error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::AddrInUse => Failure::new(format!("the port of {at} is taken"))
            .exit(Exit::Conflict)
            .then("Another program listens there, perhaps another Baton.")
            .then("Stop it, or choose another address with --listen, such as 127.0.0.1:0 for any free port."),
        io::ErrorKind::PermissionDenied => {
            Failure::new(format!("this user may not listen on {at}"))
                .then("Ports below 1024 are reserved; choose another one with --listen.")
        }
        _ => Failure::new(format!("{at} cannot be listened on: {error}"))
            .then("Choose an address of this machine with --listen."),
    }
}

fn no_socket(path: &Path, error: &io::Error) -> Failure {
    let path = path.display();
    match error.kind() {
        io::ErrorKind::AddrInUse => Failure::new(format!("the socket {path} is taken"))
            .exit(Exit::Conflict)
            .then("Another program listens there, perhaps another Baton.")
            .then("Stop it, or choose another path with --listen unix:PATH."),
        io::ErrorKind::AlreadyExists => {
            Failure::new(format!("{path} is there, and is no socket"))
                .then("Nothing was touched. Choose another path with --listen unix:PATH.")
        }
        io::ErrorKind::NotFound => Failure::new(format!("the folder of {path} is not there"))
            .then("Make it, for the user that runs the server; or choose another path with --listen unix:PATH."),
        io::ErrorKind::PermissionDenied => {
            Failure::new(format!("this user may make no socket at {path}"))
                .then("Choose a folder that it may write to with --listen unix:PATH.")
        }
        io::ErrorKind::InvalidInput => Failure::new(format!("the path {path} is too long for a socket"))
            .then("The folder may have some 90 bytes. Choose a shorter one with --listen unix:PATH."),
        _ => Failure::new(format!("no socket can be made at {path}: {error}"))
            .then("Choose another path with --listen unix:PATH."),
    }
}
