//! Whether a job can be left alone for ever: the liveness of the model.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    vec,
};

use crate::{
    design::Scene,
    duty::{Duties, Steps},
    node::WorkerJob,
    state::{Place, State},
};

impl State {
    /// Whether the job has ended, waits for a moment that has not come, or is run by somebody alive under the
    /// lease that holds it.
    pub(crate) fn is_cared_for(&self) -> bool {
        match self.store.place {
            Place::Succeeded | Place::Dead => true,
            Place::Waiting(due) => due > self.ahead,
            Place::Ready => false,
            Place::Leased(lease) => self.nodes.iter().any(|node| {
                let runs = matches!(node.hand, WorkerJob::Runs(run) if run.lease == lease.id);
                node.is_at_work() && runs
            }),
        }
    }
}

/// Where a job can be left alone for ever, as far as it is known.
#[derive(Default)]
pub(crate) struct Stuck(Mutex<KnownStates>);

#[derive(Default)]
struct KnownStates {
    numbers: HashMap<State, usize>,
    marks: Vec<Mark>,
}

/// What is known of a state.
struct Mark {
    /// The first state that can be reached from it and from which it can be reached, as far as was looked; the
    /// same for all that lie on circles with it, once their circles are closed.
    first: usize,
    is_closed: bool,
    is_stuck: bool,
}

impl Stuck {
    /// Whether nobody cares for the job here, and some way without faults that puts off no duty for ever comes
    /// here again and again, or stays.
    ///
    /// There are finitely many states, so a way without end stays at last among states that lie on circles with one
    /// another. It puts off a duty for ever if that could be done in all of them and none of its steps does it. It
    /// is enough to look at the largest such sets: what can be put off in one can be put off in each part of it.
    /// Nothing may happen either, for ever; so a state on no circle is such a set too.
    pub(crate) fn is_at(&self, scene: &Scene, state: &State) -> bool {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let state = state.clone().without_its_past();
        let number = match known.numbers.get(&state).copied() {
            Some(number) => number,
            None => Search::new(scene, &mut known).run(state),
        };
        known.marks[number].is_stuck
    }
}

/// A search for circles, as Tarjan's: without recursion, for ways are long.
struct Search<'a> {
    scene: &'a Scene,
    known: &'a mut KnownStates,
    /// The way to where it looks now, and what is still to be looked at from each state of it.
    way: Vec<(usize, vec::IntoIter<(Duties, State)>)>,
    /// What was come upon and may still turn out to lie on circles with the way.
    open: Vec<(usize, State)>,
}

impl<'a> Search<'a> {
    const fn new(scene: &'a Scene, known: &'a mut KnownStates) -> Self {
        Self {
            scene,
            known,
            way: Vec::new(),
            open: Vec::new(),
        }
    }

    fn run(mut self, from: State) -> usize {
        let start = self.enter(from);
        while let Some((at, after)) = self.way.last_mut() {
            let at = *at;
            match after.next() {
                Some((_, next)) => self.step(at, next),
                None => self.leave(at),
            }
        }
        start
    }

    fn enter(&mut self, state: State) -> usize {
        let number = self.known.marks.len();
        self.known.numbers.insert(state.clone(), number);
        self.known.marks.push(Mark {
            first: number,
            is_closed: false,
            is_stuck: false,
        });
        let steps = Steps::from(self.scene, &state);
        self.way.push((number, steps.after.into_iter()));
        self.open.push((number, state));
        number
    }

    fn step(&mut self, at: usize, next: State) {
        match self.known.numbers.get(&next).copied() {
            None => {
                self.enter(next);
            }
            Some(met) if !self.known.marks[met].is_closed => self.reaches(at, met),
            Some(_) => {}
        }
    }

    fn reaches(&mut self, at: usize, first: usize) {
        let mark = &mut self.known.marks[at];
        mark.first = mark.first.min(first);
    }

    fn leave(&mut self, at: usize) {
        self.way.pop();
        let first = self.known.marks[at].first;
        if first == at {
            self.close(at);
        } else if let Some((before, _)) = self.way.last() {
            self.reaches(*before, first);
        }
    }

    /// Whatever was come upon since lies on circles with this state.
    fn close(&mut self, first: usize) {
        let from = self.open.partition_point(|(number, _)| *number < first);
        let circle = self.open.split_off(from);
        for (number, _) in &circle {
            let mark = &mut self.known.marks[*number];
            (mark.first, mark.is_closed) = (first, true);
        }
        let alone = circle.iter().filter(|(_, state)| !state.is_cared_for());
        if alone.clone().next().is_some() && self.can_stay(first, &circle) {
            alone.for_each(|(number, _)| self.known.marks[*number].is_stuck = true);
        }
    }

    /// Whether a way can stay among these states and put off no duty for ever.
    fn can_stay(&self, first: usize, circle: &[(usize, State)]) -> bool {
        let (mut always_open, mut done) = (Duties::ALL, Duties::NONE);
        for (_, state) in circle {
            let steps = Steps::from(self.scene, state);
            always_open = always_open.common(steps.open);
            for (duty, next) in steps.after {
                if self.known.marks[self.known.numbers[&next]].first == first {
                    done = done.and(duty);
                }
            }
        }
        always_open.without(done) == Duties::NONE
    }
}
