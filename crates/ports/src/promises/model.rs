//! Random work: the store and the model get the same calls and must give the same answers.

/// Makes one call on both and compares the answers.
macro_rules! both {
    ($walk:ident, $what:expr, |$bench:ident| $call:expr) => {{
        let $bench = &$walk.model;
        let expected = $call.await.expect("the model answers");
        let $bench = &$walk.store;
        let answer = $call.await.expect("the store answers");
        $walk.compare($what, &answer, &expected);
        expected
    }};
}

// After the macro, which they use.
mod names;
mod walk;

use self::{names::Names, walk::ModelWalk};
use super::{bench::Bench, promises};

/// How many calls a walk makes.
const STEPS: usize = 400;

/// Walks at random, the same way for the same seed; a difference names the seed and the step.
async fn walk(bench: Bench, seed: u64) {
    run(ModelWalk::new(bench, seed)).await;
}

async fn run(mut walk: ModelWalk) {
    for step in 0..STEPS {
        walk.step(step).await;
        if step % 25 == 24 {
            walk.compare_everything().await;
        }
    }
}

promises! {
    async fn random_names_that_nearly_are_the_same_give_the_answers_of_the_model(bench: Bench) {
        let mut names = Names::new(bench, 5);

        for step in 0..STEPS {
            names.step(step).await;
        }
        names.compare_everything().await;
    }

    async fn random_work_gives_the_answers_of_the_model(bench: Bench) {
        walk(bench, 1).await;
    }

    async fn other_random_work_gives_the_answers_of_the_model(bench: Bench) {
        walk(bench, 2).await;
    }

    async fn random_work_beside_a_clock_that_is_put_back_gives_the_answers_of_the_model(bench: Bench) {
        let mut walk = ModelWalk::new(bench, 4);
        walk.clocks_step = true;
        run(walk).await;
    }

    async fn more_random_work_gives_the_answers_of_the_model(bench: Bench) {
        walk(bench, 3).await;
    }
}
