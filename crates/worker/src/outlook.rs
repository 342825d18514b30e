//! What is known of a queue from afar: whether it has something to claim, and who will tell.

/// What is known of a queue.
#[derive(Debug)]
pub struct Outlook {
    /// The queue has nothing to claim, as far as we know: the last claim got less than it wanted, or
    /// the last look did not find the queue.
    is_dry: bool,
    /// Jobs have joined the line since the last claim or look was sent: what it says is old.
    has_news: bool,
    /// The last look found the queue, and it was not searched to its end since.
    is_found: bool,
    /// It would have been searched further but for hints that kept the worker busy.
    is_put_off: bool,
    /// It was seen to have limits of its own.
    is_limited: bool,
    /// It is one of those whose hints are waited for.
    is_chosen: bool,
    /// A taker waits for its hints.
    has_taker: bool,
    /// How many jobs hints have led to since there were fewer than wanted.
    led: u32,
    /// How many hints have led to nothing since one has led to a job.
    astray: u32,
    /// Hints alone keep the worker busy.
    is_flowing: bool,
}

/// So many hints in a row lead to nothing, at the least, before anything is made of it: what a search
/// has claimed was mostly hinted at as well.
const ASTRAY: u32 = 8;

impl Outlook {
    /// Of a queue that no look has found.
    pub const fn dry() -> Self {
        Self {
            is_dry: true,
            has_news: false,
            is_found: false,
            is_put_off: false,
            is_limited: false,
            is_chosen: false,
            has_taker: false,
            led: 0,
            astray: 0,
            is_flowing: false,
        }
    }

    /// Whether it has nothing to claim, as far as we know.
    pub const fn is_dry(&self) -> bool {
        self.is_dry
    }

    /// Whether a search may find what was not hinted at.
    pub const fn is_found(&self) -> bool {
        self.is_found
    }

    /// Whether it was seen to have limits of its own.
    pub const fn is_limited(&self) -> bool {
        self.is_limited
    }

    /// Takes note that a look or a claim is sent, or that all hints there are were taken: what it
    /// says covers whatever has joined the line until now.
    pub const fn begin(&mut self) {
        self.has_news = false;
    }

    /// Takes note of whether the queue had less than was wanted, or nothing.
    pub const fn set_dry(&mut self, is_dry: bool) {
        self.is_found = !is_dry;
        self.is_put_off = false;
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

    /// Puts off whatever more there is to find until hints run dry, or until the next look.
    pub const fn put_off(&mut self) {
        self.is_put_off = self.is_found;
        self.is_found = false;
    }

    /// Chooses the queue as one whose hints are waited for, or not; says whether it lacks a taker.
    pub const fn choose(&mut self, is_chosen: bool) -> bool {
        self.is_chosen = is_chosen;
        let lacks_taker = self.is_awaited() && !self.has_taker;
        self.has_taker |= lacks_taker;
        lacks_taker
    }

    /// Whether its hints are waited for.
    pub const fn is_awaited(&self) -> bool {
        self.is_chosen && !self.is_limited
    }

    /// Whether its taker is to end; it is taken off the list in the same breath.
    pub const fn dismiss(&mut self) -> bool {
        self.has_taker = self.is_awaited();
        !self.has_taker
    }

    /// Takes note that there were fewer hints than wanted: unless there is more to find, the queue is
    /// as good as dry. Says whether a search goes on that was put off.
    pub fn ran_dry(&mut self) -> bool {
        let goes_on = std::mem::take(&mut self.is_put_off);
        self.is_found |= goes_on;
        self.is_dry = !self.is_found && !self.has_news;
        self.is_flowing = false;
        self.led = 0;
        goes_on
    }

    /// Takes note of where as many hints as wanted have led. They flow once there is one for each
    /// slot. Says whether so many have led nowhere that something must be wrong with them.
    pub fn followed(&mut self, found: usize, stale: usize, slots: u32) -> bool {
        let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        self.led = self.led.saturating_add(count(found));
        self.astray = match found {
            0 => self.astray.saturating_add(count(stale)),
            _ => 0,
        };
        let is_astray = self.astray >= slots.max(ASTRAY);
        self.is_flowing = self.led >= slots && !is_astray;
        is_astray
    }

    /// Whether hints alone keep the worker busy.
    pub const fn is_flowing(&self) -> bool {
        self.is_flowing
    }
}
