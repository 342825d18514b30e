//! Whether a job can still end.

use std::{
    collections::{HashMap, HashSet},
    sync::{Mutex, PoisonError},
};

use crate::{design::Scene, state::State};

/// Of which states it is known.
#[derive(Default)]
pub(crate) struct Ends(Mutex<HashMap<State, bool>>);

impl Ends {
    /// Whether some way without faults leads from here to the end of the job.
    ///
    /// A job that has ended stays so. So this sentence, held in each reachable state, says that nothing locks a job
    /// in. It does not say that it ends on each way: what keeps somebody busy for ever is found by [`Stuck`].
    /// The checker's own `eventually` overlooks circles; this does not.
    ///
    /// [`Stuck`]: crate::stuck::Stuck
    pub(crate) fn reaches(&self, scene: &Scene, state: &State) -> bool {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let state = state.clone().without_its_past();
        if let Some(ends) = known.get(&state) {
            return *ends;
        }
        // What was come upon, each with where from; a way that ends is told to all who stand on it.
        let mut found = vec![(state.clone(), 0)];
        let mut met = HashSet::from([state]);
        let mut open = vec![0];
        while let Some(at) = open.pop() {
            if found[at].0.is_over() || known.get(&found[at].0) == Some(&true) {
                tell(&mut known, &found, at);
                return true;
            }
            for next in calmly_after(scene, &found[at].0) {
                if known.get(&next) != Some(&false) && met.insert(next.clone()) {
                    open.push(found.len());
                    found.push((next, at));
                }
            }
        }
        known.extend(found.into_iter().map(|(state, _)| (state, false)));
        false
    }
}

fn calmly_after(scene: &Scene, state: &State) -> Vec<State> {
    let mut actions = Vec::new();
    state.calm(scene, &mut actions);
    let after = actions.into_iter();
    after
        .filter_map(|action| Some(state.after(scene, action)?.without_its_past()))
        .collect()
}

fn tell(known: &mut HashMap<State, bool>, found: &[(State, usize)], mut at: usize) {
    loop {
        known.insert(found[at].0.clone(), true);
        if at == 0 {
            return;
        }
        at = found[at].1;
    }
}
