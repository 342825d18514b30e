//! Mistakes of a node in what it answers.

use std::time::Duration;

use baton_protocol::remote::{BeatWorker, ClaimJobs, ReleaseLeases};
use futures::{FutureExt, future::BoxFuture};
use http::{Method, StatusCode};

use super::is_caught;
use crate::{
    far::{
        transport::{Carried, truly},
        world::{FLAWLESS, Flaw},
    },
    fleet::Door,
};

type Answer = BoxFuture<'static, (StatusCode, Vec<u8>)>;

/// Renews the leases of a beat when it has waited for news.
fn renews_late(door: Door, carried: Carried) -> Answer {
    if carried.call != "beat" {
        return truly(door, carried);
    }
    async move {
        let beat: BeatWorker = serde_json::from_slice(&carried.body).unwrap();
        let waits = BeatWorker {
            heard: Vec::new(),
            ..beat.clone()
        };
        let renews = BeatWorker {
            wait: Duration::ZERO,
            ..beat
        };
        truly(door.clone(), with(&carried, &waits)).await;
        truly(door, with(&carried, &renews)).await
    }
    .boxed()
}

#[test]
fn a_beat_that_renews_after_waiting_is_caught() {
    let flaw = Flaw {
        answering: renews_late,
        ..FLAWLESS
    };
    is_caught(flaw, "a_beat_renews_as_it_arrives");
}

/// Gives back what a repeated claim has got before it is answered.
fn releases_what_is_asked_for(door: Door, carried: Carried) -> Answer {
    let claim: Option<ClaimJobs> = (carried.call == "claim")
        .then(|| serde_json::from_slice(&carried.body).unwrap())
        .filter(|claim: &ClaimJobs| claim.repeat > 0);
    let Some(claim) = claim else {
        return truly(door, carried);
    };
    async move {
        let release = ReleaseLeases {
            leases: claim.wants.iter().map(|want| want.lease).collect(),
        };
        let release = Carried {
            call: "release".to_owned(),
            method: Method::POST,
            path: carried.path.replace("/claim", "/release"),
            body: serde_json::to_vec(&release).unwrap(),
        };
        let answer = truly(door.clone(), carried).await;
        truly(door, release).await;
        answer
    }
    .boxed()
}

#[test]
fn the_release_of_a_lease_that_is_still_asked_for_is_caught() {
    let flaw = Flaw {
        answering: releases_what_is_asked_for,
        ..FLAWLESS
    };
    is_caught(flaw, "what_begins_is_leased");
}

/// Takes no results once it is to stop.
fn refuses_results(door: Door, carried: Carried) -> Answer {
    if carried.call != "results" || !door.is_closed() {
        return truly(door, carried);
    }
    // As it answers a job that it does not take any more.
    let enqueue = Carried {
        path: "/v1/jobs".to_owned(),
        ..carried
    };
    truly(door, enqueue)
}

#[test]
fn a_node_that_stops_and_refuses_results_is_caught() {
    let flaw = Flaw {
        answering: refuses_results,
        ..FLAWLESS
    };
    is_caught(flaw, "a_node_that_stops_takes_what_is_told");
}

fn with(carried: &Carried, beat: &BeatWorker) -> Carried {
    Carried {
        call: carried.call.clone(),
        method: carried.method.clone(),
        path: carried.path.clone(),
        body: serde_json::to_vec(beat).unwrap(),
    }
}
