//! What this node believes of Redis: whether it does its work, and which generation is open.

use std::time::Duration;

use baton_ports::hints::{HintError, HintState, Result};
use parking_lot::Mutex;
use tokio::sync::watch;

use crate::{breaker::Breaker, errors::LinkError};

/// What this node believes of Redis.
pub struct View {
    present: watch::Sender<Present>,
    breaker: Mutex<Breaker>,
    heal: Duration,
}

/// What is believed now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Present {
    /// Why hints are not to be had.
    pub away: Option<String>,
    /// The generation that is open.
    pub generation: Option<i64>,
    /// Grows with each move of our own, so that what was read before it is not believed after it.
    pub turn: u64,
}

impl View {
    pub fn new(heal: Duration) -> Self {
        let present = Present {
            away: Some("Redis was not asked yet: wait a moment".to_owned()),
            generation: None,
            turn: 0,
        };
        Self {
            present: watch::Sender::new(present),
            breaker: Mutex::new(Breaker::new()),
            heal,
        }
    }

    pub fn state(&self) -> HintState {
        match self.answerable().and_then(|()| self.open()) {
            Ok(_) => HintState::Open,
            Err(HintError::Building) => HintState::Building,
            Err(HintError::Away(why)) => HintState::Away(why),
        }
    }

    /// Fails while Redis is away.
    pub fn answerable(&self) -> Result<()> {
        match &self.present.borrow().away {
            Some(why) => Err(HintError::Away(why.clone())),
            None => Ok(()),
        }
    }

    /// The generation that is open.
    pub fn open(&self) -> Result<i64> {
        self.answerable()?;
        self.present.borrow().generation.ok_or(HintError::Building)
    }

    pub fn turn(&self) -> u64 {
        self.present.borrow().turn
    }

    pub fn watch(&self) -> watch::Receiver<Present> {
        self.present.subscribe()
    }

    /// A command was answered.
    pub fn answered(&self) {
        self.breaker.lock().answered();
    }

    /// A probe was answered by all that matters, and read this generation in this turn.
    pub fn well(&self, generation: Option<i64>, turn: u64) {
        self.answered();
        let is_back = self.breaker.lock().is_back(self.heal);
        self.change(|present| {
            if present.turn == turn {
                present.generation = generation;
            }
            if is_back && present.away.take().is_some() {
                tracing::debug!("Redis is well");
            }
        });
    }

    /// A command was not answered, or refused.
    pub fn failed(&self, trouble: &LinkError) {
        let is_away = self.present.borrow().away.is_some();
        if !self.breaker.lock().breaks(trouble.kind) && !is_away {
            return;
        }
        self.change(|present| {
            if present.away.is_none() {
                tracing::debug!(why = trouble.why, "Redis is given up");
            }
            present.away = Some(trouble.why.clone());
        });
    }

    /// This generation is open, as far as we know by our own doing.
    pub fn moved_to(&self, generation: Option<i64>) {
        self.change(|present| {
            present.generation = generation;
            present.turn += 1;
        });
    }

    fn change(&self, change: impl FnOnce(&mut Present)) {
        self.present.send_if_modified(|present| {
            let before = present.clone();
            change(present);
            *present != before
        });
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;
    use crate::{breaker::SILENCE, errors::Kind};

    const HEAL: Duration = Duration::from_secs(10);
    const MOMENT: Duration = Duration::from_millis(250);

    fn silence() -> LinkError {
        LinkError::slow("host:6379", Duration::from_millis(300))
    }

    fn refusal() -> LinkError {
        LinkError {
            kind: Kind::Refusing,
            why: "it is full".to_owned(),
        }
    }

    /// One that was met and is well, with generation 1 open.
    fn well() -> View {
        let view = View::new(HEAL);
        view.well(Some(1), 0);
        view
    }

    #[tokio::test(start_paused = true)]
    async fn three_silences_in_a_row_are_no_accident() {
        let view = well();

        for _ in 0..2 {
            advance(MOMENT).await;
            view.failed(&silence());
        }
        let after_two = view.state();
        advance(MOMENT).await;
        view.failed(&silence());

        assert_eq!(after_two, HintState::Open);
        assert!(matches!(view.state(), HintState::Away(_)));
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_between_silences_makes_them_accidents() {
        let view = well();

        for _ in 0..10 {
            advance(MOMENT).await;
            view.failed(&silence());
            view.answered();
        }

        assert_eq!(view.state(), HintState::Open);
    }

    #[tokio::test(start_paused = true)]
    async fn silences_that_come_together_are_one() {
        let view = well();

        for _ in 0..50 {
            view.failed(&silence());
        }

        assert_eq!(view.state(), HintState::Open);
    }

    #[tokio::test(start_paused = true)]
    async fn one_silence_after_a_second_without_an_answer_is_enough() {
        let view = well();

        advance(SILENCE).await;
        view.failed(&silence());

        assert!(matches!(view.state(), HintState::Away(_)));
    }

    #[tokio::test(start_paused = true)]
    async fn one_refusal_is_enough() {
        let view = well();

        view.failed(&refusal());

        assert_eq!(view.state(), HintState::Away("it is full".to_owned()));
    }

    #[tokio::test(start_paused = true)]
    async fn what_was_away_is_used_when_it_was_well_without_a_break_for_the_whole_time() {
        let view = well();
        view.failed(&refusal());

        view.well(Some(1), 0);
        advance(HEAL - MOMENT).await;
        view.failed(&silence());
        view.well(Some(1), 0);
        advance(HEAL - MOMENT).await;
        view.well(Some(1), 0);
        let nearly = view.state();
        advance(MOMENT).await;
        view.well(Some(1), 0);

        assert!(matches!(nearly, HintState::Away(_)));
        assert_eq!(view.state(), HintState::Open);
    }

    #[tokio::test(start_paused = true)]
    async fn what_was_read_before_a_move_of_our_own_is_not_believed_after_it() {
        let view = well();
        let turn = view.turn();

        view.moved_to(Some(2));
        view.well(Some(1), turn);

        assert_eq!(view.open(), Ok(2));
    }
}
