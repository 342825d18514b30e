//! What the feed of a world tells, and what its subscribers saw of it.

use baton_lab::checker::{At, Event, EventData, Seen, State, Subscriber};

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
/// One that reconnected and was told a few events again, one that left early, one that was reset.
pub(super) fn subscribers(events: &[Event]) -> Vec<Subscriber> {
    let seen = |events: &[Event]| events.iter().cloned().map(Seen::Event).collect::<Vec<_>>();
    let (half, third) = (events.len() / 2, events.len() / 3);
    let mut reset = seen(&events[..third]);
    reset.push(Seen::Reset);
    reset.extend(seen(&events[half..]));
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
        Subscriber {
            name: "reset".to_owned(),
            seen: reset,
            stayed: true,
        },
    ]
}
