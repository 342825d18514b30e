//! Scenes in which people have a say, and jobs that stay where they are.

use baton_lab::checker::{Act, ActAnswer, ActKind, Posted, State};

use super::{Life, MS, Mishap, SECOND, World};

impl World {
    fn act(&mut self, kind: ActKind, life: &Life) {
        self.history.acts.push(Act {
            kind,
            job: Some(life.id.clone()),
            start_us: life.at - MS,
            end_us: life.at + MS,
            answer: ActAnswer::Done,
        });
    }

    pub(super) fn cancel_in_time(&mut self) {
        let mut life = self.post(101, "/ok", 60 * SECOND, false);
        life.at += SECOND;
        self.act(ActKind::Cancel, &life);
        self.moves(&mut life, State::Canceled);
        self.keep(&life);
    }

    pub(super) fn redrive(&mut self) {
        let mut life = self.post(102, "/bad", 0, false);
        self.attempt(&mut life, Mishap::None);
        life.at += SECOND;
        self.act(ActKind::Retry, &life);
        self.moves(&mut life, State::Queued);
        life.run = 2;
        life.tries = 0;
        life.arrivals = 0;
        self.attempt(&mut life, Mishap::None);
        self.keep(&life);
    }

    pub(super) fn run_now(&mut self) {
        let mut life = self.post(103, "/ok", 60 * SECOND, false);
        life.at += SECOND;
        self.act(ActKind::RunNow, &life);
        self.moves(&mut life, State::Queued);
        self.attempt(&mut life, Mishap::None);
        self.keep(&life);
    }

    pub(super) fn resolve(&mut self) {
        let mut doubtful = self.post(104, "/reset/1", 0, true);
        self.attempt(&mut doubtful, Mishap::None);
        self.keep(&doubtful);

        let mut resolved = self.post(106, "/reset/1", 0, true);
        self.attempt(&mut resolved, Mishap::None);
        resolved.at += SECOND;
        self.act(ActKind::Resolve, &resolved);
        self.moves(&mut resolved, State::Succeeded);
        self.keep(&resolved);
    }

    pub(super) fn wait(&mut self) {
        let life = self.post(107, "/ok", 86_400 * SECOND, false);
        self.keep(&life);
    }

    pub(super) fn refuse(&mut self) {
        let mut refused = self.history.requests[0].clone();
        refused.key = Some("refused".to_owned());
        refused.answer = Posted::Refused {
            status: 422,
            problem: Some("invalid".to_owned()),
        };
        self.history.requests.push(refused);
    }
}
