//! The command line, the same as that of the drivers in Node.

use anyhow::{Context, Result, bail};

pub struct Arguments {
    pub peer: String,
    pub jobs: usize,
    pub samples: usize,
    /// Any database of the server; the peer makes one of its own beside it.
    pub postgres: String,
}

impl Arguments {
    pub fn read(mut words: impl Iterator<Item = String>) -> Result<Self> {
        let peer = words.next().context("name a peer")?;
        let (mut jobs, mut samples, mut postgres) = (100_000, 200, None);
        while let Some(name) = words.next() {
            let value = words
                .next()
                .with_context(|| format!("`{name}` needs a value"))?;
            match name.as_str() {
                "--jobs" => jobs = value.parse()?,
                "--samples" => samples = value.parse()?,
                "--postgres" => postgres = Some(value),
                "--redis" => {}
                _ => bail!("`{name}` is not --jobs, --samples, --postgres or --redis"),
            }
        }
        let postgres = postgres.context("say where PostgreSQL is: --postgres URL")?;
        Ok(Self {
            peer,
            jobs,
            samples,
            postgres,
        })
    }
}
