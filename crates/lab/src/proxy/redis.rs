//! A Redis connection as the proxy follows it.
//!
//! It knows which answer belongs to which command, and which of them tell of an element that was moved.
//!
//! Answers come in the order of the commands; what is pushed (RESP3's `>`) answers none.

use std::collections::VecDeque;

use bytes::BytesMut;

use super::{faults::How, shared::Shared};

/// What is followed of a connection.
#[derive(Debug, Default)]
pub(super) struct Session {
    /// Commands without an answer yet.
    asked: VecDeque<ListCommand>,
    /// Messages come unasked from here on: bytes are all we see.
    is_opaque: bool,
}

/// What a command can do with the elements of lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ListCommand {
    /// It takes one or several, if they are there.
    Takes,
    /// It may do anything; if it answers with a list, that is what it took.
    Script,
    Other,
}

impl Session {
    /// Takes what may go on to the server.
    pub(super) fn hear_client(&mut self, buffer: &mut BytesMut) -> (BytesMut, Option<How>) {
        let mut out = BytesMut::new();
        while !self.is_opaque
            && let Some(length) = value(buffer)
        {
            let command = buffer.split_to(length);
            let name = name(&command);
            self.is_opaque = matches!(
                &*name,
                "SUBSCRIBE" | "PSUBSCRIBE" | "SSUBSCRIBE" | "MONITOR"
            );
            self.asked.push_back(ListCommand::by(&name));
            out.unsplit(command);
        }
        if self.is_opaque {
            out.unsplit(buffer.split());
        }
        (out, None)
    }

    /// Takes what may go on to the client, and says whether the line is to be cut behind it.
    pub(super) fn hear_server(
        &mut self,
        buffer: &mut BytesMut,
        shared: &Shared,
    ) -> (BytesMut, Option<How>) {
        let mut out = BytesMut::new();
        while !self.is_opaque
            && let Some(length) = value(buffer)
        {
            let answer = buffer.split_to(length);
            let is_pushed = answer.starts_with(b">");
            let asked = if is_pushed {
                None
            } else {
                self.asked.pop_front()
            };
            if asked.is_some_and(|asked| asked.took(&answer)) && shared.take_move_cut() {
                return (out, Some(How::AfterMove));
            }
            out.unsplit(answer);
        }
        if self.is_opaque {
            out.unsplit(buffer.split());
        }
        (out, None)
    }
}

/// The command's word, in capitals.
fn name(command: &[u8]) -> String {
    let mut lines = command.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let word = match lines.next() {
        // `*2`, `$4`, `LPOP` ...
        Some([b'*', ..]) => lines.nth(1).unwrap_or_default(),
        // A command by hand: the word comes first.
        Some(line) => line.split(|byte| *byte == b' ').next().unwrap_or_default(),
        None => &[],
    };
    String::from_utf8_lossy(word).to_ascii_uppercase()
}

impl ListCommand {
    fn by(name: &str) -> Self {
        match name {
            "BLMOVE" | "LMOVE" | "BRPOPLPUSH" | "RPOPLPUSH" => Self::Takes,
            "BLPOP" | "BRPOP" | "LPOP" | "RPOP" => Self::Takes,
            "EVAL" | "EVALSHA" | "FCALL" => Self::Script,
            _ => Self::Other,
        }
    }

    fn took(self, answer: &[u8]) -> bool {
        match self {
            Self::Takes => is_something(answer),
            Self::Script => answer.starts_with(b"*") && is_something(answer),
            Self::Other => false,
        }
    }
}

/// Neither nothing nor an error.
fn is_something(answer: &[u8]) -> bool {
    let nothing = [&b"$-1"[..], b"*-1", b"_", b"-", b"*0"];
    !nothing.iter().any(|start| answer.starts_with(start))
}

/// How long the first value is, if it is there whole.
fn value(bytes: &[u8]) -> Option<usize> {
    let line = bytes.iter().position(|byte| *byte == b'\n')? + 1;
    let count = || {
        let digits = bytes[1..line].trim_ascii();
        let count: Option<usize> = str::from_utf8(digits).ok()?.parse().ok();
        // What is no count, or below zero, has nothing behind its line.
        Some(count.unwrap_or(0))
    };
    let is_below_zero = bytes.get(1) == Some(&b'-');
    match bytes[0] {
        b'$' | b'!' | b'=' if !is_below_zero => {
            let whole = line + count()? + 2;
            (bytes.len() >= whole).then_some(whole)
        }
        b'*' | b'~' | b'>' => values(bytes, line, count()?),
        b'%' => values(bytes, line, count()? * 2),
        // What is said of a value, and then the value.
        b'|' => values(bytes, line, count()? * 2 + 1),
        _ => Some(line),
    }
}

fn values(bytes: &[u8], from: usize, count: usize) -> Option<usize> {
    (0..count).try_fold(from, |at, _| Some(at + value(&bytes[at..])?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_taken_only_when_it_is_whole() {
        for whole in [
            &b"+OK\r\n"[..],
            b"$4\r\nLPOP\r\n",
            b"$-1\r\n",
            b"*2\r\n$1\r\na\r\n:7\r\n",
            b"*0\r\n",
            b"%1\r\n+a\r\n*1\r\n$0\r\n\r\n",
            b"|1\r\n+ttl\r\n:1\r\n+OK\r\n",
            b"PING\r\n",
        ] {
            for cut in 0..whole.len() {
                assert_eq!(value(&whole[..cut]), None, "{cut} of {whole:?}");
            }
            let more = [whole, b"+more\r\n"].concat();

            assert_eq!(value(&more), Some(whole.len()), "{whole:?}");
        }
    }

    #[test]
    fn a_command_is_known_by_its_word() {
        for (command, word) in [
            (&b"*2\r\n$4\r\nlpop\r\n$1\r\nk\r\n"[..], "LPOP"),
            (b"ping\r\n", "PING"),
            (b"get key\r\n", "GET"),
            (b"*0\r\n", ""),
        ] {
            assert_eq!(name(command), word);
        }
    }

    #[test]
    fn a_script_took_what_it_lists() {
        for (answer, took) in [
            (&b"*1\r\n$3\r\njob\r\n"[..], true),
            (b"*0\r\n", false),
            (b":3\r\n", false),
            (b"$2\r\nok\r\n", false),
        ] {
            assert_eq!(ListCommand::by("EVALSHA").took(answer), took, "{answer:?}");
        }
    }

    #[test]
    fn an_answer_without_an_element_tells_of_no_move() {
        for (answer, is) in [
            (&b"$3\r\njob\r\n"[..], true),
            (b"*2\r\n$1\r\nq\r\n$3\r\njob\r\n", true),
            (b"$-1\r\n", false),
            (b"*-1\r\n", false),
            (b"_\r\n", false),
            (b"-OOM command not allowed\r\n", false),
        ] {
            assert_eq!(is_something(answer), is, "{answer:?}");
        }
    }
}
