//! Where the database lies: what is written into a file that nobody finds any more is lost.

use std::{fs, io, path::PathBuf};

use baton_ports::store::{Error, Result};

/// The place of a file, and which file that is.
#[derive(Debug)]
pub struct Home {
    path: PathBuf,
    file: Identity,
}

/// What tells a file from any other at the same place.
type Identity = Option<(u64, u64)>;

impl Home {
    /// The file that lies there now.
    pub fn of(path: PathBuf) -> Result<Self> {
        let file = identity(&path);
        let file = file.map_err(|error| Error::Unavailable(error.to_string()))?;
        Ok(Self { path, file })
    }

    /// Whether it still lies there.
    pub fn check(&self) -> Result<()> {
        match identity(&self.path) {
            Ok(file) if file == self.file => Ok(()),
            _ => Err(Error::Unavailable(format!(
                "the database is not at {} any more: it was moved, removed or replaced under the running server. Put it back, \
                 or stop the server; nothing is read or written until then",
                self.path.display()
            ))),
        }
    }
}

#[cfg(unix)]
fn identity(path: &std::path::Path) -> io::Result<Identity> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).map(|found| Some((found.dev(), found.ino())))
}

/// Elsewhere nobody can take away a file that is open.
#[cfg(not(unix))]
fn identity(path: &std::path::Path) -> io::Result<Identity> {
    fs::metadata(path).map(|_| None)
}
