//! A database of a measurement's own: made, migrated, and dropped. Nothing that was there is touched.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use baton_domain::LeaseId;
use mysql_async::prelude::Queryable;
use tokio_postgres::error::SqlState;

use crate::{
    address::{Address, MysqlAddress, parameters},
    open::{Location, OpenError, connect_to_mysql, migrate, place, reach},
};

/// What the names of the databases begin with.
const PREFIX: &str = "baton_bench_";

/// A database that is yet to be made, or to be dropped.
#[derive(Clone)]
pub struct Scratch {
    url: String,
    site: Site,
}

#[derive(Clone)]
enum Site {
    Database { server: Box<Address>, name: String },
    Schema { server: MysqlAddress, name: String },
    File { asked: PathBuf, path: PathBuf },
}

impl Scratch {
    /// Chooses a name that nobody has: on the server of a `postgres://` or `mysql://` URL, or beside the file of a
    /// `sqlite://` URL, which must not be there. Nothing is made yet.
    pub fn choose(url: &str) -> Result<Self, OpenError> {
        let random = LeaseId::random().uuid().simple().to_string();
        match place(url)? {
            Location::Postgres(server) => {
                let name = format!("{PREFIX}{}", &random[..12]);
                Ok(Self {
                    url: renamed(url, &name),
                    site: Site::Database { server, name },
                })
            }
            Location::Mysql(server) => {
                let name = format!("{PREFIX}{}", &random[..12]);
                Ok(Self {
                    url: renamed(url, &name),
                    site: Site::Schema { server, name },
                })
            }
            Location::Sqlite(asked) => {
                // Never the same name twice: a store that is still closing removes its journal by name.
                let mut path = asked.clone().into_os_string();
                path.push(format!(".{}", &random[..12]));
                Ok(Self {
                    url: format!("{url}.{}", &random[..12]),
                    site: Site::File {
                        asked,
                        path: path.into(),
                    },
                })
            }
        }
    }

    /// The URL of the database.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Makes it and brings it to the schema of this version.
    ///
    /// # Errors
    /// As [`OpenError`] tells; `drop_it` is to be called all the same.
    pub async fn make(&self) -> Result<(), OpenError> {
        match &self.site {
            Site::Database { server, name } => create(server, name).await?,
            Site::Schema { server, name } => {
                let make = format!("CREATE DATABASE {name}");
                connect_to_mysql(server).await?.query_drop(make).await?;
            }
            Site::File { asked, .. } if asked.exists() => {
                return Err(OpenError::Exists {
                    path: asked.clone(),
                });
            }
            Site::File { .. } => {}
        }
        migrate(&self.url).await.map(drop)
    }

    /// Drops it, if it is there, whoever still uses it.
    ///
    /// # Errors
    /// When the server cannot be reached or the files cannot be removed.
    pub async fn drop_it(&self) -> Result<(), OpenError> {
        match &self.site {
            Site::Database { server, name } => {
                let drop = format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)");
                Ok(reach(server).await?.batch_execute(&drop).await?)
            }
            Site::Schema { server, name } => {
                let drop = format!("DROP DATABASE IF EXISTS {name}");
                Ok(connect_to_mysql(server).await?.query_drop(drop).await?)
            }
            Site::File { path, .. } => remove(path),
        }
    }
}

async fn create(server: &Address, name: &str) -> Result<(), OpenError> {
    let client = reach(server).await?;
    let created = client
        .batch_execute(&format!("CREATE DATABASE {name} TEMPLATE template0"))
        .await;
    created.map_err(|error| match error.code() {
        Some(&SqlState::INSUFFICIENT_PRIVILEGE) => OpenError::MayNotCreate {
            user: server.config().get_user().unwrap_or_default().to_owned(),
        },
        _ => error.into(),
    })
}

fn remove(path: &Path) -> Result<(), OpenError> {
    for suffix in ["", "-wal", "-shm", "-journal", ".lock"] {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        match fs::remove_file(&name) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(OpenError::Unwritable {
                    path: name.into(),
                    why: error.to_string(),
                });
            }
            _ => {}
        }
    }
    Ok(())
}

/// The same URL with another database: there may be several hosts in it.
fn renamed(url: &str, name: &str) -> String {
    let (place, _) = parameters(url);
    let query = &url[place.len()..];
    let user_ends = place.find('@').or(place.find("://").map(|at| at + 2));
    let from = user_ends.unwrap_or(0);
    let slash = place[from + 1..].find('/').map(|at| from + 1 + at);
    let hosts = &place[..slash.unwrap_or(place.len())];
    format!("{hosts}/{name}{query}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scratch_database_is_reached_as_the_one_that_was_named() {
        let renamed = |url| renamed(url, "other");

        assert_eq!(
            renamed("postgres://baton:p%40ss@db:5433/jobs?sslmode=require"),
            "postgres://baton:p%40ss@db:5433/other?sslmode=require"
        );
        assert_eq!(
            renamed("postgres:///jobs?host=/run/postgresql"),
            "postgres:///other?host=/run/postgresql"
        );
        assert_eq!(renamed("postgres://db"), "postgres://db/other");
        assert_eq!(
            renamed("postgres://a:1,b:2/jobs"),
            "postgres://a:1,b:2/other"
        );
    }
}
