//! An answer of one JSON value a line, read as it comes.

use bytes::Bytes;
use futures::{Stream, StreamExt, stream};
use reqwest::Response;
use serde::de::DeserializeOwned;

use crate::{Error, Result};

/// Its values, until it ends or breaks off.
pub fn read<T: DeserializeOwned>(response: Response) -> impl Stream<Item = Result<T>> + Send {
    let url = response.url().to_string();
    let lines = Lines {
        url,
        body: response.bytes_stream().boxed(),
        read: Vec::new(),
    };
    stream::try_unfold(lines, |mut lines| async move {
        let Some(line) = lines.next().await? else {
            return Ok(None);
        };
        let value = serde_json::from_slice(&line);
        let value = value.map_err(|error| lines.strange(error.to_string()))?;
        Ok(Some((value, lines)))
    })
}

struct Lines<B> {
    url: String,
    body: B,
    /// What was read of the next line.
    read: Vec<u8>,
}

impl<B: Stream<Item = reqwest::Result<Bytes>> + Unpin> Lines<B> {
    async fn next(&mut self) -> Result<Option<Vec<u8>>> {
        let mut searched = 0;
        loop {
            let end = self.read[searched..].iter().position(|byte| *byte == b'\n');
            if let Some(end) = end {
                let rest = self.read.split_off(searched + end + 1);
                return Ok(Some(std::mem::replace(&mut self.read, rest)));
            }
            searched = self.read.len();
            match self.body.next().await {
                Some(Ok(bytes)) => self.read.extend_from_slice(&bytes),
                Some(Err(error)) => return Err(Error::unreachable(&self.url, &error)),
                None if self.read.is_empty() => return Ok(None),
                None => return Err(self.strange("a line without an end".to_owned())),
            }
        }
    }

    fn strange(&self, what: String) -> Error {
        Error::Unexpected {
            url: self.url.clone(),
            what,
        }
    }
}
