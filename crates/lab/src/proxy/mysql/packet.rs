//! MySQL's framing: where a packet begins and ends.
//!
//! Three bytes say how long it is and one which of its exchange it is. One as long as three bytes can say goes on in the next, up to a shorter one.

use std::borrow::Cow;

use bytes::BytesMut;

/// What stands before what a packet carries.
const HEAD: usize = 4;
/// A packet of this length goes on in the next one.
const FULL: usize = 0xff_ffff;

/// A packet with all that it goes on in, as its bytes came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Packet {
    pub(super) raw: BytesMut,
}

impl Packet {
    /// What it carries, without the heads in between.
    pub(super) fn payload(&self) -> Cow<'_, [u8]> {
        match self.raw.chunks(HEAD + FULL) {
            mut one if one.len() == 1 => Cow::Borrowed(&one.next().unwrap_or_default()[HEAD..]),
            several => Cow::Owned(several.flat_map(|one| &one[HEAD..]).copied().collect()),
        }
    }
}

/// Takes the next packet off the buffer, if it is there whole.
pub(super) fn packet(buffer: &mut BytesMut) -> Option<Packet> {
    let mut end = 0;
    loop {
        let head = buffer.get(end..end + HEAD)?;
        let length = usize::from(head[0]) | usize::from(head[1]) << 8 | usize::from(head[2]) << 16;
        end += HEAD + length;
        if length < FULL {
            break;
        }
    }
    (buffer.len() >= end).then(|| Packet {
        raw: buffer.split_to(end),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `COMMIT` as a query, byte by byte.
    const COMMIT: &[u8] = b"\x07\0\0\0\x03COMMIT";
    const OK: &[u8] = b"\x07\0\0\x01\0\0\0\x02\0\0\0";

    #[test]
    fn a_packet_is_taken_only_when_it_is_whole() {
        for cut in 0..COMMIT.len() {
            let mut buffer = BytesMut::from(&COMMIT[..cut]);

            assert_eq!(packet(&mut buffer), None);
            assert_eq!(buffer.len(), cut);
        }
    }

    #[test]
    fn packets_are_taken_one_by_one_and_to_the_byte() {
        let mut buffer = BytesMut::from(&[OK, COMMIT, b"\x01\0"].concat()[..]);

        let first = packet(&mut buffer).unwrap();
        let second = packet(&mut buffer).unwrap();

        assert_eq!((&first.raw[..], &*first.payload()), (OK, &OK[4..]));
        assert_eq!(&*second.payload(), b"\x03COMMIT");
        assert_eq!(packet(&mut buffer), None);
        assert_eq!(&buffer[..], b"\x01\0");
    }

    #[test]
    fn a_full_packet_goes_on_in_the_next_up_to_a_shorter_one() {
        let full = [b"\xff\xff\xff\0", &vec![b'a'; FULL][..]].concat();
        let whole = [&full[..], &full, b"\0\0\0\x02"].concat();
        let mut buffer = BytesMut::from(&whole[..whole.len() - 1]);

        let before = packet(&mut buffer);
        buffer.extend_from_slice(b"\x02");
        buffer.extend_from_slice(OK);
        let long = packet(&mut buffer).unwrap();
        let next = packet(&mut buffer).unwrap();

        assert_eq!(before, None);
        assert!(long.raw == whole && next.raw == OK);
        assert!(*long.payload() == vec![b'a'; 2 * FULL]);
    }
}
