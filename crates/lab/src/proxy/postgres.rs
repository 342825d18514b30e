//! A PostgreSQL session as the proxy follows it: what commits, and what became of it.
//!
//! Each simple query, each Sync and the startup are answered by one `ReadyForQuery`, in order; that is
//! how the answer to a commit is found among those of other requests sent ahead of it.

mod message;

use std::collections::HashMap;

use bytes::BytesMut;

use self::message::{Message, Opening};
use super::{
    faults::{How, Moment},
    shared::Shared,
    sql::{Meaning, meanings},
};

#[derive(Debug, Default, PartialEq, Eq)]
enum Phase {
    #[default]
    Opening,
    /// Encryption was asked for; the server answers with a single byte.
    Asked,
    Messages,
    /// Encrypted, or not a session at all: bytes are all we see.
    Opaque,
}

/// What is followed of a session.
#[derive(Debug, Default)]
pub(super) struct Session {
    phase: Phase,
    /// `ReadyForQuery` messages that what the client sent will bring, and those that came.
    asked: u64,
    answered: u64,
    is_in_transaction: bool,
    /// What was executed since the last Sync writes, outside a transaction.
    has_written: bool,
    statements: HashMap<String, Vec<Meaning>>,
    portals: HashMap<String, Vec<Meaning>>,
    awaited: Option<Awaited>,
    current: Current,
}

/// What is known of the answer that is coming in.
#[derive(Debug, Default)]
struct Current {
    is_complete: bool,
    has_failed: bool,
}

/// The answer to a commit, held back until it is whole.
#[derive(Debug)]
struct Awaited {
    number: u64,
    held: BytesMut,
}

impl Session {
    /// Takes what may go on to the server, and says whether the line is to be cut behind it.
    pub(super) fn hear_client(
        &mut self,
        buffer: &mut BytesMut,
        shared: &Shared,
    ) -> (BytesMut, Option<How>) {
        let mut out = BytesMut::new();
        while matches!(self.phase, Phase::Opening | Phase::Asked) {
            let Some((opening, raw)) = message::opening(buffer) else {
                return (out, None);
            };
            out.unsplit(raw);
            self.open(opening);
        }
        if self.phase == Phase::Opaque {
            out.unsplit(buffer.split());
            return (out, None);
        }
        while let Some(message) = message::message(buffer) {
            if self.is_commit(&message) {
                match self.awaited.is_none().then(|| shared.take_cut()).flatten() {
                    Some(Moment::Before) => return (out, Some(How::BeforeCommit)),
                    Some(_) => self.awaited = Some(self.expect_answer()),
                    None => {}
                }
            }
            self.asked += u64::from(matches!(message.letter, b'Q' | b'S' | b'F'));
            out.unsplit(message.raw);
            if shared.take_message_cut() {
                return (out, Some(How::BehindMessage));
            }
        }
        (out, None)
    }

    fn open(&mut self, opening: Opening) {
        self.phase = match opening {
            Opening::Startup => {
                self.asked = 1;
                Phase::Messages
            }
            Opening::Encrypt => Phase::Asked,
            Opening::Other => Phase::Opaque,
        };
    }

    /// Follows a message of the client; `true` if the server commits when it hears it.
    fn is_commit(&mut self, message: &Message) -> bool {
        let mut texts = message.texts();
        let mut text = || texts.next().unwrap_or_default();
        match message.letter {
            b'P' => {
                let name = text();
                self.statements.insert(name, meanings(&text()));
                false
            }
            b'B' => {
                let portal = text();
                let meanings = self.statements.get(&text()).cloned().unwrap_or_default();
                self.portals.insert(portal, meanings);
                false
            }
            b'E' => {
                let meanings = self.portals.get(&text()).cloned().unwrap_or_default();
                self.follow(&meanings)
            }
            b'Q' => self.follow(&meanings(&text())) | std::mem::take(&mut self.has_written),
            b'S' => std::mem::take(&mut self.has_written),
            _ => false,
        }
    }

    /// Follows statements; `true` if one of them is a COMMIT.
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
                Meaning::Write => self.has_written |= !self.is_in_transaction,
                Meaning::Read => {}
            }
        }
        commits
    }

    /// The answer to a message not yet counted; that of an Execute comes with the Sync behind it.
    fn expect_answer(&self) -> Awaited {
        Awaited {
            number: self.asked + 1,
            held: BytesMut::new(),
        }
    }

    /// Takes what may go on to the client, and says whether the line is to be cut behind it.
    pub(super) fn hear_server(
        &mut self,
        buffer: &mut BytesMut,
        shared: &Shared,
    ) -> (BytesMut, Option<How>) {
        let mut out = BytesMut::new();
        if self.phase == Phase::Asked && !buffer.is_empty() {
            let answer = buffer.split_to(1);
            // N: no, the client opens again in plain. Anything else begins what we cannot read.
            self.phase = if answer[0] == b'N' {
                Phase::Opening
            } else {
                Phase::Opaque
            };
            out.unsplit(answer);
        }
        if self.phase != Phase::Messages {
            out.unsplit(buffer.split());
            return (out, None);
        }
        while let Some(message) = message::message(buffer) {
            let is_ready = message.letter == b'Z';
            let status = message.body().first().copied();
            let has_committed = self.current.hear(&message);
            match self.awaited.take() {
                Some(mut awaited) if awaited.number == self.answered + 1 => {
                    awaited.held.unsplit(message.raw);
                    if !is_ready {
                        self.awaited = Some(awaited);
                    } else if has_committed {
                        return (out, Some(How::AfterCommit));
                    } else {
                        shared.give_cut_back();
                        out.unsplit(awaited.held);
                    }
                }
                other => {
                    self.awaited = other;
                    out.unsplit(message.raw);
                }
            }
            if is_ready {
                self.ready(status);
            }
            if shared.take_message_cut() {
                return (out, Some(How::BehindMessage));
            }
        }
        (out, None)
    }

    /// With nothing under way, the server's word on the transaction beats what we made of the text.
    fn ready(&mut self, status: Option<u8>) {
        self.answered += 1;
        self.current = Current::default();
        if self.answered == self.asked {
            self.is_in_transaction = status != Some(b'I');
        }
    }
}

impl Current {
    /// Follows a message of the server; `true` if it says that something has been committed.
    fn hear(&mut self, message: &Message) -> bool {
        match message.letter {
            // COMMIT in a failed transaction is answered with ROLLBACK.
            b'C' => self.is_complete = !message.body().starts_with(b"ROLLBACK"),
            b'E' => self.has_failed = true,
            b'Z' => {
                let is_free = message.body().first() == Some(&b'I');
                return self.is_complete && !self.has_failed && is_free;
            }
            _ => {}
        }
        false
    }
}
