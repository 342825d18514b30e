//! Who runs a server that refuses root, as PostgreSQL does.

use std::fs;
use std::os::unix::fs::{MetadataExt, chown};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::process::output;

/// Who runs the servers of a home.
#[derive(Debug, Clone, Copy)]
pub(super) enum Owner {
    Us,
    Another { user: u32, group: u32 },
}

impl Owner {
    /// Decides by who made the home, and hands it to the user `postgres` if that was root.
    pub(super) fn of(home: &Path) -> Result<Self> {
        if fs::metadata(home)?.uid() != 0 {
            return Ok(Self::Us);
        }
        let (user, group) = (number_of("-u")?, number_of("-g")?);
        let owner = Self::Another { user, group };
        owner.hand(home)?;
        Ok(owner)
    }

    /// Hands a file or a folder to the owner.
    pub(super) fn hand(self, path: &Path) -> Result<()> {
        if let Self::Another { user, group } = self {
            chown(path, Some(user), Some(group))?;
        }
        Ok(())
    }

    /// Lets the owner run it.
    pub(super) fn run(self, command: &mut Command) {
        if let Self::Another { user, group } = self {
            command.uid(user).gid(group);
        }
    }
}

fn number_of(which: &str) -> Result<u32> {
    let number = output(Command::new("id").args([which, "postgres"])).context(
        "PostgreSQL refuses to run as root, and there is no user `postgres` to run it as: \
             make one, or be another user",
    )?;
    Ok(number.trim().parse()?)
}
