//! PostgreSQL's framing, version 3: where a message begins and ends, and the little of it we read.

use bytes::{Buf, Bytes, BytesMut};

/// A message: its letter, its body, and its bytes as they came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Message {
    pub(super) letter: u8,
    pub(super) raw: BytesMut,
}

/// What a client says before it says anything else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Opening {
    /// The session begins.
    Startup,
    /// It asks for encryption; the answer is a single byte.
    Encrypt,
    /// Anything else, such as the cancellation of a query.
    Other,
}

const VERSION_3: u32 = 196_608;
const SSL: u32 = 80_877_103;
const GSS: u32 = 80_877_104;

impl Message {
    pub(super) fn body(&self) -> &[u8] {
        &self.raw[5..]
    }

    /// The texts at the beginning of the body, each ended by a zero.
    pub(super) fn texts(&self) -> impl Iterator<Item = String> {
        self.body()
            .split(|byte| *byte == 0)
            .map(|text| String::from_utf8_lossy(text).into_owned())
    }
}

/// Takes the next message off the buffer, if it is there whole.
pub(super) fn message(buffer: &mut BytesMut) -> Option<Message> {
    let length = length(buffer.get(1..5)?) + 1;
    if buffer.len() < length {
        return None;
    }
    Some(Message {
        letter: buffer[0],
        raw: buffer.split_to(length),
    })
}

/// Takes the next opening off the buffer, if it is there whole; it has no letter.
pub(super) fn opening(buffer: &mut BytesMut) -> Option<(Opening, BytesMut)> {
    let length = length(buffer.get(..4)?).max(8);
    if buffer.len() < length {
        return None;
    }
    let raw = buffer.split_to(length);
    let opening = match Bytes::copy_from_slice(&raw[4..8]).get_u32() {
        VERSION_3..200_000 => Opening::Startup,
        SSL | GSS => Opening::Encrypt,
        _ => Opening::Other,
    };
    Some((opening, raw))
}

/// A length counts itself; less than that is nonsense and taken for an empty body.
fn length(mut bytes: &[u8]) -> usize {
    bytes.get_u32().max(4) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `COMMIT` as a simple query, byte by byte.
    const COMMIT: &[u8] = b"Q\0\0\0\x0bCOMMIT\0";

    #[test]
    fn a_message_is_taken_only_when_it_is_whole() {
        for cut in 0..COMMIT.len() {
            let mut buffer = BytesMut::from(&COMMIT[..cut]);

            assert_eq!(message(&mut buffer), None);
            assert_eq!(buffer.len(), cut);
        }
    }

    #[test]
    fn messages_are_taken_one_by_one_and_to_the_byte() {
        let mut buffer = BytesMut::from(&[COMMIT, b"S\0\0\0\x04", b"X\0"].concat()[..]);

        let first = message(&mut buffer).unwrap();
        let second = message(&mut buffer).unwrap();

        assert_eq!((first.letter, &first.raw[..]), (b'Q', COMMIT));
        assert_eq!(first.texts().next().unwrap(), "COMMIT");
        assert_eq!((second.letter, second.body()), (b'S', &b""[..]));
        assert_eq!(message(&mut buffer), None);
        assert_eq!(&buffer[..], b"X\0");
    }

    #[test]
    fn openings_are_told_apart() {
        let openings = [
            (&b"\0\0\0\x08\x04\xd2\x16\x2f"[..], Opening::Encrypt),
            (&b"\0\0\0\x09\0\x03\0\0\0"[..], Opening::Startup),
            (
                &b"\0\0\0\x10\x04\xd2\x16\x2e\0\0\0\x01\0\0\0\x02"[..],
                Opening::Other,
            ),
        ];

        for (bytes, expected) in openings {
            let (opening, raw) = opening(&mut BytesMut::from(bytes)).unwrap();

            assert_eq!(opening, expected);
            assert_eq!(&raw[..], bytes);
        }
    }
}
