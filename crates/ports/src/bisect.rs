//! Bisection: a batch that the store refuses is asked for in halves, until what is in the way stands alone.
//!
//! A store takes a batch as a whole or not at all, so one row that it dislikes would hold up all the others, each time
//! anew. A batch that is never answered is halved as well, once it is suspect: what is in it may be why.

use std::mem;

use crate::store::{Error, Result};

/// How often the store may leave a batch without an answer before something in the batch may be why.
pub const SUSPICIOUS: u32 = 5;

/// What became of a batch.
#[derive(Debug)]
pub struct Bisected<T, A> {
    /// What the store has answered, piece by piece.
    pub answers: Vec<A>,
    /// What stands in the way, each alone, and what the store says of it.
    pub alone: Vec<(T, Error)>,
    /// What the store has not answered for, as it went away in between, and what it said then.
    pub unanswered: Option<(Vec<T>, Error)>,
}

/// Why the store has not answered for all of a batch, if it has not.
#[must_use]
pub fn silence<T, A>(bisected: &Result<Bisected<T, A>>) -> Option<&Error> {
    match bisected {
        Ok(bisected) => bisected.unanswered.as_ref().map(|(_, error)| error),
        Err(error) => Some(error),
    }
}

impl<T, A> Bisected<T, A> {
    /// What the store has answered.
    ///
    /// # Errors
    /// When that is nothing, though more than one was asked for: rather the store is at fault than all of them, and whoever
    /// asks rests before the next batch.
    pub fn taken(mut self) -> Result<Vec<A>> {
        let is_one = self.alone.len() == 1;
        match self.alone.pop() {
            Some((_, error)) if self.answers.is_empty() && !is_one => Err(error),
            _ => Ok(self.answers),
        }
    }

    /// Whether nothing was taken, and nothing refused.
    fn is_silent(&self) -> bool {
        self.answers.is_empty() && self.alone.iter().all(|(_, error)| error.is_passing())
    }
}

/// Asks for a batch, and for its halves where the store refuses it; where it leaves a suspect one without an answer as well.
///
/// # Errors
/// When the store is away: it has taken nothing yet and does not answer. Of a suspect batch one row may be why, a second one is not.
pub async fn bisect<T: Clone, A, F: Future<Output = Result<A>>>(
    batch: &[T],
    is_suspect: bool,
    ask: impl Fn(Vec<T>) -> F,
) -> Result<Bisected<T, A>> {
    in_pieces(vec![batch], is_suspect, ask).await
}

/// Asks for each of a batch by itself, where the store takes no two at once.
///
/// # Errors
/// As [`bisect`], which it is but for the first steps.
pub async fn one_by_one<T: Clone, A, F: Future<Output = Result<A>>>(
    batch: &[T],
    is_suspect: bool,
    ask: impl Fn(T) -> F,
) -> Result<Bisected<T, A>> {
    let pieces = batch.chunks(1).rev().collect();
    in_pieces(pieces, is_suspect, |mut piece| ask(piece.remove(0))).await
}

/// Asks for pieces, the last one first.
async fn in_pieces<T: Clone, A, F: Future<Output = Result<A>>>(
    mut left: Vec<&[T]>,
    is_suspect: bool,
    ask: impl Fn(Vec<T>) -> F,
) -> Result<Bisected<T, A>> {
    let mut bisected = Bisected {
        answers: Vec::new(),
        alone: Vec::new(),
        unanswered: None,
    };
    while let Some(piece) = left.pop().filter(|piece| !piece.is_empty()) {
        match ask(piece.to_vec()).await {
            Ok(answer) => bisected.answers.push(answer),
            Err(error) if error.is_passing() && !is_suspect => {
                if bisected.answers.is_empty() {
                    return Err(error);
                }
                left.push(piece);
                bisected.unanswered = Some((left.concat(), error));
                return Ok(bisected);
            }
            Err(error) => match piece {
                [one] if bisected.is_silent() && error.is_passing() => {
                    if !bisected.alone.is_empty() {
                        return Err(error);
                    }
                    bisected.alone.push((one.clone(), error));
                    // The next one is asked for from the other end: what is bad often stands together.
                    left.reverse();
                }
                [one] => bisected.alone.push((one.clone(), error)),
                piece => {
                    let (first, second) = piece.split_at(piece.len() / 2);
                    left.extend([second, first]);
                }
            },
        }
    }
    if bisected.is_silent() {
        return bisected
            .alone
            .pop()
            .map_or(Ok(bisected), |(_, error)| Err(error));
    }
    // The store may have been away when it was asked for them.
    for (one, error) in mem::take(&mut bisected.alone) {
        let answer = if error.is_passing() {
            ask(vec![one.clone()]).await
        } else {
            Err(error)
        };
        match answer {
            Ok(answer) => bisected.answers.push(answer),
            Err(error) => bisected.alone.push((one, error)),
        }
    }
    Ok(bisected)
}

#[cfg(test)]
mod tests {
    use std::future;

    use parking_lot::Mutex;

    use super::*;

    type Answer = Result<Bisected<u32, Vec<u32>>>;

    /// Takes pieces without a bad number, and says how large those were that it was asked for.
    async fn ask_for(
        batch: &[u32],
        is_suspect: bool,
        bad: impl Fn(u32) -> Option<Error>,
    ) -> (Answer, Vec<usize>) {
        let sizes = Mutex::new(Vec::new());
        let ask = |piece: Vec<u32>| {
            sizes.lock().push(piece.len());
            let error = piece.iter().find_map(|one| bad(*one));
            future::ready(error.map_or(Ok(piece), Err))
        };
        let bisected = bisect(batch, is_suspect, ask).await;
        (bisected, sizes.into_inner())
    }

