//! Carries bells between processes by Redis's publish and subscribe: each on a channel of its own, so that
//! none wakes a process in which nobody listens to it.

use std::{collections::HashMap, sync::Arc, time::Duration};

use baton_ports::{Signal, Wake, signal::Carrier};
use futures::StreamExt;
use redis::{Msg, pipe};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::{hints::Inner, trouble::Trouble};

/// A bell that rings after silence is sent at once; what rings within this time after it goes together.
/// With every commit one rings, and whoever hears that one rests as long.
const GATHER: Duration = Duration::from_millis(25);
/// How long to wait before listening again.
const PAUSE: Duration = Duration::from_millis(500);

/// Starts to carry all that ring here, and of those that ring elsewhere the ones that are heard here.
pub fn start(inner: Arc<Inner>, signal: Arc<Signal>, heard: Vec<Wake>, stop: CancellationToken) {
    let carrier = signal.carry();
    tokio::spawn(async move {
        tokio::select! {
            () = send(&inner, carrier) => {}
            () = listen(&inner, &signal, &heard) => {}
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
        carrier.carried();
        sleep(GATHER).await;
    }
}

async fn publish(inner: &Inner, wakes: &[Wake]) {
    let mut messages = pipe();
    for wake in wakes {
        let channel = inner.keys.bell(*wake);
        messages
            .cmd("PUBLISH")
            .arg(channel)
            .arg(inner.node.to_string());
    }
    let _ = inner.line.ask_all::<Vec<u64>>(&messages).await;
}

async fn listen(inner: &Inner, signal: &Signal, heard: &[Wake]) {
    if heard.is_empty() {
        return std::future::pending().await;
    }
    loop {
        if let Err(trouble) = hear(inner, signal, heard).await {
            tracing::debug!(
                why = trouble.why,
                "bells are not heard for a moment; everybody wakes by himself"
            );
        }
        sleep(PAUSE).await;
    }
}

async fn hear(inner: &Inner, signal: &Signal, heard: &[Wake]) -> Result<(), Trouble> {
    let channels: HashMap<_, _> = heard
        .iter()
        .map(|wake| (inner.keys.bell(*wake), *wake))
        .collect();
    let mut listening = inner.line.listening().await?;
    let names: Vec<_> = channels.keys().collect();
    let subscribed = listening.subscribe(names).await;
    subscribed.map_err(|error| inner.line.trouble(&error))?;
    // What rang while nobody listened is unknown: everybody looks once.
    heard.iter().for_each(|wake| signal.hear(*wake));
    let mut messages = listening.into_on_message();
    while let Some(message) = messages.next().await {
        let wake = channels.get(message.get_channel_name());
        if let Some(wake) = wake.filter(|_| is_from_elsewhere(inner, &message)) {
            signal.hear(*wake);
        }
    }
    Ok(())
}

/// Our own rings come back too: they were heard when they rang.
fn is_from_elsewhere(inner: &Inner, message: &Msg) -> bool {
    message.get_payload_bytes() != inner.node.to_string().as_bytes()
}
