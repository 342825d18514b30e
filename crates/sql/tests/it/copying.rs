//! An installation moves between the databases: every table, in every direction, and not a row twice.

mod directions;
mod filled;
mod interrupted;
mod listed;
mod overtaken;
mod plans;
mod sealed;

use baton_sql::{Copied, CopyProgress, OpenError};
use baton_testkit::{Brand, Database, Mysql, Postgres};

use crate::databases::{EmptyFolder, empty_folder};

/// The dialects.
const ALL: [&str; 3] = ["sqlite", "postgres", "mysql"];

/// Each dialect with each other one.
fn directions() -> impl Iterator<Item = (&'static str, &'static str)> {
    let pairs = ALL.into_iter().flat_map(|from| ALL.map(|to| (from, to)));
    pairs.filter(|(from, to)| from != to)
}

/// A database without a table, thrown away after use.
enum Place {
    Sqlite(EmptyFolder),
    Postgres(Database),
    Mysql(String),
}

impl Place {
    fn new(dialect: &str) -> Self {
        match dialect {
            "sqlite" => Self::Sqlite(empty_folder()),
            "postgres" => Self::Postgres(Postgres::shared().database()),
            _ => Self::Mysql(Mysql::shared(Brand::Mariadb).database()),
        }
    }

    fn url(&self) -> String {
        match self {
            Self::Sqlite(folder) => folder.url(),
            Self::Postgres(database) => database.url(),
            Self::Mysql(url) => url.clone(),
        }
    }
}

/// Copies, and says nothing of it.
async fn copied(from: &Place, to: &Place) -> Result<Copied, OpenError> {
    baton_sql::copy(&from.url(), &to.url(), &|_| {}).await
}

/// Copies until so many pages were written, and is cut off then. Says whether it came to its end before.
async fn copied_for(pages: usize, from: &Place, to: &Place) -> bool {
    let (told, mut tells) = tokio::sync::mpsc::unbounded_channel();
    let tell = move |progress| {
        if let CopyProgress::Page(..) = progress {
            let _ = told.send(());
        }
    };
    let enough = async {
        for _ in 0..pages {
            if tells.recv().await.is_none() {
                std::future::pending::<()>().await;
            }
        }
    };
    let (from, to) = (from.url(), to.url());
    tokio::select! {
        copied = baton_sql::copy(&from, &to, &tell) => copied.map(|_| true).unwrap(),
        () = enough => false,
    }
}
