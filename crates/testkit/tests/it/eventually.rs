use std::panic::AssertUnwindSafe;
use std::time::Duration;

use baton_testkit::eventually;

#[tokio::test(start_paused = true)]
async fn a_condition_that_comes_true_is_waited_for() {
    let mut looks = 0;

    eventually(
        "it was looked at five times",
        Duration::from_secs(1),
        async || {
            looks += 1;
            looks == 5
        },
    )
    .await;

    assert_eq!(looks, 5);
}

#[tokio::test(start_paused = true)]
async fn a_condition_that_stays_false_panics_with_its_sentence_and_its_place() {
    let waiting = eventually("pigs fly", Duration::from_secs(3), async || false);

    let panic = message(waiting).await;

    assert!(
        panic.contains("waited 3s in vain until pigs fly"),
        "{panic}"
    );
    assert!(panic.contains("eventually.rs"), "{panic}");
}

#[tokio::test(start_paused = true)]
async fn a_condition_that_never_answers_panics_too() {
    let waiting = eventually(
        "an answer comes",
        Duration::from_secs(3),
        std::future::pending,
    );

    let panic = message(waiting).await;

    assert!(panic.contains("until an answer comes"), "{panic}");
}

async fn message(waiting: impl Future<Output = ()>) -> String {
    use futures::FutureExt;
    let panic = AssertUnwindSafe(waiting).catch_unwind().await.unwrap_err();
    *panic.downcast::<String>().unwrap()
}
