//! The view of a queue: what a worker knows of it without asking.

/// What is known of a queue.
#[derive(Debug)]
pub struct QueueView {
    /// The queue has nothing to claim, as far as we know: the last claim got less than it wanted, or
    /// the last poll did not find the queue.
    is_dry: bool,
    /// Jobs have joined the line since the last claim or poll was sent: what it says is old.
    has_news: bool,
    /// There is more than was named, or what nobody may name: it is searched to its end before more is named.
    is_found: bool,
    /// It was seen to have limits of its own.
    is_limited: bool,
}

impl QueueView {
    /// Of a queue that no poll has found.
    pub const fn dry() -> Self {
        Self {
            is_dry: true,
            has_news: false,
            is_found: false,
            is_limited: false,
        }
    }

    /// Whether it has nothing to claim, as far as we know.
    pub const fn is_dry(&self) -> bool {
        self.is_dry
    }

    /// Whether it is searched, whatever is named.
    pub const fn is_found(&self) -> bool {
        self.is_found
    }

    /// Whether it was seen to have limits of its own.
    pub const fn is_limited(&self) -> bool {
        self.is_limited
    }

    /// Takes note that a poll or a claim is sent, or that all was named that there is: what it
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

    /// Takes note that the line is longer than what was named of it.
    pub const fn set_found(&mut self) {
        self.is_found = true;
    }

    /// Takes note that fewer jobs were named than wanted: unless it is to be searched, the queue is as
    /// good as dry.
    pub const fn ran_dry(&mut self) {
        self.is_dry = !self.is_found && !self.has_news;
    }
}
