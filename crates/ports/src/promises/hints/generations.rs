//! Generations: what is built is seen when it is opened, and nothing else is.

use super::bench::{ALL, HintsBench, NONE, NOW, QUEUE, jobs, some, urgent};
use crate::{
    hints::{HintError, HintState},
    promises::promises,
};

promises! {
    async fn without_an_open_generation_hints_are_being_built(bench: HintsBench) {
        let hints = &bench.hints;

        assert_eq!(hints.state(), HintState::Building);
        assert_eq!(hints.offer(&some(QUEUE, 1)).await, Err(HintError::Building));
        assert_eq!(hints.take(bench.worker, QUEUE, 1, NOW).await, Err(HintError::Building));
        assert_eq!(hints.drop_taken(bench.worker, &some(QUEUE, 1)).await, Err(HintError::Building));
        assert_eq!(hints.give_back(bench.worker).await, Err(HintError::Building));
        assert_eq!(hints.consumers().await, Err(HintError::Building));
        assert_eq!(hints.lengths(&[QUEUE.to_owned()]).await, Err(HintError::Building));
        assert_eq!(hints.look().await.unwrap().generation, None);
    }

    async fn an_open_generation_is_seen(bench: HintsBench) {
        bench.open(7).await;

        let seen = bench.hints.look().await.unwrap();

        assert_eq!(seen.generation, Some(7));
        assert!(!seen.incarnation.is_empty());
        assert_eq!(bench.hints.state(), HintState::Open);
    }

    async fn what_is_built_is_hidden_until_it_is_opened(bench: HintsBench) {
        bench.open(1).await;
        let (patient, pressing) = (some(QUEUE, 2), urgent(some(QUEUE, 1)));

        bench.hints.build(2, &patient).await.unwrap();
        bench.hints.build(2, &pressing).await.unwrap();
        let before = bench.take(ALL).await;
        bench.open(2).await;

        assert_eq!(before, NONE);
        assert_eq!(bench.take(ALL).await, [jobs(&pressing), jobs(&patient)].concat());
    }

    async fn the_first_generation_is_built_without_one_before(bench: HintsBench) {
        let hints = some(QUEUE, 3);

        bench.hints.build(1, &hints).await.unwrap();
        bench.open(1).await;

        assert_eq!(bench.take(ALL).await, jobs(&hints));
    }

    async fn what_is_offered_while_the_next_is_built_goes_to_the_present_one(bench: HintsBench) {
        bench.open(1).await;
        bench.hints.build(2, &some(QUEUE, 2)).await.unwrap();

        let offered = bench.offer(QUEUE, 1).await;

        assert_eq!(bench.take(ALL).await, offered);
    }

    async fn an_open_generation_knows_nothing_of_the_one_before(bench: HintsBench) {
        bench.open(1).await;
        bench.offer(QUEUE, 5).await;
        bench.take(2).await;

        bench.open(2).await;

        assert_eq!(bench.lengths(&[QUEUE]).await, [0]);
        assert_eq!(bench.hints.consumers().await.unwrap(), []);
        assert_eq!(bench.give_back().await, 0);
    }

    async fn what_other_generations_held_is_forgotten(bench: HintsBench) {
        bench.open(1).await;
        bench.offer(QUEUE, 5).await;
        bench.hints.build(3, &some(QUEUE, 5)).await.unwrap();

        bench.open(2).await;

        for generation in [1, 3] {
            bench.open(generation).await;
            assert_eq!(bench.lengths(&[QUEUE]).await, [0]);
        }
    }

    async fn who_waits_moves_to_the_generation_that_opens(bench: HintsBench) {
        bench.open(1).await;
        let waiting = {
            let bench = bench.clone();
            tokio::spawn(async move {
                bench.hints.take(bench.worker, QUEUE, ALL, super::bench::LONG).await
            })
        };
        let hints = some(QUEUE, 1);
        bench.hints.build(2, &hints).await.unwrap();

        bench.open(2).await;

        assert_eq!(waiting.await.unwrap().unwrap(), jobs(&hints));
    }

    async fn after_a_loss_hints_are_being_built_until_the_next_generation_opens(bench: HintsBench) {
        bench.open(1).await;
        bench.offer(QUEUE, 2).await;

        (bench.forget)();
        bench.until_building().await;
        let lost = bench.hints.look().await.unwrap().generation;
        bench.open(2).await;

        assert_eq!(lost, None);
        assert_eq!(bench.hints.state(), HintState::Open);
        assert_eq!(bench.take(ALL).await, NONE);
    }
}
