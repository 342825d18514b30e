//! What several turns of the same took.

use std::time::Duration;

#[derive(Debug, Default, Clone)]
pub struct Took(Vec<Duration>);

impl Took {
    pub fn add(&mut self, turn: Duration) {
        self.0.push(turn);
    }

    /// The middle one, or what lies between the two middle ones: of turns that the machine held up it
    /// knows nothing. Nothing when there were none.
    pub fn median(&self) -> Duration {
        let mut turns = self.0.clone();
        turns.sort_unstable();
        match turns.len() {
            0 => Duration::ZERO,
            count => (turns[(count - 1) / 2] + turns[count / 2]) / 2,
        }
    }

    /// The seconds of each, for a note.
    pub fn in_turn(&self) -> String {
        let seconds = self
            .0
            .iter()
            .map(|turn| format!("{:.2}", turn.as_secs_f64()));
        seconds.collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_of_the_turns_however_they_came() {
        let medians = [&[3, 1, 2][..], &[40, 1, 3, 2], &[7], &[]].map(median_of);

        assert_eq!(medians, [2000, 2500, 7000, 0].map(Duration::from_millis));
    }

    fn median_of(seconds: &[u64]) -> Duration {
        Took(seconds.iter().copied().map(Duration::from_secs).collect()).median()
    }
}
