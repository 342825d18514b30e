//! Where the body of an answer ends.

use httparse::{Status, parse_chunk_size};

use super::head::NotHttp;

/// How the end of a body is found, and how much of it is still to come.
#[derive(Debug)]
pub enum Framing {
    Length(u64),
    Chunks(ChunkPosition),
    /// It ends with the connection.
    ToTheEnd,
}

/// A place between or within chunks.
#[derive(Debug)]
pub enum ChunkPosition {
    Size,
    Data(u64),
    LineEnd,
    Trailers,
    End,
}

/// What lies in front of a reader.
pub enum Next {
    /// So many bytes of the body.
    Piece(usize),
    /// More has to come before that can be said.
    Unknown,
    End,
}

/// How long the line before a chunk may be, in bytes; some thousand of them are none that a reader bears.
const LONGEST_LINE: usize = 1024;

const TORN: NotHttp = NotHttp("its body is not chunked as it should be");

impl Framing {
    pub const fn chunks() -> Self {
        Self::Chunks(ChunkPosition::Size)
    }

    /// Looks at what has come, takes away what is not of the body, and counts what is.
    pub fn next(&mut self, received: &mut Vec<u8>) -> Result<Next, NotHttp> {
        match self {
            Self::Length(left) => Ok(piece(left, received).unwrap_or(Next::End)),
            Self::ToTheEnd => Ok(match received.len() {
                0 => Next::Unknown,
                length => Next::Piece(length),
            }),
            Self::Chunks(place) => place.next(received),
        }
    }
}

/// As much of what is left as has come; `None` if nothing is left.
fn piece(left: &mut u64, received: &[u8]) -> Option<Next> {
    if *left == 0 {
        return None;
    }
    let length = usize::try_from(*left).map_or(received.len(), |left| left.min(received.len()));
    *left -= length as u64;
    Some(match length {
        0 => Next::Unknown,
        length => Next::Piece(length),
    })
}

impl ChunkPosition {
    fn next(&mut self, received: &mut Vec<u8>) -> Result<Next, NotHttp> {
        loop {
            let (passed, place) = match self {
                Self::Data(left) => match piece(left, received) {
                    Some(next) => return Ok(next),
                    None => (0, Self::LineEnd),
                },
                Self::Size => match parse_chunk_size(received).map_err(|_| TORN)? {
                    Status::Complete((passed, _)) if !is_size_line(&received[..passed]) => {
                        return Err(TORN);
                    }
                    Status::Complete((passed, 0)) => (passed, Self::Trailers),
                    Status::Complete((passed, size)) => (passed, Self::Data(size)),
                    Status::Partial => return Ok(Next::Unknown),
                },
                Self::LineEnd => match received.as_slice() {
                    [b'\r', b'\n', ..] => (2, Self::Size),
                    [] | [b'\r'] => return Ok(Next::Unknown),
                    _ => return Err(TORN),
                },
                Self::Trailers => {
                    match httparse::parse_headers(received, &mut [httparse::EMPTY_HEADER; 16]) {
                        Ok(Status::Complete((passed, _))) if ends_in_pairs(&received[..passed]) => {
                            (passed, Self::End)
                        }
                        Ok(Status::Partial) => return Ok(Next::Unknown),
                        Ok(Status::Complete(_)) | Err(_) => return Err(TORN),
                    }
                }
                Self::End => return Ok(Next::End),
            };
            received.drain(..passed);
            *self = place;
        }
    }
}

/// Whether a line says a size, as nobody reads otherwise: httparse takes a line without digits for a nought, and
/// lets an extension hold the end of a line.
fn is_size_line(line: &[u8]) -> bool {
    line.len() <= LONGEST_LINE && line[0].is_ascii_hexdigit() && ends_in_pairs(line)
}

/// Whether each line ends in CR and LF; the end of one in a lone LF is not seen by everybody.
fn ends_in_pairs(lines: &[u8]) -> bool {
    let mut before = b'\0';
    lines.iter().all(|byte| {
        let is_lone = *byte == b'\n' && before != b'\r';
        before = *byte;
        !is_lone
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a chunked body that comes so many bytes at a time; the body, and what is left after it.
    fn read(text: &str, step: usize) -> Result<(Vec<u8>, Vec<u8>), NotHttp> {
        let (mut framing, mut received, mut body) = (Framing::chunks(), Vec::new(), Vec::new());
        let mut coming = text.as_bytes().chunks(step);
        loop {
            match framing.next(&mut received)? {
                Next::Piece(length) => body.extend(received.drain(..length)),
                Next::End => return Ok((body, received)),
                Next::Unknown => match coming.next() {
                    Some(bytes) => received.extend_from_slice(bytes),
                    None => panic!("the body has no end"),
                },
            }
        }
    }

    #[test]
    fn chunks_are_put_together_however_they_come() {
        let text = "5\r\nhello\r\nA;x=\"y\"\r\n, my world\r\n0\r\nA: b\r\nC: d\r\n\r\n";

        for step in 1..=text.len() {
            let (body, rest) = read(text, step).unwrap();

            assert_eq!(
                (body.as_slice(), rest.as_slice()),
                (&b"hello, my world"[..], &b""[..])
            );
        }
    }

    #[test]
    fn what_follows_the_end_is_left_alone() {
        let (body, rest) = read("2\r\nok\r\n0\r\n\r\nHTTP/1.1", 64).unwrap();

        assert_eq!(
            (body.as_slice(), rest.as_slice()),
            (&b"ok"[..], &b"HTTP/1.1"[..])
        );
    }

    #[test]
    fn torn_chunks_are_refused() {
        for text in [
            "ZZ\r\nnonsense",
            "-1\r\nx",
            "2\r\nokay\r\n0\r\n\r\n",
            "2\r\nok\n0\r\n\r\n",
            "fffffffffffffffff\r\nx",
            "0\r\nno colon\r\n\r\n",
            "2\r\nok\r\n\r\n",
            "2\r\nok\r\n;\r\n\r\n",
            "2;a=\"\n\"\r\nok\r\n0\r\n\r\n",
            "2\r\nok\r\n0\r\nA: b\n\n",
            "2\r\nok\r\n0\r\n\n",
        ] {
            assert!(read(text, 64).is_err(), "{text}");
        }
    }
}
