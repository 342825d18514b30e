//! One queue's slots: what runs, and what was claimed ahead.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use parking_lot::Mutex;
use tokio::{sync::Notify, time::Instant};

use crate::{job::Job, pace::HandlerTime, process_slots::ProcessSlots, queue_view::QueueView};

/// One queue's slots.
pub struct QueueSlots {
    /// The queue.
    pub queue: Arc<str>,
    /// How many jobs run at once.
    pub count: u32,
    /// Rings for who names jobs when there is room again, or more of it.
    pub freed: Notify,
    /// The slots of all queues together; each of ours that is in use is one of them.
    process: Arc<ProcessSlots>,
    state: Mutex<State>,
}

struct State {
    running: u32,
    /// Slots set aside for jobs that are being added.
    held: u32,
    /// Jobs that open claims may bring.
    asked: u32,
    /// How many groups of those that start together are on their way.
    gathering: u32,
    buffer: VecDeque<Job>,
    pace: HandlerTime,
    /// How many jobs to hold beyond the slots.
    ahead: u32,
    view: QueueView,
    /// When jobs were last taken in.
    used: Option<Instant>,
    /// No job starts any more.
    is_closed: bool,
}

/// How much room a queue has for claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Capacity {
    /// None.
    None,
    /// A little: worth a claim once others have joined.
    Some,
    /// A quarter of what it can hold, or more: worth a claim at once.
    Plenty,
}

impl QueueSlots {
    /// Without jobs, of a queue that no poll has found.
    pub fn new(queue: &str, count: u32, process: Arc<ProcessSlots>) -> Self {
        let state = State {
            running: 0,
            held: 0,
            asked: 0,
            gathering: 0,
            buffer: VecDeque::new(),
            pace: HandlerTime::default(),
            ahead: 0,
            view: QueueView::dry(),
            used: None,
            is_closed: false,
        };
        Self {
            queue: queue.into(),
            count,
            freed: Notify::new(),
            process,
            state: Mutex::new(state),
        }
    }

    /// Asks, or tells, what is known of the queue.
    pub fn view<T>(&self, say: impl FnOnce(&mut QueueView) -> T) -> T {
        say(&mut self.state.lock().view)
    }

    /// How many jobs to claim now. From here on they say when it has room again.
    pub fn want(&self, ahead: impl FnOnce(&HandlerTime) -> u32) -> u32 {
        let mut state = self.state.lock();
        state.ahead = ahead(&state.pace);
        state.view.begin();
        self.free(&state)
    }

    /// Keeps room for what a claim may bring.
    pub fn ask(&self, count: u32) {
        self.state.lock().asked += count;
    }

    /// Keeps it no more: the claim was answered.
    pub fn answered(&self, count: u32) {
        self.state.lock().asked -= count;
    }

    /// How many jobs to hold beyond the slots, when a claim takes so long.
    pub fn ahead(&self, trip: Duration, most: u32) -> u32 {
        self.state.lock().pace.ahead(self.count, trip, most)
    }

    /// How many jobs can be named now, and how much room that is. A search that is due comes first: what
    /// nobody names would wait for ever behind what somebody does.
    pub fn reach(&self, ahead: impl FnOnce(&HandlerTime) -> u32) -> (u32, Capacity) {
        let mut state = self.state.lock();
        if state.view.is_found() {
            return (0, Capacity::None);
        }
        state.ahead = ahead(&state.pace);
        let free = self.free(&state);
        (free, self.room_for(&state, free))
    }

    /// How much room there is for claims.
    pub fn room(&self) -> Capacity {
        let state = self.state.lock();
        if state.view.is_dry() || state.is_closed {
            Capacity::None
        } else {
            self.room_for(&state, self.free(&state))
        }
    }

    /// How much room there is for what a poll has found and nobody may have named.
    pub fn room_to_search(&self) -> Capacity {
        let state = self.state.lock();
        if !state.view.is_found() || state.is_closed {
            Capacity::None
        } else {
            self.room_for(&state, self.free(&state))
        }
    }

    /// How many jobs it can take in, whatever the queue has.
    pub fn space(&self) -> u32 {
        self.free(&self.state.lock())
    }

    /// Whether it could run more if the process had a slot for it.
    pub fn is_starved(&self) -> bool {
        let state = self.state.lock();
        let taken = state.running + state.held + len(&state.buffer);
        !state.is_closed && taken < self.count && self.process.left() == 0
    }