    fn refused() -> Error {
        Error::Refused("no".to_owned())
    }

    fn silent() -> Error {
        Error::Unconfirmed("no answer".to_owned())
    }

    #[tokio::test]
    async fn a_batch_that_is_taken_is_asked_for_once() {
        let (bisected, sizes) = ask_for(&[1, 2, 3, 4], false, |_| None).await;

        assert_eq!(bisected.unwrap().answers, [[1, 2, 3, 4]]);
        assert_eq!(sizes, [4]);
    }

    #[tokio::test]
    async fn a_refused_batch_is_halved_until_the_bad_row_stands_alone() {
        let batch: Vec<_> = (0..8).collect();

        let (bisected, sizes) = ask_for(&batch, false, |one| (one == 5).then(refused)).await;

        let bisected = bisected.unwrap();
        let alone: Vec<_> = bisected.alone.iter().map(|(one, _)| *one).collect();
        assert_eq!(bisected.answers.concat(), [0, 1, 2, 3, 4, 6, 7]);
        assert_eq!(alone, [5]);
        assert_eq!(sizes, [8, 4, 4, 2, 1, 1, 2]);
    }

    #[tokio::test]
    async fn a_batch_without_an_answer_is_halved_once_it_is_suspect() {
        let bad = |one| (one == 2).then(silent);

        let (calm, _) = ask_for(&[1, 2, 3], false, bad).await;
        let (suspect, _) = ask_for(&[1, 2, 3], true, bad).await;

        let suspect = suspect.unwrap();
        assert!(calm.is_err());
        assert_eq!(suspect.answers.concat(), [1, 3]);
        assert_eq!(suspect.alone.len(), 1);
    }

    #[tokio::test]
    async fn where_nothing_is_answered_the_store_is_away_and_no_row_is_to_blame() {
        let (bisected, _) = ask_for(&[1, 2, 3], true, |_| Some(silent())).await;

        assert!(bisected.is_err_and(|error| error.is_passing()));
    }

    #[tokio::test]
    async fn a_store_that_is_away_is_asked_for_few_pieces_of_a_suspect_batch() {
        let batch: Vec<_> = (0..1_024).collect();

        let (bisected, sizes) = ask_for(&batch, true, |_| Some(silent())).await;

        assert!(bisected.is_err_and(|error| error.is_passing()));
        assert!(sizes.len() < 25, "asked {} times", sizes.len());
    }

    #[tokio::test]
    async fn bad_rows_that_stand_together_are_not_taken_for_a_store_that_is_away() {
        let bad = |one: u32| (one < 3).then(silent);

        let (bisected, _) = ask_for(&[0, 1, 2, 3, 4, 5, 6, 7], true, bad).await;

        let bisected = bisected.unwrap();
        let mut taken = bisected.answers.concat();
        taken.sort_unstable();
        assert_eq!(taken, [3, 4, 5, 6, 7]);
        assert_eq!(bisected.alone.len(), 3);
    }

    #[tokio::test]
    async fn what_stood_alone_only_while_the_store_was_away_is_taken_once_it_is_back() {
        let asked = Mutex::new(0);
        let bad = |_| {
            *asked.lock() += 1;
            (*asked.lock() <= 4).then(silent)
        };

        // All eight, four, two and one are not answered for; then the store is back.
        let (bisected, _) = ask_for(&[1, 2, 3, 4, 5, 6, 7, 8], true, bad).await;

        let bisected = bisected.unwrap();
        let mut taken = bisected.answers.concat();
        taken.sort_unstable();
        assert_eq!(taken, [1, 2, 3, 4, 5, 6, 7, 8]);
        assert!(bisected.alone.is_empty());
    }

    #[tokio::test]
    async fn what_was_taken_before_the_store_went_away_is_told() {
        let bad = |one| match one {
            1 => Some(refused()),
            4 => Some(silent()),
            _ => None,
        };

        let (bisected, _) = ask_for(&[1, 2, 3, 4, 5], false, bad).await;

        assert!(silence(&bisected).is_some());
        let bisected = bisected.unwrap();
        let (mut unanswered, _) = bisected.unanswered.unwrap();
        unanswered.sort_unstable();
        assert_eq!(bisected.answers.concat(), [2]);
        assert_eq!(bisected.alone.len(), 1);
        assert_eq!(unanswered, [3, 4, 5]);
    }

    #[tokio::test]
    async fn where_each_is_asked_for_by_itself_the_bad_one_stands_alone_at_once() {
        let asked = Mutex::new(Vec::new());
        let ask = |one: u32| {
            asked.lock().push(one);
            future::ready((one != 2).then_some(one).ok_or_else(refused))
        };

        let bisected = one_by_one(&[1, 2, 3], false, ask).await.unwrap();

        assert_eq!(bisected.answers, [1, 3]);
        assert_eq!(bisected.alone.len(), 1);
        assert_eq!(asked.into_inner(), [1, 2, 3]);
    }

    #[tokio::test]
    async fn a_store_that_takes_none_of_many_is_at_fault_itself() {
        let (one, _) = ask_for(&[1], false, |_| Some(refused())).await;
        let (some, _) = ask_for(&[1, 2, 3], false, |one| (one < 3).then(refused)).await;
        let (none, _) = ask_for(&[1, 2, 3], false, |_| Some(refused())).await;

        assert!(one.unwrap().taken().unwrap().is_empty());
        assert_eq!(some.unwrap().taken().unwrap(), [[3]]);
        assert!(none.unwrap().taken().is_err());
    }

    #[tokio::test]
    async fn of_nothing_nothing_is_asked() {
        let (bisected, sizes) = ask_for(&[], false, |_| None).await;

        assert!(bisected.unwrap().answers.is_empty());
        assert_eq!(sizes, [0; 0]);
    }
}
