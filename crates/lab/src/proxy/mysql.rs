//! A MySQL or MariaDB session as the proxy follows it: what commits, and what became of it.
//!
//! One command is under way at a time. A text of several statements is answered by one result for each, and the last of them
//! says whether the transaction is over.

mod answer;
mod packet;

use bytes::BytesMut;

use self::{
    answer::{Answer, End},
    packet::{Packet, packet},
};
use super::{
    faults::{How, Moment},
    shared::Shared,
    sql::{Meaning, meanings},
};

/// What a client asks for with the first byte of a command.
const QUERY: u8 = 0x03;
const CHANGE_USER: u8 = 0x11;
const RESET: u8 = 0x1f;
/// What the two sides can do.
const COMPRESSES: u32 = 1 << 5;
const ENCRYPTS: u32 = 1 << 11;
const ENDS_LIKE_RESULTS: u32 = 1 << 24;
const COMPRESSES_BETTER: u32 = 1 << 26;

#[derive(Debug, Default, PartialEq, Eq)]
enum Phase {
    /// The server says what it can do.
    #[default]
    Greeting,
    /// The client says what it can do.
    Reply,
    /// They agree on who it is.
    LogIn,
    Commands,
    /// Encrypted or compressed: bytes are all we see.
    Opaque,
}

/// What is followed of a session.
#[derive(Debug, Default)]
pub(super) struct Session {
    phase: Phase,
    /// What both sides can do, as far as they have said.
    capabilities: u32,
    is_in_transaction: bool,
    /// The one that is coming in, if its query can be read.
    answer: Option<Answer>,
    /// The answer to a commit, held back until it is whole.
    held: Option<Vec<BytesMut>>,
}

impl Session {
    /// Takes what may go on to the server, and says whether the line is to be cut behind it.
    pub(super) fn hear_client(
        &mut self,
        buffer: &mut BytesMut,
        shared: &Shared,
    ) -> (BytesMut, Option<How>) {
        let mut out = BytesMut::new();
        while self.phase != Phase::Opaque
            && let Some(mut packet) = packet(buffer)
        {
            if self.asks_for_a_commit(&packet) {
                match shared.take_cut() {
                    Some(Moment::Before) => {
                        let length = part(packet.raw.len(), shared);
                        out.unsplit(packet.raw.split_to(length));
                        return (out, Some(How::BeforeCommit));
                    }
                    Some(_) => self.held = Some(Vec::new()),
                    None => {}
                }
            }
            out.unsplit(packet.raw);
            if shared.take_message_cut() {
                return (out, Some(How::BehindMessage));
            }
        }
        if self.phase == Phase::Opaque {
            out.unsplit(buffer.split());
        }
        (out, None)
    }

    /// Follows a packet of the client; `true` if the server commits when it hears it.
    fn asks_for_a_commit(&mut self, packet: &Packet) -> bool {
        match self.phase {
            Phase::Reply => self.introduce(&packet.payload()),
            // Behind an answer that is held back nothing is followed: it has to be recognised by its end.
            Phase::Commands if self.held.is_none() => return self.command(packet),
            _ => {}
        }
        false
    }

    fn introduce(&mut self, reply: &[u8]) {
        let said = reply.first_chunk().copied().map(u32::from_le_bytes);
        self.capabilities &= said.unwrap_or_default();
        let is_opaque = self.capabilities & (ENCRYPTS | COMPRESSES | COMPRESSES_BETTER) != 0;
        self.phase = if is_opaque {
            Phase::Opaque
        } else {
            Phase::LogIn
        };
    }

    fn command(&mut self, packet: &Packet) -> bool {
        self.answer = None;
        match &*packet.payload() {
            [QUERY, text @ ..] => {
                let ends_like_results = self.capabilities & ENDS_LIKE_RESULTS != 0;
                self.answer = Some(Answer::new(ends_like_results, self.is_in_transaction));
                self.follow(&meanings(&String::from_utf8_lossy(text)))
            }
            [RESET | CHANGE_USER, ..] => {
                self.is_in_transaction = false;
                false
            }
            _ => false,
        }
    }

    /// Follows statements; `true` if one of them commits.
    fn follow(&mut self, meanings: &[Meaning]) -> bool {
        let mut commits = false;
        for meaning in meanings {
            match meaning {
                Meaning::Begin => self.is_in_transaction = true,
                Meaning::Rollback => self.is_in_transaction = false,
                Meaning::Commit => {
                    self.is_in_transaction = false;
                    commits = true;
                }
                Meaning::Write => commits |= !self.is_in_transaction,
                Meaning::Read => {}
            }
        }
        commits
    }