    /// Whether jobs stand in line although it has slots for them.
    pub fn is_stranded(&self) -> bool {
        let state = self.state.lock();
        !state.buffer.is_empty() && self.idle(&state) > 0
    }

    /// How many jobs it has, running or about to.
    pub fn load(&self) -> u32 {
        let state = self.state.lock();
        state.running + state.held + len(&state.buffer)
    }

    /// Whether it holds all it can, whatever the queue has.
    pub fn is_full(&self) -> bool {
        self.space() == 0
    }

    /// When jobs were last taken in.
    pub fn used(&self) -> Option<Instant> {
        self.state.lock().used
    }

    /// Sets free slots aside, if a job that comes now would be the next to start: nothing is in line
    /// before it, neither here nor, as far as we know, in the queue.
    pub fn hold(&self, count: u32) -> bool {
        let mut state = self.state.lock();
        let is_next = state.view.is_dry() && state.buffer.is_empty();
        let is_open = !state.view.is_limited() && !state.is_closed;
        let has_room = is_next && is_open && self.idle(&state) >= count;
        let is_held = has_room && self.allowed(&state) >= count && self.process.take_all(count);
        if is_held {
            state.held += count;
        }
        is_held
    }

    /// Gives slots back that were set aside.
    pub fn let_go(&self, count: u32) {
        self.state.lock().held -= count;
        self.process.give_back(count);
    }

    /// Puts jobs into slots that were set aside, in front of whatever came meanwhile; says how many
    /// runners have to be started. What is closed hands them back.
    pub fn fill(&self, held: u32, jobs: Vec<Job>) -> Result<u32, Vec<Job>> {
        let mut state = self.state.lock();
        state.held -= held;
        if state.is_closed {
            self.process.give_back(held);
            return Err(jobs);
        }
        for job in jobs.into_iter().rev() {
            state.buffer.push_front(job);
        }
        Ok(self.engage(&mut state, held))
    }

    /// Takes claimed jobs in; says how many runners have to be started for them. What is closed hands
    /// them back.
    pub fn accept(&self, jobs: Vec<Job>) -> Result<u32, Vec<Job>> {
        let mut state = self.state.lock();
        if state.is_closed {
            return Err(jobs);
        }
        state.used = Some(Instant::now());
        state.buffer.extend(jobs);
        Ok(self.engage(&mut state, 0))
    }

    /// Says how many runners have to be started for jobs that none has taken.
    pub fn rouse(&self) -> u32 {
        self.engage(&mut self.state.lock(), 0)
    }

    /// Takes the next job for a runner's slot; without one the slot is given up, in the same breath, and also where it is
    /// better used by those who start together next.
    pub fn next(&self) -> Option<Job> {
        let mut state = self.state.lock();
        let job = if self.gathers(&state, 1) {
            None
        } else {
            state.buffer.pop_front()
        };
        if job.is_none() {
            state.running -= 1;
            self.process.give_back(1);
        }
        job
    }

    /// Takes the jobs behind a runner's own that can be prepared with it, each for a slot that nothing runs in. Half
    /// of the slots at the most, so that others are made while these are prepared. They are on their way until the
    /// answer's other half is dropped; then they have to be roused.
    pub fn join(&self, own: &Job) -> (Vec<Job>, Option<Gathering<'_>>) {
        let mut state = self.state.lock();
        let most = self.company(own).saturating_sub(1);
        let most = most.min(self.idle(&state)) as usize;
        let alike = state.buffer.iter().take(most);
        let count = alike.take_while(|job| job.is_like(own)).count();
        let taken = self.process.take(u32::try_from(count).unwrap_or(u32::MAX));
        if taken == 0 {
            return (Vec::new(), None);
        }
        let count = taken as usize;
        state.running += taken;
        state.gathering += 1;
        (state.buffer.drain(..count).collect(), Some(Gathering(self)))
    }

    /// Takes note that a runner is done with a job; says how much room there is when that has changed.
    pub fn done(&self, ran: Option<Duration>) -> Option<Capacity> {
        let mut state = self.state.lock();
        if let Some(ran) = ran {
            state.pace.ran(ran);
        }
        // The runner still has its slot; it takes the next job or gives the slot up right after this.
        let free = self.free(&state) + 1;
        let room = self.room_for(&state, free);
        (free == 1 || room != self.room_for(&state, free - 1)).then_some(room)
    }

