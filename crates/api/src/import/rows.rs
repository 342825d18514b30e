//! Rows from bytes: NDJSON, or CSV with a header.

use baton_domain::{job::FieldError as Wrong, recipient::Profile, strict::Objects};
use baton_protocol::{
    FieldError, Problem,
    recipient::{RecipientRow, RowErrors},
};

use super::{
    Broken, Row,
    csv::{Cells, CsvReader},
    header::Header,
    lines::LineReader,
};
use crate::extract::explain_json;

/// Some editors begin a file with it.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// How rows are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A JSON object in each line.
    Ndjson,
    /// Cells with commas between, under a header.
    Csv,
}

impl Format {
    /// The format that a media type names.
    pub fn of_media(media: &str) -> Option<Self> {
        match media.to_ascii_lowercase().as_str() {
            "application/x-ndjson" | "application/ndjson" | "application/jsonl" => {
                Some(Self::Ndjson)
            }
            "text/csv" => Some(Self::Csv),
            _ => None,
        }
    }
}

/// Reads rows that come in pieces.
#[derive(Debug)]
pub struct Rows {
    start: Vec<u8>,
    has_started: bool,
    reader: Reader,
}

#[derive(Debug)]
enum Reader {
    Ndjson(LineReader),
    Csv(CsvReader, Option<Header>),
}

impl Rows {
    pub fn new(format: Format) -> Self {
        let reader = match format {
            Format::Ndjson => Reader::Ndjson(LineReader::default()),
            Format::Csv => Reader::Csv(CsvReader::at(1), None),
        };
        Self {
            start: Vec::new(),
            has_started: false,
            reader,
        }
    }

    /// Reads on; the rows that end here are added to `rows`.
    pub fn feed(&mut self, bytes: &[u8], rows: &mut Vec<Row>) -> Result<(), Trouble> {
        if self.has_started {
            return self.reader.feed(bytes, rows);
        }
        self.start.extend_from_slice(bytes);
        if self.start.len() < BYTE_ORDER_MARK.len() {
            return Ok(());
        }
        self.start(rows)
    }

    /// Reads what stands behind the last line break.
    pub fn finish(&mut self, rows: &mut Vec<Row>) -> Result<(), Trouble> {
        if !self.has_started {
            self.start(rows)?;
        }
        self.reader.finish(rows)
    }

    fn start(&mut self, rows: &mut Vec<Row>) -> Result<(), Trouble> {
        self.has_started = true;
        let start = std::mem::take(&mut self.start);
        let text = start.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&start);
        self.reader.feed(text, rows)
    }
}

/// Why the rest cannot be read.
#[derive(Debug)]
pub enum Trouble {
    /// From this line on.
    Broken(Broken),
    /// From the beginning: the header is none.
    Header(Wrong),
}

impl Reader {
    fn feed(&mut self, bytes: &[u8], rows: &mut Vec<Row>) -> Result<(), Trouble> {
        match self {
            Self::Ndjson(lines) => {
                lines.feed(bytes, |line, text| rows.push(json_row(line, text)));
                Ok(())
            }
            Self::Csv(csv, header) => {
                let mut wrong = None;
                let fed = csv.feed(bytes, |line, cells| {
                    take_record(header, &mut wrong, line, cells, rows);
                });
                done(wrong, fed)
            }
        }
    }

    fn finish(&mut self, rows: &mut Vec<Row>) -> Result<(), Trouble> {
        match self {
            Self::Ndjson(lines) => {
                lines.finish(|line, text| rows.push(json_row(line, text)));
                Ok(())
            }
            Self::Csv(csv, header) => {
                let mut wrong = None;
                let fed = csv.finish(|line, cells| {
                    take_record(header, &mut wrong, line, cells, rows);
                });
                done(wrong, fed)?;
                match header {
                    Some(_) => Ok(()),
                    None => Err(Trouble::Header(Wrong::new(
                        "header",
                        "is missing: the body is empty",
                    ))),
                }
            }
        }
    }
}

fn done(wrong: Option<Wrong>, fed: Result<(), Broken>) -> Result<(), Trouble> {
    match wrong {
        Some(wrong) => Err(Trouble::Header(wrong)),
        None => fed.map_err(Trouble::Broken),
    }
}

fn take_record(
    header: &mut Option<Header>,
    wrong: &mut Option<Wrong>,
    line: u64,
    cells: &Cells,
    rows: &mut Vec<Row>,
) {
    if wrong.is_some() {
        return;
    }
    match (cells.texts(), &header) {
        (Some(texts), Some(header)) => {
            let read = header.profile(&texts);
            rows.push(Row {
                line,
                read: read.map_err(|errors| at(line, errors)),
            });
        }
        (Some(texts), None) => match Header::read(&texts) {
            Ok(read) => *header = Some(read),
            Err(error) => *wrong = Some(error),
        },
        (None, Some(_)) => rows.push(refused(line, "is not UTF-8 text; save the file as UTF-8")),
        (None, None) => {
            let message = "is not UTF-8 text; save the file as UTF-8";
            *wrong = Some(Wrong::new("header", message));
        }
    }
}

