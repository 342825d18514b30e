//! What a command writes: always read, kept within bounds, and its stderr told line by line.

use std::{sync::Arc, time::Duration};

use baton_domain::JobId;
use parking_lot::Mutex;
use tokio::{
    io::{AsyncRead, AsyncReadExt},
    task::JoinHandle,
    time::{Instant, timeout_at},
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
pub struct CapturedOutput {
    head: Vec<u8>,
    /// Up to twice of what is kept, so that it is seldom moved.
    tail: Vec<u8>,
    bytes: u64,
}

impl CapturedOutput {
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

/// A stream that is read to its end, by a task of its own.
pub struct Stream {
    kept: Arc<Mutex<CapturedOutput>>,
    reading: JoinHandle<()>,
}

impl Stream {
    /// Reads it from here on; with a teller its lines are told.
    pub fn read(stream: impl AsyncRead + Unpin + Send + 'static, teller: Option<Teller>) -> Self {
        let kept = Arc::<Mutex<CapturedOutput>>::default();
        let reading = tokio::spawn(keep(stream, Arc::clone(&kept), teller));
        Self { kept, reading }
    }

    /// What was kept until it ended; until `last` if it does not.
    pub async fn ended(mut self, last: Instant) -> CapturedOutput {
        if timeout_at(last, &mut self.reading).await.is_err() {
            self.reading.abort();
        }
        std::mem::take(&mut *self.kept.lock())
    }
}

async fn keep(
    mut stream: impl AsyncRead + Unpin,
    kept: Arc<Mutex<CapturedOutput>>,
    mut teller: Option<Teller>,
) {
    let mut piece = vec![0; 16 * 1024];
    while let Ok(read @ 1..) = stream.read(&mut piece).await {
        kept.lock().take(&piece[..read]);
        if let Some(teller) = &mut teller {
            teller.hear(&piece[..read]);
        }
    }
    if let Some(mut teller) = teller {
        teller.tell();
    }
}

/// Tells lines, a bounded number each second.
pub struct Teller {
    job: Option<JobId>,
    line: Vec<u8>,
    since: Instant,
    told: u32,
}

impl Teller {
    /// Of this job, if it is of one.
    pub fn new(job: Option<JobId>) -> Self {
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
        if let Some(job) = self.job {
            tracing::info!(%job, "{line}");
        } else {
            tracing::info!("{line}");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[tokio::test]
    async fn of_much_the_beginning_and_the_end_are_kept() {
        let much = vec![b'x'; 10 * HEAD];
        let text = [&much[..], b"the end"].concat();

        let kept = kept_of(text).await;

        assert!(kept.whole().is_none());
        assert_eq!(kept.last(7), "the end");
        assert!(kept.tail.len() <= 2 * TAIL && kept.head.len() == HEAD);
    }

    async fn kept_of(text: Vec<u8>) -> CapturedOutput {
        let stream = Stream::read(Cursor::new(text), None);
        stream.ended(Instant::now() + Duration::from_mins(1)).await
    }

    #[tokio::test]
    async fn a_little_is_kept_whole() {
        let kept = kept_of(b"{\"a\": 1}".to_vec()).await;

        assert_eq!(kept.whole(), Some(&b"{\"a\": 1}"[..]));
        assert_eq!(kept.last(4), "\": 1}"[1..]);
    }
}