    /// Gives up a slot whose runner has died.
    pub fn abandon(&self) {
        self.state.lock().running -= 1;
        self.process.give_back(1);
    }

    /// Takes jobs back that stood in line for longer than `most`: handlers have become slow.
    pub fn take_stale(&self, now: Instant, most: Duration) -> Vec<Job> {
        let mut state = self.state.lock();
        match state.buffer.front() {
            Some(first) if now.saturating_duration_since(first.since) > most => {
                state.pace.stood(most);
                state.ahead = 0;
                state.buffer.drain(..).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Takes jobs back that have not started and that `is_wanted` names.
    pub fn take_where(&self, is_wanted: impl Fn(&Job) -> bool) -> Vec<Job> {
        let mut state = self.state.lock();
        if !state.buffer.iter().any(&is_wanted) {
            return Vec::new();
        }
        let (taken, kept): (VecDeque<_>, _) = state.buffer.drain(..).partition(is_wanted);
        state.buffer = kept;
        taken.into()
    }

    /// Starts nothing from now on; hands back what has not started.
    pub fn close(&self) -> Vec<Job> {
        let mut state = self.state.lock();
        state.is_closed = true;
        state.buffer.drain(..).collect()
    }

    /// How many jobs run, and how many wait for a slot.
    pub fn counts(&self) -> (u32, u32) {
        let state = self.state.lock();
        (state.running, len(&state.buffer))
    }

    /// Takes slots for what stands in line; so many of the process's are in hand already.
    fn engage(&self, state: &mut State, in_hand: u32) -> u32 {
        let likes_company = state
            .buffer
            .front()
            .is_some_and(|job| job.most_together() > 1);
        // One that takes others along rouses the next when it knows how many: whoever takes such a job has to.
        let most = match likes_company {
            true if self.gathers(state, 0) => 0,
            true => 1,
            false => len(&state.buffer),
        };
        let wanted = most.min(self.idle(state));
        let more = self.process.take(wanted.saturating_sub(in_hand));
        let runners = wanted.min(in_hand + more);
        self.process.give_back(in_hand.saturating_sub(runners));
        state.running += runners;
        runners
    }

    /// Whether a runner's `own` slots and those that are free wait until a group that is on its way has set out: few at a time
    /// would start, each few with a look of their own, and the more of them, the fewer are free for the next.
    fn gathers(&self, state: &State, own: u32) -> bool {
        let front = state.buffer.front().filter(|job| job.most_together() > 1);
        let is_small = |job| self.idle(state) + own < self.company(job);
        state.gathering > 0 && front.is_some_and(is_small)
    }

    /// How many start together at the most with a job that likes company.
    fn company(&self, job: &Job) -> u32 {
        let most = self.count / 2;
        u32::try_from(job.most_together()).map_or(most, |together| together.min(most))
    }

    /// How many jobs it can take in. Where the process is short of slots, no more than can start: what is
    /// claimed ahead would wait here for a slot while others have one.
    fn free(&self, state: &State) -> u32 {
        let used = state.running + state.held;
        let taken = used + state.asked + len(&state.buffer);
        let free = (self.count + state.ahead).saturating_sub(taken);
        let has_enough = self.process.left() >= self.count;
        if has_enough || (used > 0 && !self.process.is_short()) {
            return free;
        }
        free.min(self.allowed(state).saturating_sub(len(&state.buffer)))
    }

    /// How many of the process's slots it may take beside those that it has.
    fn allowed(&self, state: &State) -> u32 {
        let load = state.running + state.held + len(&state.buffer);
        self.process.allows(load, self.process.left())
    }

    /// Slots that nothing runs in and nobody has set aside.
    fn idle(&self, state: &State) -> u32 {
        self.count.saturating_sub(state.running + state.held)
    }

    fn room_for(&self, state: &State, free: u32) -> Capacity {
        match free {
            0 => Capacity::None,
            free if free >= (self.count + state.ahead).div_ceil(4) => Capacity::Plenty,
            _ => Capacity::Some,
        }
    }
}

/// A group of those that start together, on its way until this is dropped.
pub struct Gathering<'a>(&'a QueueSlots);

impl Drop for Gathering<'_> {
    fn drop(&mut self) {
        self.0.state.lock().gathering -= 1;
    }
}

fn len(buffer: &VecDeque<Job>) -> u32 {
    u32::try_from(buffer.len()).unwrap_or(u32::MAX)
}
