//! Carries bells between processes by Redis's publish and subscribe.

use std::{sync::Arc, time::Duration};

use baton_ports::{Signal, Wake, signal::Carrier};
use futures::StreamExt;
use redis::{Msg, cmd};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::{hints::Inner, trouble::Trouble};

/// A bell that rings after silence is sent at once; what rings within this time after it goes together.
/// Each message wakes every process.
const GATHER: Duration = Duration::from_millis(10);
/// How long to wait before listening again.
const PAUSE: Duration = Duration::from_millis(500);

/// Starts to carry.
pub fn start(inner: Arc<Inner>, signal: Arc<Signal>, stop: CancellationToken) {
    let carrier = signal.carry();
    tokio::spawn(async move {
        tokio::select! {
            () = send(&inner, carrier) => {}
            () = listen(&inner, &signal) => {}
            () = stop.cancelled() => {}
        }
    });
}

async fn send(inner: &Inner, mut carrier: Carrier) {
    let mut present = inner.view.watch();
    loop {
        let gets_through = inner.view.answerable().is_ok();
        carrier.relieve_others(gets_through);
        let wakes = tokio::select! {
            wakes = carrier.next() => wakes,
            _ = present.changed() => continue,
        };
        // What cannot be sent is lost: everybody also looks by himself.
        if gets_through {
            publish(inner, &wakes).await;
        }
        sleep(GATHER).await;
    }
}

async fn publish(inner: &Inner, wakes: &[Wake]) {
    let words: Vec<_> = wakes.iter().copied().map(Wake::as_str).collect();
    let text = format!("{} {}", inner.node, words.join(" "));
    let mut publish = cmd("PUBLISH");
    publish.arg(inner.keys.bells()).arg(text);
    let _ = inner.line.ask::<u64>(&publish).await;
}

async fn listen(inner: &Inner, signal: &Signal) {
    loop {
        if let Err(trouble) = hear(inner, signal).await {
            tracing::debug!(
                why = trouble.why,
                "bells are not heard for a moment; everybody wakes by himself"
            );
        }
        sleep(PAUSE).await;
    }
}

async fn hear(inner: &Inner, signal: &Signal) -> Result<(), Trouble> {
    let mut listening = inner.line.listening().await?;
    let subscribed = listening.subscribe(inner.keys.bells()).await;
    subscribed.map_err(|error| inner.line.trouble(&error))?;
    // What rang while nobody listened is unknown: everybody looks once.
    Wake::ALL.into_iter().for_each(|wake| signal.hear(wake));
    let mut messages = listening.into_on_message();
    while let Some(message) = messages.next().await {
        for wake in wakes_of(&message, &inner.node.to_string()) {
            signal.hear(wake);
        }
    }
    Ok(())
}

/// What others ring. Our own rings come back too: they were heard when they rang.
fn wakes_of(message: &Msg, node: &str) -> Vec<Wake> {
    let text = std::str::from_utf8(message.get_payload_bytes()).unwrap_or_default();
    match text.split_once(' ') {
        Some((from, words)) if from != node => {
            words.split(' ').filter_map(Wake::from_word).collect()
        }
        _ => Vec::new(),
    }
}
