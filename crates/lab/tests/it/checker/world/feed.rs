//! What the feed of a world tells, and what its subscribers saw of it.

use baton_lab::checker::{At, Event, EventData, Fault, FaultKind, FeedItem, State, Subscriber};

pub(super) fn event(
    (seq, (at, job, from, to)): (i64, (i64, String, Option<State>, State)),
) -> Event {
    Event {
        id: format!("1-{seq}"),
        seq,
        kind: format!("job.{}", to.as_str()),
        subject: job,
        at: At(at),
        data: EventData {
            queue: Some("default".to_owned()),
            from: from.map(|from| from.as_str().to_owned()),
            to: Some(to.as_str().to_owned()),
        },
    }
}

/// One before all else, so that it excuses nothing in it.
pub(super) fn failover(start_us: i64) -> Fault {
    Fault {
        kind: FaultKind::Failover,
        name: "fail over".to_owned(),
        worker: None,
        from_us: start_us - 1_010_000_000,
        until_us: start_us - 1_000_000_000,
    }
}

/// One that was told to start over, and that its events have another epoch from then on.
pub(super) fn told_to_start_over(events: &[Event]) -> Subscriber {
    let (half, third) = (events.len() / 2, events.len() / 3);
    let before = events[..third].iter().cloned().map(|event| {
        let id = format!("0-{}", event.seq);
        FeedItem::Event(Event { id, ..event })
    });
    let after = events[half..].iter().cloned().map(FeedItem::Event);
    Subscriber {
        name: "reset".to_owned(),
        seen: before.chain([FeedItem::Reset]).chain(after).collect(),
        stayed: true,
    }
}

/// One that reconnected and was told a few events again, one that left early.
pub(super) fn subscribers(events: &[Event]) -> Vec<Subscriber> {
    let seen = |events: &[Event]| {
        events
            .iter()
            .cloned()
            .map(FeedItem::Event)
            .collect::<Vec<_>>()
    };
    let (half, third) = (events.len() / 2, events.len() / 3);
    vec![
        Subscriber {
            name: "reconnected".to_owned(),
            seen: [seen(&events[..half]), seen(&events[half - 3..])].concat(),
            stayed: true,
        },
        Subscriber {
            name: "left".to_owned(),
            seen: seen(&events[third..half]),
            stayed: false,
        },
    ]
}
