//! A schedule that the store refuses holds up none that is due behind it.

use std::time::Duration;

use super::{Picky, Shop};

#[tokio::test(start_paused = true)]
async fn schedules_that_the_store_refuses_hold_up_none_behind_them() {
    let shop = Shop::with(Picky::default());
    let mut schedules = shop.schedules(100).await;
    let good = schedules.split_off(99)[0];
    shop.store.hook.schedules.lock().extend(&schedules);
    let mut scheduler = shop.routine("scheduler").await;

    for _ in 0..5 {
        drop(scheduler.turn().await);
    }
    let while_refused = [
        shop.has_fired(good).await,
        shop.has_fired(schedules[0]).await,
    ];
    shop.store.hook.schedules.lock().clear();
    tokio::time::advance(Duration::from_secs(90)).await;
    for _ in 0..5 {
        scheduler.turn().await.unwrap();
    }

    assert_eq!(while_refused, [true, false]);
    assert!(shop.has_fired(schedules[0]).await);
}

#[tokio::test(start_paused = true)]
async fn a_schedule_that_is_never_answered_for_holds_up_none_behind_it_for_long() {
    let shop = Shop::with(Picky {
        is_silent: true,
        ..Picky::default()
    });
    let schedules = shop.schedules(3).await;
    shop.store.hook.schedules.lock().insert(schedules[0]);
    let mut scheduler = shop.routine("scheduler").await;

    for _ in 0..10 {
        drop(scheduler.turn().await);
    }

    assert!(!shop.has_fired(schedules[0]).await);
    assert!(shop.has_fired(schedules[1]).await);
    assert!(shop.has_fired(schedules[2]).await);
}
