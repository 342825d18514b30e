//! The answer to a query, packet by packet: one result for each statement of its text, and where the last of them ends.

/// What the server says with a result.
const MORE_RESULTS: u16 = 0x0008;
const IN_TRANSACTION: u16 = 0x0001;
/// How packets begin.
const OK: u8 = 0x00;
const FILE: u8 = 0xfb;
const END: u8 = 0xfe;
const FAILED: u8 = 0xff;
/// An end of rows as it is where ends are not said as results are.
const LONGEST_END: usize = 8;

/// An answer that is coming in.
#[derive(Debug)]
pub(super) struct Answer {
    part: Part,
    /// Whether an end of rows is said as a result without rows is, and that of columns not at all.
    ends_like_results: bool,
    is_in_transaction: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Beginning,
    /// So many columns are still to be told of.
    Columns(u64),
    EndOfColumns,
    Rows,
}

/// What an answer came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct End {
    /// A statement was refused, and those behind it were not looked at.
    pub(super) has_failed: bool,
    pub(super) is_in_transaction: bool,
}

impl Answer {
    /// The answer to a text that is sent outside of a transaction, or in one.
    pub(super) const fn new(ends_like_results: bool, is_in_transaction: bool) -> Self {
        Self {
            part: Part::Beginning,
            ends_like_results,
            is_in_transaction,
        }
    }

    /// Follows the next packet; what it all came to, if this is the last.
    pub(super) fn hear(&mut self, payload: &[u8]) -> Option<End> {
        if payload.first() == Some(&FAILED) {
            return Some(self.end(true));
        }
        match self.part {
            Part::Beginning => self.begin(payload),
            Part::Columns(left) if left > 1 => self.go_on(Part::Columns(left - 1)),
            Part::Columns(_) if self.ends_like_results => self.go_on(Part::Rows),
            Part::Columns(_) => self.go_on(Part::EndOfColumns),
            Part::EndOfColumns => self.go_on(Part::Rows),
            Part::Rows if !self.is_end(payload) => None,
            Part::Rows if self.ends_like_results => self.result(status_of_result(payload)),
            Part::Rows => self.result(number(payload.get(3..))),
        }
    }

    fn begin(&mut self, payload: &[u8]) -> Option<End> {
        match payload.first() {
            Some(&OK) | None => self.result(status_of_result(payload)),
            // The client sends a file first, and then it is answered.
            Some(&FILE) => None,
            Some(_) => {
                let (columns, _) = counted(payload).unwrap_or_default();
                self.go_on(Part::Columns(columns))
            }
        }
    }

    /// A long row may begin as an end does.
    fn is_end(&self, payload: &[u8]) -> bool {
        let longest = if self.ends_like_results {
            0xff_fffe
        } else {
            LONGEST_END
        };
        payload.first() == Some(&END) && payload.len() <= longest
    }

    const fn go_on(&mut self, part: Part) -> Option<End> {
        self.part = part;
        None
    }

    fn result(&mut self, status: Option<u16>) -> Option<End> {
        let status = status.unwrap_or_default();
        self.is_in_transaction = status & IN_TRANSACTION != 0;
        self.part = Part::Beginning;
        (status & MORE_RESULTS == 0).then(|| self.end(false))
    }

    const fn end(&self, has_failed: bool) -> End {
        End {
            has_failed,
            is_in_transaction: self.is_in_transaction,
        }
    }
}

/// Behind how many rows were changed and what number the last one got.
fn status_of_result(payload: &[u8]) -> Option<u16> {
    let (_, rest) = counted(payload.get(1..)?)?;
    let (_, rest) = counted(rest)?;
    number(Some(rest))
}

fn number(bytes: Option<&[u8]>) -> Option<u16> {
    let bytes = bytes?.first_chunk()?;
    Some(u16::from_le_bytes(*bytes))
}

/// A number as long as it needs to be, and what stands behind it.
fn counted(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let (first, rest) = bytes.split_first()?;
    let length = match first {
        0xfc => 2,
        0xfd => 3,
        0xfe => 8,
        small => return Some((u64::from(*small), rest)),
    };
    let (digits, rest) = rest.split_at_checked(length)?;
    let digits = digits.iter().rev();
    let value = digits.fold(0, |value, digit| value << 8 | u64::from(*digit));
    Some((value, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A result without rows, and an end of rows that is said like one.
    fn result(first: u8, status: u16) -> Vec<u8> {
        let [low, high] = status.to_le_bytes();
        vec![first, 0xfc, 0x10, 0x27, 0, low, high, 0, 0]
    }

    /// An end as it is without that.
    fn end(status: u16) -> Vec<u8> {
        let [low, high] = status.to_le_bytes();
        vec![END, 0, 0, low, high]
    }

    /// After which of the packets the answer was over, and what it came to.
    fn heard(mut answer: Answer, packets: &[Vec<u8>]) -> Option<(usize, End)> {
        let mut packets = (1..).zip(packets);
        packets.find_map(|(number, packet)| Some((number, answer.hear(packet)?)))
    }

    const COMMITTED: End = End {
        has_failed: false,
        is_in_transaction: false,
    };

    #[test]
    fn a_transaction_of_several_statements_is_over_with_the_result_of_the_last() {
        let (open, done) = (MORE_RESULTS | IN_TRANSACTION, 0x0002);
        let (column, row) = (vec![3; 40], vec![2, b'4', b'2']);
        let old = [
            result(OK, open),
            vec![1],
            column.clone(),
            end(open),
            row.clone(),
            vec![FILE],
            end(open),
            result(OK, done),
        ];
        let new = [
            result(OK, open),
            vec![2],
            column.clone(),
            column,
            row,
            result(END, open),
            result(OK, done),
        ];

        let (old, new) = (
            heard(Answer::new(false, false), &old),
            heard(Answer::new(true, false), &new),
        );

        assert_eq!((old, new), (Some((8, COMMITTED)), Some((7, COMMITTED))));
    }

    #[test]
    fn a_statement_that_is_refused_ends_the_answer_where_it_stands() {
        let open = MORE_RESULTS | IN_TRANSACTION;
        let refused = [FAILED, 0x15, 4].to_vec();
        let failed = End {
            has_failed: true,
            is_in_transaction: true,
        };

        let at_once = heard(
            Answer::new(true, false),
            &[result(OK, open), refused.clone()],
        );
        let among_rows = heard(
            Answer::new(true, true),
            &[vec![1], vec![3; 40], vec![1, b'a'], refused],
        );

        assert_eq!(at_once, Some((2, failed)));
        assert_eq!(among_rows, Some((4, failed)));
    }

    #[test]
    fn a_long_row_that_begins_as_an_end_does_is_none() {
        let mut row = vec![END; 0xff_ffff];
        row[1..9].copy_from_slice(&0x0100_0000_u64.to_le_bytes());

        let answer = heard(
            Answer::new(true, false),
            &[vec![1], vec![3; 40], row, result(END, 2)],
        );

        assert_eq!(answer, Some((4, COMMITTED)));
    }

    #[test]
    fn numbers_are_as_long_as_they_need_to_be() {
        for (bytes, value) in [
            (&[0xfa, 9][..], 0xfa),
            (&[0xfc, 1, 2, 9], 0x0201),
            (&[0xfd, 1, 2, 3, 9], 0x03_0201),
            (&[0xfe, 1, 0, 0, 0, 0, 0, 0, 1, 9], 0x0100_0000_0000_0001),
        ] {
            assert_eq!(counted(bytes), Some((value, &[9][..])));
        }
        assert_eq!(counted(&[0xfc, 1]), None);
    }
}
