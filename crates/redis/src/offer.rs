//! Offering: into the generation that is open, and into one that is being built.

use std::collections::BTreeMap;

use baton_ports::{Hint, hints::Result};
use metrics::counter;
use redis::Cmd;

use crate::{entry, hints::Inner, script::call};

/// Hints in one call: some two milliseconds of Redis's time, in which it serves nobody else.
const MOST: usize = 5_000;

impl Inner {
    pub async fn offer(&self, hints: &[Hint]) -> Result<()> {
        for some in chunks(hints) {
            let command = |generation| self.command(&some, generation, Some(generation));
            let left_out = self.call(&self.scripts.offer, command).await?;
            count(some.len(), left_out);
        }
        Ok(())
    }

    pub async fn build(&self, generation: i64, hints: &[Hint]) -> Result<()> {
        for some in chunks(hints) {
            self.view.answerable()?;
            let command = self.command(&some, generation, None);
            let answer = self.connection.call(&self.scripts.offer, &command).await;
            count(some.len(), self.heard(answer, None).await?);
        }
        Ok(())
    }

    fn command(&self, hints: &[&Hint], generation: i64, only_in: Option<i64>) -> Cmd {
        let lists = Lists::of(hints);
        let mut keys = vec![self.keys.sentinel()];
        keys.extend(
            lists
                .0
                .keys()
                .map(|queue| self.keys.ready(generation, queue)),
        );
        let mut command = call(&self.scripts.offer, &keys, only_in);
        command.arg(self.longest);
        for (front, behind) in lists.0.values() {
            command.arg(front.len()).arg(behind.len());
        }
        for (queue, (front, behind)) in &lists.0 {
            for hint in front.iter().rev().chain(behind) {
                command.arg(entry::write(hint.job, queue));
            }
        }
        command
    }
}

/// By queue, what goes in front and what goes behind.
struct Lists<'a>(BTreeMap<&'a str, (Vec<&'a Hint>, Vec<&'a Hint>)>);

impl<'a> Lists<'a> {
    fn of(hints: &[&'a Hint]) -> Self {
        let mut lists = BTreeMap::<_, (Vec<_>, Vec<_>)>::new();
        for hint in hints {
            let (front, behind) = lists.entry(hint.queue.as_str()).or_default();
            if hint.is_urgent { front } else { behind }.push(*hint);
        }
        Self(lists)
    }
}

/// Pieces of one call each. What goes in front goes from the last to the first, over all of them.
fn chunks(hints: &[Hint]) -> Vec<Vec<&Hint>> {
    let (urgent, others): (Vec<_>, Vec<_>) = hints.iter().partition(|hint| hint.is_urgent);
    let pieces = urgent.rchunks(MOST).chain(others.chunks(MOST));
    if hints.len() <= MOST {
        return vec![hints.iter().collect()];
    }
    pieces.map(<[_]>::to_vec).collect()
}

fn count(offered: usize, left_out: u64) {
    counter!("baton_hints_offered_total").increment(offered as u64);
    counter!("baton_hints_left_out_total").increment(left_out);
}
