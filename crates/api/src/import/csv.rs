//! CSV, fed piece by piece (RFC 4180): records of cells, each with the line it begins in.
//!
//! A quote that is never closed makes a cell of everything behind it. The usual readers take that in
//! silence, and all of it into memory; here it is [`Broken`], at the line where the record begins.

use super::{Broken, lines::LONGEST};

/// Reads CSV that comes in pieces.
#[derive(Debug)]
pub struct CsvReader {
    state: State,
    cells: Cells,
    /// The line that is being read.
    line: u64,
    /// Where the record that is being read begins.
    first_line: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    CellStart,
    Plain,
    Quoted,
    /// After a quote in a quoted cell: its end, or the first half of a quote that is meant.
    QuoteInQuoted,
    /// After the carriage return behind a quoted cell.
    Return,
}

/// The cells of a record, end to end.
#[derive(Debug, Default)]
pub struct Cells {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Cells {
    /// The cells as texts; `None` if they are not UTF-8.
    pub fn texts(&self) -> Option<Vec<&str>> {
        let text = str::from_utf8(&self.bytes).ok()?;
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        starts
            .zip(&self.ends)
            .map(|(start, &end)| text.get(start..end))
            .collect()
    }

    fn is_blank(&self) -> bool {
        self.bytes.is_empty() && self.ends.len() <= 1
    }

    fn end_cell(&mut self) {
        self.ends.push(self.bytes.len());
    }

    fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }
}

impl CsvReader {
    /// A reader whose next line is this one.
    pub const fn at(line: u64) -> Self {
        Self {
            state: State::CellStart,
            cells: Cells {
                bytes: Vec::new(),
                ends: Vec::new(),
            },
            line,
            first_line: line,
        }
    }

    /// Reads on; `each` gets every record that ends here, and the line it began in.
    pub fn feed(&mut self, bytes: &[u8], mut each: impl FnMut(u64, &Cells)) -> Result<(), Broken> {
        for &byte in bytes {
            self.step(byte, &mut each)?;
            if self.cells.bytes.len() + self.cells.ends.len() > LONGEST {
                return Err(self.broken("is longer than 256 KiB, so a quote may not be closed"));
            }
        }
        Ok(())
    }

    /// Reads what stands behind the last line break.
    pub fn finish(&mut self, mut each: impl FnMut(u64, &Cells)) -> Result<(), Broken> {
        if self.state == State::Quoted {
            Err(self.broken("has a quote that is not closed"))
        } else {
            self.end_record(&mut each);
            Ok(())
        }
    }

    fn step(&mut self, byte: u8, each: &mut impl FnMut(u64, &Cells)) -> Result<(), Broken> {
        let next = match (self.state, byte) {
            (State::CellStart, b'"') => State::Quoted,
            (State::Quoted, b'"') => State::QuoteInQuoted,
            (State::QuoteInQuoted, b'"') => self.keep(b'"', State::Quoted),
            (State::Quoted, _) => self.keep(byte, State::Quoted),
            (State::CellStart | State::Plain | State::QuoteInQuoted, b',') => {
                self.cells.end_cell();
                State::CellStart
            }
            (State::QuoteInQuoted, b'\r') => State::Return,
            (State::CellStart | State::Plain, b'\n') => {
                self.drop_return();
                self.end_record(each);
                State::CellStart
            }
            (State::QuoteInQuoted | State::Return, b'\n') => {
                self.end_record(each);
                State::CellStart
            }
            (State::QuoteInQuoted | State::Return, _) => {
                return Err(self.broken(
                    "goes on behind a closing quote, so there is a quote too many or too few",
                ));
            }
            (State::CellStart | State::Plain, _) => self.keep(byte, State::Plain),
        };
        self.state = next;
        if byte == b'\n' {
            self.line += 1;
            if next == State::CellStart {
                self.first_line = self.line;
            }
        }
        Ok(())
    }

    fn keep(&mut self, byte: u8, next: State) -> State {
        self.cells.bytes.push(byte);
        next
    }

    /// The first half of a line break is no part of the last cell.
    fn drop_return(&mut self) {
        let start = self.cells.ends.last().copied().unwrap_or(0);
        if self.cells.bytes.len() > start && self.cells.bytes.last() == Some(&b'\r') {
            self.cells.bytes.pop();
        }
    }

    fn end_record(&mut self, each: &mut impl FnMut(u64, &Cells)) {
        self.cells.end_cell();
        if !self.cells.is_blank() {
            each(self.first_line, &self.cells);
        }
        self.cells.clear();
    }

