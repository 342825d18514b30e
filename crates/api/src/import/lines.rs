//! Lines, fed piece by piece: none is longer than memory bears.

/// The longest row, in bytes.
pub const LONGEST: usize = 256 * 1024;

/// Reads lines that come in pieces.
#[derive(Debug, Default)]
pub struct LineReader {
    kept: Vec<u8>,
    /// Whether the line is too long already: the rest of it is passed over.
    is_too_long: bool,
    /// How many lines have ended.
    ended: u64,
}

impl LineReader {
    /// Reads on; `each` gets every line that ends here, with its number; `None` is one too long to keep.
    pub fn feed(&mut self, mut bytes: &[u8], mut each: impl FnMut(u64, Option<&[u8]>)) {
        while let Some(end) = bytes.iter().position(|byte| *byte == b'\n') {
            self.keep(&bytes[..end]);
            self.end_line(&mut each);
            bytes = &bytes[end + 1..];
        }
        self.keep(bytes);
    }

    /// Reads what stands behind the last line break.
    pub fn finish(&mut self, mut each: impl FnMut(u64, Option<&[u8]>)) {
        self.end_line(&mut each);
    }

    fn keep(&mut self, bytes: &[u8]) {
        self.is_too_long |= self.kept.len() + bytes.len() > LONGEST;
        if !self.is_too_long {
            self.kept.extend_from_slice(bytes);
        }
    }

    fn end_line(&mut self, each: &mut impl FnMut(u64, Option<&[u8]>)) {
        self.ended += 1;
        let line = self.kept.trim_ascii();
        if self.is_too_long {
            each(self.ended, None);
        } else if !line.is_empty() {
            each(self.ended, Some(line));
        }
        self.kept.clear();
        self.is_too_long = false;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &[u8], piece: usize) -> Vec<(u64, Option<Vec<u8>>)> {
        let mut reader = LineReader::default();
        let mut lines = Vec::new();
        let mut each = |line, text: Option<&[u8]>| lines.push((line, text.map(<[u8]>::to_vec)));
        for piece in text.chunks(piece) {
            reader.feed(piece, &mut each);
        }
        reader.finish(&mut each);
        lines
    }

    #[test]
    fn a_line_that_is_too_long_is_passed_over_and_the_next_one_read() {
        let text = [b"a\n".as_slice(), &vec![b'x'; LONGEST + 1], b"\nb"].concat();

        let lines = read(&text, 1_000);

        assert_eq!(
            lines,
            [
                (1, Some(b"a".to_vec())),
                (2, None),
                (3, Some(b"b".to_vec()))
            ]
        );
    }

    proptest! {
        #[test]
        fn lines_are_the_same_however_they_come(text in "[a-c \r\n]{0,60}", piece in 1usize..20) {
            let lines = text.split('\n').enumerate();
            let wanted: Vec<_> = lines
                .map(|(i, line)| (i as u64 + 1, line.trim_ascii()))
                .filter(|(_, line)| !line.is_empty())
                .map(|(i, line)| (i, Some(line.as_bytes().to_vec())))
                .collect();

            prop_assert_eq!(read(text.as_bytes(), piece), wanted);
        }
    }
}
