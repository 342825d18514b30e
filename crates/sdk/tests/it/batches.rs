//! Handlers that take many jobs with one call.

use std::{collections::HashMap, time::Duration};

use baton_sdk::{Item, JobError};

use crate::ground::{Beside, SOON, server, until};

#[tokio::test]
async fn one_call_takes_many_jobs_and_has_an_answer_for_each() {
    let server = server().await;
    let job = server.app().job::<u64>("index").returns::<usize>();
    let index = |items: Vec<Item<u64>>| async move {
        let size = items.len();
        let answers = items.into_iter().map(|item| {
            let answer = match item.args {
                7 => Err(JobError::permanent("seven", "it is seven")),
                _ => Ok(size),
            };
            (item.id, answer)
        });
        Ok(answers.collect::<HashMap<_, _>>())
    };
    let orders: Vec<_> = (0..20).map(|number| job.args(&number)).collect();
    let handles = server.app().enqueue_many(orders).await.unwrap();

    let worker = server.app().worker().slots(40);
    let worker = worker.batch(&job, 10, Duration::from_millis(50), index);
    let worker = Beside::start(worker);

    let mut sizes = Vec::new();
    for (number, handle) in handles.iter().enumerate() {
        let ended = until(&server.app(), handle.id(), |job| job.state.is_terminal()).await;
        match number {
            7 => assert_eq!(ended.last_error.unwrap().code, "seven"),
            _ => sizes.push(handle.result(SOON).await.unwrap().as_u64().unwrap()),
        }
    }
    assert!(sizes.iter().all(|size| *size == 10), "{sizes:?}");
    worker.stop().await.unwrap();
}

#[tokio::test]
async fn a_call_for_many_is_dropped_when_none_of_its_jobs_is_wanted_any_more() {
    struct Told(Option<tokio::sync::oneshot::Sender<()>>);
    impl Drop for Told {
        fn drop(&mut self) {
            let _ = self.0.take().map(|told| told.send(()));
        }
    }
    let server = server().await;
    let job = server.app().job::<u64>("index");
    let (dropped, was_dropped) = tokio::sync::oneshot::channel();
    let dropped = std::sync::Mutex::new(Some(dropped));
    let hang = move |_: Vec<Item<u64>>| {
        let told = Told(dropped.lock().unwrap().take());
        async move {
            let _told = told;
            std::future::pending().await
        }
    };
    let worker = server.app().worker();
    let worker = Beside::start(worker.batch(&job, 2, Duration::from_mins(1), hang));

    let orders = (0..2).map(|number| job.args(&number));
    let app = server.app();
    let handles = app.enqueue_many(orders.collect::<Vec<_>>());
    for handle in handles.await.unwrap() {
        until(&server.app(), handle.id(), |job| {
            job.state.to_string() == "running"
        })
        .await;
        handle.cancel().await.unwrap();
    }

    was_dropped.await.unwrap();
    worker.stop().await.unwrap();
}