fn json_row(line: u64, text: Option<&[u8]>) -> Row {
    let Some(text) = text else {
        return refused(line, "is longer than 256 KiB");
    };
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    let row = serde_path_to_error::deserialize::<_, RecipientRow>(Objects(&mut deserializer));
    let row = row.map_err(|error| explain_json(text, &error));
    match row {
        Ok(_) if deserializer.end().is_err() => refused(line, "goes on behind its JSON object"),
        Ok(row) => Row {
            line,
            read: profile(row).map_err(|errors| at(line, errors)),
        },
        Err(problem) => Row {
            line,
            read: Err(of_problem(line, problem)),
        },
    }
}

fn profile(row: RecipientRow) -> Result<Profile, Vec<Wrong>> {
    let (id, put) = row.parted();
    Profile::from_spec(id, put)
}

fn of_problem(line: u64, problem: Problem) -> RowErrors {
    let errors = if problem.errors.is_empty() {
        let detail = problem
            .detail
            .replace("The body is not JSON", "is not JSON");
        vec![FieldError::new("row", detail)]
    } else {
        problem.errors
    };
    RowErrors { line, errors }
}

fn refused(line: u64, message: &str) -> Row {
    Row {
        line,
        read: Err(at(line, vec![Wrong::new("row", message)])),
    }
}

fn at(line: u64, errors: Vec<Wrong>) -> RowErrors {
    RowErrors {
        line,
        errors: errors.into_iter().map(FieldError::from).collect(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(format: Format, text: &[u8], piece: usize) -> (Vec<Row>, Result<(), Trouble>) {
        let mut rows = Rows::new(format);
        let mut read = Vec::new();
        let mut pieces = text.chunks(piece);
        let fed = pieces.try_for_each(|piece| rows.feed(piece, &mut read));
        let done = fed.and_then(|()| rows.finish(&mut read));
        (read, done)
    }

    fn ids(rows: &[Row]) -> Vec<(u64, Option<&str>)> {
        let id = |row: &Row| row.read.as_ref().ok().map(|profile| profile.id.clone());
        let ids = rows
            .iter()
            .map(|row| (row.line, id(row).map(|id| &*id.leak())));
        ids.collect()
    }

    #[test]
    fn a_byte_order_mark_and_carriage_returns_are_no_part_of_the_rows() {
        let csv = "\u{feff}id,platform\r\na,ios\r\n";
        let ndjson = "\u{feff}{\"id\": \"a\", \"platform\": \"ios\"}\r\n\r\n";

        for piece in [1, 2, 100] {
            assert_eq!(
                ids(&read(Format::Csv, csv.as_bytes(), piece).0),
                [(2, Some("a"))]
            );
            assert_eq!(
                ids(&read(Format::Ndjson, ndjson.as_bytes(), piece).0),
                [(1, Some("a"))]
            );
        }
    }

    #[test]
    fn a_line_that_is_no_recipient_is_told_and_the_next_one_read() {
        let lines = [
            r#"{"id": "a", "platform": "ios"}"#,
            r#"{"id": "b""#,
            r#"{"id": "c", "platform": "ios", "shoe": 43}"#,
            r#"{"id": "d", "platform": "ios", "lat": 91, "lon": 0}"#,
            "",
            r#"{"id": "e", "platform": "ios"} {}"#,
            r#"{"id": "f", "platform": "ios"}"#,
        ];

        let (rows, done) = read(Format::Ndjson, lines.join("\n").as_bytes(), 7);

        assert!(done.is_ok());
        let wanted = [
            (1, Some("a")),
            (2, None),
            (3, None),
            (4, None),
            (6, None),
            (7, Some("f")),
        ];
        assert_eq!(ids(&rows), wanted);
        let fields = rows.iter().filter_map(|row| row.read.as_ref().err());
        let fields: Vec<_> = fields.map(|row| row.errors[0].field.as_str()).collect();
        assert_eq!(fields, ["row", "shoe", "lat", "row"]);
    }

    #[test]
    fn a_csv_that_is_no_utf8_is_told_line_by_line() {
        let (rows, done) = read(Format::Csv, b"id,platform\n\xb1\xe8,ios\nb,ios\n", 5);

        assert!(done.is_ok());
        assert_eq!(ids(&rows), [(2, None), (3, Some("b"))]);
    }

    #[test]
    fn a_body_of_nothing_has_no_header_and_no_rows() {
        assert!(matches!(
            read(Format::Csv, b"", 1).1,
            Err(Trouble::Header(_))
        ));
        assert!(read(Format::Ndjson, b"", 1).0.is_empty());
    }

    proptest! {
        #[test]
        fn rows_are_the_same_however_they_come(text in "(id,platform\n)?[ab,\"\n{}:]{0,60}", piece in 1usize..30) {
            for format in [Format::Csv, Format::Ndjson] {
                let (whole, _) = read(format, text.as_bytes(), usize::MAX);
                let (pieces, _) = read(format, text.as_bytes(), piece);
                prop_assert_eq!(whole, pieces);
            }
        }
    }
}
