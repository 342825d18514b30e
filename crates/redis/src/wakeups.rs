//! Relays wake-ups between processes by Redis's publish and subscribe.
//!
//! Each kind has a channel of its own, so that none wakes a process in which nobody listens to it.

use std::{collections::HashMap, sync::Arc, time::Duration};

use baton_ports::{Wakeup, Wakeups, wakeups::Relay};
use futures::StreamExt;
use redis::{Msg, pipe};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::{errors::LinkError, hints::Inner};

/// A wake-up that comes after silence is sent at once; what comes within this time after it goes together.
/// With every commit comes one, and whoever gets that one rests as long.
const GATHER: Duration = Duration::from_millis(25);
/// How long to wait before listening again.
const PAUSE: Duration = Duration::from_millis(500);

/// Starts to relay all that are sent here, and of those sent elsewhere the ones that are waited for here.
pub fn start(
    inner: Arc<Inner>,
    wakeups: Arc<Wakeups>,
    heard: Vec<Wakeup>,
    stop: CancellationToken,
) {
    let relay = wakeups.relay();
    tokio::spawn(async move {
        tokio::select! {
            () = send(&inner, relay) => {}
            () = listen(&inner, &wakeups, &heard) => {}
            () = stop.cancelled() => {}
        }
    });
}

async fn send(inner: &Inner, mut relay: Relay) {
    let mut present = inner.view.watch();
    loop {
        let gets_through = inner.view.answerable().is_ok();
        relay.relieve_others(gets_through);
        let wakeups = tokio::select! {
            wakeups = relay.next() => wakeups,
            _ = present.changed() => continue,
        };
        // What cannot be sent is lost: everybody also looks by himself.
        if gets_through {
            publish(inner, &wakeups).await;
        }
        relay.relayed();
        sleep(GATHER).await;
    }
}

async fn publish(inner: &Inner, wakeups: &[Wakeup]) {
    let mut messages = pipe();
    for wakeup in wakeups {
        let channel = inner.keys.wakeups(*wakeup);
        messages
            .cmd("PUBLISH")
            .arg(channel)
            .arg(inner.node.to_string());
    }
    let _ = inner.connection.ask_all::<Vec<u64>>(&messages).await;
}

async fn listen(inner: &Inner, wakeups: &Wakeups, heard: &[Wakeup]) {
    if heard.is_empty() {
        return std::future::pending().await;
    }
    loop {
        if let Err(trouble) = hear(inner, wakeups, heard).await {
            tracing::debug!(
                why = trouble.why,
                "no wake-ups come from other nodes for a moment; everybody wakes by himself"
            );
        }
        sleep(PAUSE).await;
    }
}

async fn hear(inner: &Inner, wakeups: &Wakeups, heard: &[Wakeup]) -> Result<(), LinkError> {
    let channels: HashMap<_, _> = heard
        .iter()
        .map(|wakeup| (inner.keys.wakeups(*wakeup), *wakeup))
        .collect();
    let mut listening = inner.connection.listening().await?;
    let names: Vec<_> = channels.keys().collect();
    let subscribed = listening.subscribe(names).await;
    subscribed.map_err(|error| inner.connection.trouble(&error))?;
    // What was sent while nobody listened is unknown: everybody looks once.
    heard.iter().for_each(|wakeup| wakeups.send_here(*wakeup));
    let mut messages = listening.into_on_message();
    while let Some(message) = messages.next().await {
        let wakeup = channels.get(message.get_channel_name());
        if let Some(wakeup) = wakeup.filter(|_| is_from_elsewhere(inner, &message)) {
            wakeups.send_here(*wakeup);
        }
    }
    Ok(())
}

/// Our own come back too: they were delivered when they were sent.
fn is_from_elsewhere(inner: &Inner, message: &Msg) -> bool {
    message.get_payload_bytes() != inner.node.to_string().as_bytes()
}
