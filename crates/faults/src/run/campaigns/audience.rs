//! Whom there is to reach: recipients, imported until the import was answered.

use std::{fmt::Write as _, ops::Range};

use baton_client::{Client, RowFormat};
use baton_lab::checker::Recipient;
use futures::stream;
use rand::rngs::StdRng;

use crate::{Failure, now_us};

use super::{Shared, refusal};

/// Each recipient is in one of them.
pub const TOPICS: [&str; 2] = ["news", "quiz"];
/// One in so many wants nothing sent.
const SILENT: u32 = 20;
/// How many are imported at once.
const PIECE: usize = 10_000;

/// Imports the recipients with these numbers, and notes when they came.
pub async fn import(
    shared: &Shared,
    numbers: Range<u32>,
    chance: &mut StdRng,
) -> Result<(), Failure> {
    let numbers: Vec<_> = numbers.collect();
    for piece in numbers.chunks(PIECE) {
        let start_us = now_us();
        let mut asking = shared.asking("imports recipients", chance);
        while !import_piece(asking.endpoint().await?, piece).await? {}
        let end_us = Some(now_us());
        let came = piece.iter().map(|number| Recipient {
            id: id(*number),
            topics: vec![topic(*number).to_owned()],
            enabled: is_enabled(*number),
            start_us,
            end_us,
        });
        shared.log.lock().recipients.extend(came);
    }
    Ok(())
}

/// Imports once; whether all came. What stopped on its way is asked for again: twice is as good as once.
async fn import_piece(endpoint: &Client, numbers: &[u32]) -> Result<bool, Failure> {
    let rows = stream::iter([Ok(rows(numbers).into())]);
    match endpoint
        .import_recipients(RowFormat::Csv, false, rows)
        .await
    {
        Ok(imported) if imported.refused > 0 => Err(Failure::new(format!(
            "{} good recipients were refused",
            imported.refused
        ))),
        Ok(imported) => Ok(imported.complete),
        Err(error) => refusal(error).map(|_| false),
    }
}

fn rows(numbers: &[u32]) -> String {
    let mut rows = String::from("id,platform,topics,enabled,address.push\n");
    for number in numbers {
        let (id, topic, enabled) = (id(*number), topic(*number), is_enabled(*number));
        // A text takes what is written to it.
        let _ = writeln!(rows, "{id},ios,{topic},{enabled},token-{number}");
    }
    rows
}

pub fn id(number: u32) -> String {
    format!("user-{number}")
}

const fn topic(number: u32) -> &'static str {
    TOPICS[(number % 2) as usize]
}

pub const fn is_enabled(number: u32) -> bool {
    !number.is_multiple_of(SILENT)
}
