//! The options of the comparison.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};

pub const USAGE: &str = "\
Usage: cargo xtask compare [OPTIONS]

  --rounds N        how often each is measured (3)
  --jobs N          how many jobs are enqueued and drained (100000)
  --only NAME,...   some of: limits, graphile-rs-batched, graphile-batched, pgboss-work,
                    pgboss-fetch1000, apalis-pg-batched, bullmq, celery, symfony-doctrine, baton,
                    baton-campaigns, baton-remote, baton-remote-python, baton-remote-node,
                    baton-mariadb, baton-sqlite,
                    baton-campaigns-sqlite, baton-history, baton-memory (all but the last two)
  --all             those two as well, which take tens of minutes and some 20 GB of disk
  --out FOLDER      where lines, logs and summary go (target/compare)
  --summarize FILE  measure nothing: print the summary of these lines";

#[derive(Debug, PartialEq)]
pub struct Options {
    pub rounds: u32,
    pub jobs: u32,
    /// Nothing named means all that take minutes.
    pub only: Vec<String>,
    /// Also what takes tens of minutes.
    pub all: bool,
    pub out: PathBuf,
    pub summarize: Option<PathBuf>,
}

impl Options {
    pub fn read(arguments: &[String]) -> Result<Self> {
        let mut options = Self {
            rounds: 3,
            jobs: 100_000,
            only: Vec::new(),
            all: false,
            out: PathBuf::from("target/compare"),
            summarize: None,
        };
        let mut words = arguments.iter();
        while let Some(name) = words.next() {
            if name == "--all" {
                options.all = true;
                continue;
            }
            let value = words
                .next()
                .with_context(|| format!("`{name}` needs a value\n\n{USAGE}"))?;
            options.set(name, value)?;
        }
        Ok(options)
    }

    fn set(&mut self, name: &str, value: &str) -> Result<()> {
        match name {
            "--rounds" => self.rounds = number(name, value)?,
            "--jobs" => self.jobs = number(name, value)?,
            "--only" => self.only = names(value),
            "--out" => self.out = PathBuf::from(value),
            "--summarize" => self.summarize = Some(PathBuf::from(value)),
            _ => bail!("`{name}` is not an option\n\n{USAGE}"),
        }
        Ok(())
    }
}

fn number(name: &str, value: &str) -> Result<u32> {
    let number = value.parse().ok().filter(|number| *number > 0);
    number.with_context(|| format!("`{name}` takes a number from 1, not `{value}`"))
}

fn names(list: &str) -> Vec<String> {
    list.split(',').map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_rounds_of_a_hundred_thousand_jobs_are_the_default() {
        let options = Options::read(&[]).unwrap();

        assert_eq!((options.rounds, options.jobs), (3, 100_000));
        assert!(options.only.is_empty());
    }

    #[test]
    fn names_are_separated_by_commas_and_all_takes_no_value() {
        let options = Options::read(&words("--all --only limits,baton --rounds 1")).unwrap();

        assert_eq!(options.only, ["limits", "baton"]);
        assert_eq!((options.rounds, options.all), (1, true));
    }

    #[test]
    fn what_is_no_option_or_lacks_its_value_is_refused() {
        let refused = ["--rounds", "--rounds 0", "--rounds many", "--speed 11"];

        let accepted = refused
            .into_iter()
            .find(|line| Options::read(&words(line)).is_ok());

        assert_eq!(accepted, None);
    }

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }
}
