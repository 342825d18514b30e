//! Carries bells between processes by LISTEN and NOTIFY.
//!
//! Never in a writing transaction: a NOTIFY there holds an instance-wide lock over the commit's
//! flush, which measured a tenth of the rate at 32 clients. Rings are gathered for a few
//! milliseconds and sent from a connection of their own, after the commit they hint at.

use std::{sync::Arc, time::Duration};

use baton_ports::{Signal, Wake, signal::Carrier};
use futures::{StreamExt, stream};
use tokio::time::sleep;
use tokio_postgres::{AsyncMessage, Client};
use tokio_util::sync::CancellationToken;

use crate::address::Address;

const CHANNEL: &str = "baton";
const SETTINGS: &str = "SET synchronous_commit = off; SET statement_timeout = '10s'";
/// How long rings are gathered.
const GATHER: Duration = Duration::from_millis(3);
/// How long to wait before connecting again.
const PAUSE: Duration = Duration::from_secs(1);

/// Starts to carry.
pub fn start(address: Address, signal: Arc<Signal>, stop: CancellationToken) {
    let carrier = signal.carry();
    tokio::spawn(async move {
        tokio::select! {
            () = run(address, signal, carrier) => {}
            () = stop.cancelled() => {}
        }
    });
}

async fn run(address: Address, signal: Arc<Signal>, mut carrier: Carrier) {
    loop {
        if let Err(error) = carry(&address, &signal, &mut carrier).await {
            tracing::debug!(%error, "bells are not carried for a moment; everybody wakes by himself");
        }
        sleep(PAUSE).await;
    }
}

async fn carry(
    address: &Address,
    signal: &Signal,
    carrier: &mut Carrier,
) -> Result<(), tokio_postgres::Error> {
    let (client, mut connection) = address.connect().await?;
    let mut messages = stream::poll_fn(move |context| connection.poll_message(context));
    let listening = async {
        client.batch_execute(SETTINGS).await?;
        client.batch_execute(&format!("LISTEN {CHANNEL}")).await?;
        // What rang while nobody listened is unknown: everybody looks once.
        Wake::ALL.into_iter().for_each(|wake| signal.hear(wake));
        send(&client, carrier).await
    };
    let hearing = async {
        while let Some(message) = messages.next().await {
            if let AsyncMessage::Notification(note) = message?
                && let Some(wake) = Wake::from_word(note.payload())
            {
                signal.hear(wake);
            }
        }
        Ok(())
    };
    tokio::select! {
        sent = listening => sent,
        heard = hearing => heard,
    }
}

async fn send(client: &Client, carrier: &mut Carrier) -> Result<(), tokio_postgres::Error> {
    let notify = "SELECT pg_notify($1, word) FROM unnest($2::text[]) AS word";
    let notify = client.prepare(notify).await?;
    loop {
        carrier.next().await;
        sleep(GATHER).await;
        let words: Vec<_> = carrier.gathered().into_iter().map(Wake::as_str).collect();
        client.execute(&notify, &[&CHANNEL, &words]).await?;
        carrier.carried();
    }
}