    /// Takes what may go on to the client, and says whether the line is to be cut behind it.
    pub(super) fn hear_server(
        &mut self,
        buffer: &mut BytesMut,
        shared: &Shared,
    ) -> (BytesMut, Option<How>) {
        let mut out = BytesMut::new();
        while self.phase != Phase::Opaque
            && let Some(packet) = packet(buffer)
        {
            let end = self.hear(&packet);
            let (passing, cut) = self.hold_back(packet, end, shared);
            out.unsplit(passing);
            if cut.is_some() {
                return (out, cut);
            }
            if shared.take_message_cut() {
                return (out, Some(How::BehindMessage));
            }
        }
        if self.phase == Phase::Opaque {
            out.unsplit(buffer.split());
        }
        (out, None)
    }

    /// Follows a packet of the server; what the answer came to, if it is the last of one.
    fn hear(&mut self, packet: &Packet) -> Option<End> {
        let payload = packet.payload();
        match self.phase {
            Phase::Greeting => {
                self.capabilities = offered(&payload).unwrap_or_default();
                self.phase = Phase::Reply;
            }
            // Anything else is a question or a refusal.
            Phase::LogIn if payload.first() == Some(&0) => self.phase = Phase::Commands,
            Phase::Commands => {
                let end = self.answer.as_mut()?.hear(&payload)?;
                self.answer = None;
                // The server's word beats what we made of the text.
                self.is_in_transaction = end.is_in_transaction;
                return Some(end);
            }
            _ => {}
        }
        None
    }

    /// Keeps the answer to a commit until it is known what came of it; only then is it cut, somewhere before its end.
    fn hold_back(
        &mut self,
        packet: Packet,
        end: Option<End>,
        shared: &Shared,
    ) -> (BytesMut, Option<How>) {
        let Some(mut held) = self.held.take() else {
            return (packet.raw, None);
        };
        held.push(packet.raw);
        let Some(end) = end else {
            self.held = Some(held);
            return (BytesMut::new(), None);
        };
        let cut = end.has_committed().then_some(How::AfterCommit);
        match cut {
            Some(_) => held.truncate(short_of(held.len(), shared)),
            None => shared.give_cut_back(),
        }
        let mut passing = BytesMut::new();
        held.into_iter().for_each(|one| passing.unsplit(one));
        (passing, cut)
    }
}

impl End {
    const fn has_committed(self) -> bool {
        !self.has_failed && !self.is_in_transaction
    }
}

/// What a server says in its greeting that it can do: behind its version and its half of a secret.
fn offered(greeting: &[u8]) -> Option<u32> {
    let version = greeting.iter().skip(1).position(|byte| *byte == 0)? + 1;
    let behind = greeting.get(version + 1 + 4 + 8 + 1..)?;
    let (low, high) = (behind.get(..2)?, behind.get(5..7)?);
    Some(u32::from_le_bytes([low[0], low[1], high[0], high[1]]))
}

/// How much of a text arrives that is cut off before its COMMIT: nothing as often as anything.
fn part(length: usize, shared: &Shared) -> usize {
    match shared.draw(2) {
        0 => 0,
        _ => shared.draw(length),
    }
}

/// How many packets of an answer arrive that is cut off before its end: all but the last as often as fewer.
fn short_of(count: usize, shared: &Shared) -> usize {
    match shared.draw(2) {
        0 => count - 1,
        _ => shared.draw(count),
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::proxy::{Options, Protocol, Upstream, faults::CutCommits};

    #[test]
    fn an_answer_that_is_held_back_passes_at_its_end_whatever_was_asked_meanwhile() {
        let shared = Shared::new(Options {
            upstream: Upstream::Unix(PathBuf::new()),
            protocol: Protocol::Mysql,
            seed: 7,
        });
        shared.plan(Some(CutCommits {
            moment: Moment::After,
            count: 1,
            one_in: 1,
        }));
        let mut session = Session {
            phase: Phase::Commands,
            ..Session::default()
        };
        let refused = b"\x09\0\0\x01\xff\x26\x04#23000";

        for asked in [&b"\x07\0\0\0\x03COMMIT"[..], b"\x01\0\0\0\x01"] {
            session.hear_client(&mut asked.into(), &shared);
        }
        let (passing, cut) = session.hear_server(&mut refused[..].into(), &shared);

        assert_eq!((&passing[..], cut), (&refused[..], None));
    }
}
