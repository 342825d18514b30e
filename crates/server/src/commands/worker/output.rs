//! What a command writes: always read, kept within bounds, and its stderr told line by line.

use std::time::Duration;

use baton_domain::JobId;
use tokio::{
    io::{AsyncRead, AsyncReadExt},
    time::Instant,
};

/// How much of the beginning is kept.
const HEAD: usize = 64 * 1024;
/// How much of the end is kept.
const TAIL: usize = 24 * 1024;
/// How many lines of stderr are told each second.
const LINES: u32 = 100;
/// How much of a line is told.
const LONGEST: usize = 1_000;

/// What is kept of a stream.
#[derive(Debug, Default)]
pub struct Kept {
    head: Vec<u8>,
    /// Up to twice of what is kept, so that it is seldom moved.
    tail: Vec<u8>,
    bytes: u64,
}

impl Kept {
    /// All of it, if it is short enough to be kept.
    pub fn whole(&self) -> Option<&[u8]> {
        (self.bytes == self.head.len() as u64).then_some(&self.head)
    }

    /// The last bytes of it, as text.
    pub fn last(&self, bytes: usize) -> String {
        let all: Vec<u8> = match self.whole() {
            Some(all) => all.to_vec(),
            None => self.tail.clone(),
        };
        let from = all.len().saturating_sub(bytes);
        String::from_utf8_lossy(&all[from..]).into_owned()
    }

    fn take(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        let room = HEAD.saturating_sub(self.head.len()).min(bytes.len());
        self.head.extend_from_slice(&bytes[..room]);
        self.tail.extend_from_slice(bytes);
        if self.tail.len() > 2 * TAIL {
            self.tail.drain(..self.tail.len() - TAIL);
        }
    }
}

/// Reads a stream to its end.
pub async fn keep(mut stream: impl AsyncRead + Unpin) -> Kept {
    let mut kept = Kept::default();
    let mut piece = vec![0; 16 * 1024];
    while let Ok(read @ 1..) = stream.read(&mut piece).await {
        kept.take(&piece[..read]);
    }
    kept
}

/// The same, and tells its lines.
pub async fn keep_and_tell(mut stream: impl AsyncRead + Unpin, job: Option<JobId>) -> Kept {
    let mut kept = Kept::default();
    let mut piece = vec![0; 16 * 1024];
    let mut teller = Teller::new(job);
    while let Ok(read @ 1..) = stream.read(&mut piece).await {
        kept.take(&piece[..read]);
        teller.hear(&piece[..read]);
    }
    teller.tell();
    kept
}

/// Tells lines, a bounded number each second.
struct Teller {
    job: Option<JobId>,
    line: Vec<u8>,
    since: Instant,
    told: u32,
}

impl Teller {
    fn new(job: Option<JobId>) -> Self {
        Self {
            job,
            line: Vec::new(),
            since: Instant::now(),
            told: 0,
        }
    }

    fn hear(&mut self, bytes: &[u8]) {
        for byte in bytes {
            if *byte == b'\n' {
                self.tell();
            } else if self.line.len() < LONGEST {
                self.line.push(*byte);
            }
        }
    }

    fn tell(&mut self) {
        if self.since.elapsed() >= Duration::from_secs(1) {
            self.since = Instant::now();
            self.told = 0;
        }
        let line = std::mem::take(&mut self.line);
        if line.is_empty() || self.told >= LINES {
            return;
        }
        self.told += 1;
        let line = crate::output::clean(&String::from_utf8_lossy(&line));
        match self.job {
            Some(job) => tracing::info!(%job, "{line}"),
            None => tracing::info!("{line}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn of_much_the_beginning_and_the_end_are_kept() {
        let much = vec![b'x'; 10 * HEAD];
        let text = [&much[..], b"the end"].concat();

        let kept = keep(&text[..]).await;

        assert!(kept.whole().is_none());
        assert_eq!(kept.last(7), "the end");
        assert!(kept.tail.len() <= 2 * TAIL && kept.head.len() == HEAD);
    }

    #[tokio::test]
    async fn a_little_is_kept_whole() {
        let kept = keep(&b"{\"a\": 1}"[..]).await;

        assert_eq!(kept.whole(), Some(&b"{\"a\": 1}"[..]));
        assert_eq!(kept.last(4), "\": 1}"[1..]);
    }
}
