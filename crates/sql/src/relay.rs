//! Relays wake-ups between processes by LISTEN and NOTIFY.
//!
//! Never in a writing transaction: a NOTIFY there holds an instance-wide lock over the commit's
//! flush, which measured a tenth of the rate at 32 clients. Wake-ups are gathered for a few
//! milliseconds and sent from a connection of their own, after the commit they hint at.

use std::{sync::Arc, time::Duration};

use baton_ports::{Wakeup, Wakeups, wakeups::Relay};
use futures::{StreamExt, stream};
use tokio::time::sleep;
use tokio_postgres::{AsyncMessage, Client};
use tokio_util::sync::CancellationToken;

use crate::address::Address;

const CHANNEL: &str = "baton";
const SETTINGS: &str = "SET synchronous_commit = off; SET statement_timeout = '10s'";
/// How long wake-ups are gathered.
const GATHER: Duration = Duration::from_millis(3);
/// How long to wait before connecting again.
const PAUSE: Duration = Duration::from_secs(1);

/// Starts to relay.
pub fn start(address: Address, wakeups: Arc<Wakeups>, stop: CancellationToken) {
    let relay = wakeups.relay();
    tokio::spawn(async move {
        tokio::select! {
            () = run(address, wakeups, relay) => {}
            () = stop.cancelled() => {}
        }
    });
}

async fn run(address: Address, wakeups: Arc<Wakeups>, mut relay: Relay) {
    loop {
        if let Err(error) = relay_until_lost(&address, &wakeups, &mut relay).await {
            tracing::debug!(%error, "wake-ups are not relayed for a moment; everybody wakes by himself");
        }
        sleep(PAUSE).await;
    }
}

async fn relay_until_lost(
    address: &Address,
    wakeups: &Wakeups,
    relay: &mut Relay,
) -> Result<(), tokio_postgres::Error> {
    let (client, mut connection) = address.connect().await?;
    let mut messages = stream::poll_fn(move |context| connection.poll_message(context));
    let listening = async {
        client.batch_execute(SETTINGS).await?;
        client.batch_execute(&format!("LISTEN {CHANNEL}")).await?;
        // What was sent while nobody listened is unknown: everybody looks once.
        Wakeup::ALL
            .into_iter()
            .for_each(|wakeup| wakeups.send_here(wakeup));
        send(&client, relay).await
    };
    let hearing = async {
        while let Some(message) = messages.next().await {
            if let AsyncMessage::Notification(note) = message?
                && let Some(wakeup) = Wakeup::from_word(note.payload())
            {
                wakeups.send_here(wakeup);
            }
        }
        Ok(())
    };
    tokio::select! {
        sent = listening => sent,
        heard = hearing => heard,
    }
}

async fn send(client: &Client, relay: &mut Relay) -> Result<(), tokio_postgres::Error> {
    let notify = "SELECT pg_notify($1, word) FROM unnest($2::text[]) AS word";
    let notify = client.prepare(notify).await?;
    loop {
        relay.next().await;
        sleep(GATHER).await;
        let words: Vec<_> = relay.pending().into_iter().map(Wakeup::as_str).collect();
        client.execute(&notify, &[&CHANNEL, &words]).await?;
        relay.relayed();
    }
}
