//! Server-sent events, taken apart as they arrive.

use std::time::Duration;

/// The longest line; a longer one is not from Baton.
const LONGEST_LINE: usize = 4 * 1024 * 1024;

/// What stood between two empty lines of a stream.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Message {
    /// The place in the stream after it, if it names one.
    pub id: Option<String>,
    /// What sort of message it is; empty means `message`.
    pub event: String,
    /// What it says; nothing if it only names a place.
    pub data: Option<String>,
}

/// Takes a stream apart.
#[derive(Debug, Default)]
pub struct Parser {
    line: Vec<u8>,
    message: Message,
    /// How long the stream asks to wait before connecting again.
    pub retry: Option<Duration>,
}

/// A line without an end.
#[derive(Debug, PartialEq, Eq)]
pub struct TooLong;

impl Parser {
    /// Takes the next bytes; gives the messages they complete.
    pub fn take(&mut self, bytes: &[u8]) -> Result<Vec<Message>, TooLong> {
        let mut messages = Vec::new();
        for byte in bytes {
            if *byte == b'\n' {
                let line = std::mem::take(&mut self.line);
                messages.extend(self.end_line(&line));
            } else if self.line.len() < LONGEST_LINE {
                self.line.push(*byte);
            } else {
                return Err(TooLong);
            }
        }
        Ok(messages)
    }

    /// Forgets what was cut off in the midst.
    pub fn begin_anew(&mut self) {
        self.line.clear();
        self.message = Message::default();
    }

    fn end_line(&mut self, line: &[u8]) -> Option<Message> {
        let line = String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line));
        if line.is_empty() {
            return self.end_message();
        }
        let (field, value) = line.split_once(':').unwrap_or((&line, ""));
        self.field(field, value.strip_prefix(' ').unwrap_or(value));
        None
    }

    fn field(&mut self, field: &str, value: &str) {
        match field {
            "event" => value.clone_into(&mut self.message.event),
            "data" => match &mut self.message.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                none => *none = Some(value.to_owned()),
            },
            "id" => self.message.id = Some(value.to_owned()),
            "retry" => self.retry = value.parse().ok().map(Duration::from_millis),
            // A comment keeps the connection alive; fields of the future do not matter.
            _ => {}
        }
    }

    fn end_message(&mut self) -> Option<Message> {
        let message = std::mem::take(&mut self.message);
        (message.data.is_some() || message.id.is_some()).then_some(message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(id: Option<&str>, event: &str, data: Option<&str>) -> Message {
        Message {
            id: id.map(str::to_owned),
            event: event.to_owned(),
            data: data.map(str::to_owned),
        }
    }

    #[test]
    fn a_message_ends_with_an_empty_line_wherever_the_pieces_break() {
        let text =
            b"id: 1-7\nevent: job.failed\ndata: {\"a\":\ndata: 1}\n\n: keep\n\ndata:x\r\n\r\n";

        for size in 1..text.len() {
            let mut parser = Parser::default();
            let pieces = text.chunks(size);
            let messages: Vec<_> = pieces
                .flat_map(|piece| parser.take(piece).unwrap())
                .collect();

            assert_eq!(
                messages,
                [
                    message(Some("1-7"), "job.failed", Some("{\"a\":\n1}")),
                    message(None, "", Some("x")),
                ]
            );
        }
    }

    #[test]
    fn an_id_without_data_only_names_a_place() {
        let mut parser = Parser::default();

        let messages = parser.take(b"id: 1-9\nretry: 250\n\n").unwrap();

        assert_eq!(messages, [message(Some("1-9"), "", None)]);
        assert_eq!(parser.retry, Some(Duration::from_millis(250)));
    }
}