    fn broken(&self, what: &str) -> Broken {
        let line = self.first_line;
        let message = format!(
            "the record that begins in line {line} {what}; mend it and send the file again: \
             what came before it is in and stays as it is"
        );
        Broken { line, message }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    type Records = Vec<(u64, Vec<String>)>;

    fn read(text: &[u8], piece: usize) -> (Records, Option<u64>) {
        let mut reader = CsvReader::at(1);
        let mut records = Records::new();
        let mut each = |line, cells: &Cells| {
            let texts = cells.texts().unwrap();
            records.push((line, texts.into_iter().map(str::to_owned).collect()));
        };
        let mut pieces = text.chunks(piece.max(1));
        let fed = pieces.try_for_each(|piece| reader.feed(piece, &mut each));
        let done = fed.and_then(|()| reader.finish(&mut each));
        (records, done.err().map(|broken| broken.line))
    }

    fn cells(records: Records) -> Vec<Vec<String>> {
        records.into_iter().map(|(_, cells)| cells).collect()
    }

    #[test]
    fn records_are_read_whatever_ends_their_lines() {
        let text = b"a,b\r\n\"c,\",\"d\"\"\"\r\n\r\ne,\nf,g";

        let (records, broken) = read(text, 3);

        let wanted = [
            (1, ["a", "b"]),
            (2, ["c,", "d\""]),
            (4, ["e", ""]),
            (5, ["f", "g"]),
        ];
        let wanted = wanted.map(|(line, cells)| (line, cells.map(str::to_owned).to_vec()));
        assert_eq!((records, broken), (wanted.to_vec(), None));
    }

    #[test]
    fn a_cell_with_line_breaks_counts_its_lines() {
        let (records, _) = read(b"a,\"1\n2\r\n3\"\nb,c\n", 1);

        assert_eq!(
            records[0],
            (1, vec!["a".to_owned(), "1\n2\r\n3".to_owned()])
        );
        assert_eq!(records[1].0, 4);
    }

    #[test]
    fn a_quote_that_is_not_closed_is_told_with_the_line_it_opens_in() {
        let (records, broken) = read(b"a,b\nc,\"d\ne,f\n", 5);

        assert_eq!((records.len(), broken), (1, Some(2)));
    }

    #[test]
    fn a_quote_too_many_is_told_with_its_line() {
        let (records, broken) = read(b"a,b\nc,\"d\"e\nf,g\n", 4);

        assert_eq!((records.len(), broken), (1, Some(2)));
    }

    #[test]
    fn a_quote_in_the_middle_of_a_plain_cell_is_a_quote() {
        let (records, broken) = read(b"5\" pipe,x\n", 100);

        assert_eq!(
            (cells(records), broken),
            (vec![vec!["5\" pipe".to_owned(), "x".to_owned()]], None)
        );
    }

    #[test]
    fn a_record_without_end_is_given_up_before_it_fills_the_memory() {
        let mut reader = CsvReader::at(7);
        let piece = vec![b'x'; 64 * 1024];

        let mut fed = 0;
        let broken = loop {
            fed += piece.len();
            if let Err(broken) = reader.feed(&piece, |_, _| panic!("there is no record")) {
                break broken;
            }
        };

        assert!(fed <= LONGEST + 64 * 1024, "{fed}");
        assert_eq!(broken.line, 7);
    }

    proptest! {
        #[test]
        fn what_others_write_is_read_as_it_was_meant(
            records in prop::collection::vec(prop::collection::vec("[a-z,\"\r\n 가]{0,6}", 2..4), 0..8),
            piece in 1usize..40,
        ) {
            let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
            for record in &records {
                writer.write_record(record).unwrap();
            }
            let text = writer.into_inner().unwrap();

            let (read, broken) = read(&text, piece);

            prop_assert_eq!((cells(read), broken), (records, None));
        }

        #[test]
        fn any_bytes_are_read_or_refused_in_bounded_memory(
            bytes in prop::collection::vec(prop_oneof![Just(b'"'), Just(b','), Just(b'\n'), Just(b'\r'), any::<u8>()], 0..200),
            piece in 1usize..50,
        ) {
            let mut reader = CsvReader::at(1);
            let lines = 1 + bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
            let mut last = 0;
            let mut each = |line, _: &Cells| {
                assert!(last < line && line <= lines);
                last = line;
            };
            let mut pieces = bytes.chunks(piece);
            let fed = pieces.try_for_each(|piece| reader.feed(piece, &mut each));
            let _ = fed.and_then(|()| reader.finish(&mut each));
        }
    }
}
