//! The view of a queue: what a worker knows of it without asking: whether it has something to claim, and who will tell.

/// What is known of a queue.
#[derive(Debug)]
pub struct QueueView {
    /// The queue has nothing to claim, as far as we know: the last claim got less than it wanted, or
    /// the last poll did not find the queue.
    is_dry: bool,
    /// Jobs have joined the line since the last claim or poll was sent: what it says is old.
    has_news: bool,
    /// There is more than hints were taken for, or than nobody may have hinted at: it is searched to its
    /// end before hints are taken again.
    is_found: bool,
    /// It was seen to have limits of its own.
    is_limited: bool,
    /// It is one of those whose hints are waited for.
    is_chosen: bool,
    /// A consumer waits for its hints.
    has_consumer: bool,
    /// How many hints have led to nothing since one has led to a job.
    astray: u32,
}

/// So many hints in a row lead to nothing, at the least, before anything is made of it: what a search
/// has claimed was mostly hinted at as well.
const ASTRAY: u32 = 8;

impl QueueView {
    /// Of a queue that no poll has found.
    pub const fn dry() -> Self {
        Self {
            is_dry: true,
            has_news: false,
            is_found: false,
            is_limited: false,
            is_chosen: false,
            has_consumer: false,
            astray: 0,
        }
    }

    /// Whether it has nothing to claim, as far as we know.
    pub const fn is_dry(&self) -> bool {
        self.is_dry
    }

    /// Whether it is searched, instead of waiting for its hints.
    pub const fn is_found(&self) -> bool {
        self.is_found
    }

    /// Whether it was seen to have limits of its own.
    pub const fn is_limited(&self) -> bool {
        self.is_limited
    }

    /// Takes note that a poll or a claim is sent, or that all hints there are were taken: what it
    /// says covers whatever has joined the line until now.
    pub const fn begin(&mut self) {
        self.has_news = false;
    }

    /// Takes note of whether the queue had less than was wanted, or nothing.
    pub const fn set_dry(&mut self, is_dry: bool) {
        self.is_found = !is_dry;
        self.is_dry = is_dry && !self.has_news;
    }

    /// Takes note that jobs have joined the line.
    pub const fn joined(&mut self) {
        self.is_dry = false;
        self.has_news = true;
    }

    /// Takes note of whether the queue has limits of its own.
    pub const fn set_limited(&mut self, is_limited: bool) {
        self.is_limited = is_limited;
    }

    /// Chooses the queue as one whose hints are waited for, or not; says whether it lacks a consumer.
    pub const fn choose(&mut self, is_chosen: bool) -> bool {
        self.is_chosen = is_chosen;
        let lacks_consumer = self.is_awaited() && !self.has_consumer;
        self.has_consumer |= lacks_consumer;
        lacks_consumer
    }

    /// Whether its hints are waited for.
    pub const fn is_awaited(&self) -> bool {
        self.is_chosen && !self.is_limited
    }

    /// Whether its consumer is to end; it is taken off the list in the same breath.
    pub const fn dismiss(&mut self) -> bool {
        self.has_consumer = self.is_awaited();
        !self.has_consumer
    }

    /// Takes note that there were fewer hints than wanted: unless it is to be searched, the queue is as
    /// good as dry.
    pub const fn ran_dry(&mut self) {
        self.is_dry = !self.is_found && !self.has_news;
    }

    /// Takes note of where hints have led. As many as were wanted, and a job behind each: the line is
    /// longer than that, and is searched. Says whether so many have led nowhere that something must be
    /// wrong with them.
    pub fn followed(&mut self, found: usize, stale: usize, is_full: bool, slots: u32) -> bool {
        self.astray = match found {
            0 => self.astray.saturating_add(count(stale)),
            _ => 0,
        };
        if !is_full {
            self.ran_dry();
        } else if stale == 0 {
            self.is_found = true;
        }
        self.astray >= slots.max(ASTRAY)
    }
}

fn count(of: usize) -> u32 {
    u32::try_from(of).unwrap_or(u32::MAX)
}
