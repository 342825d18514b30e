//! `baton ready`: whether a server can do its work, for whoever supervises it without another program at hand.

use baton_client::{Client, Ready};

use crate::{
    exit::{Exit, Failure},
    output::{Output, clean},
};

pub async fn run(client: &Client, output: &Output) -> Result<Exit, Failure> {
    let (exit, readiness) = match client.ready().await? {
        Ready::Yes(readiness) => (Exit::Ok, readiness),
        Ready::No(_, readiness) => (Exit::Failure, readiness),
    };
    if output.is_json() {
        output.json(&readiness);
        return Ok(exit);
    }
    let word = if readiness.ready {
        "ready"
    } else {
        "not ready"
    };
    output.line(format!("{} is {word}", client.address()));
    for part in readiness.components.iter().filter(|part| !part.ready) {
        output.line(format!("{}: {}", clean(&part.name), clean(&part.detail)));
    }
    for routine in readiness.routines.iter().filter(|routine| !routine.ready) {
        output.line(format!("{} makes no progress", clean(&routine.name)));
    }
    Ok(exit)
}
