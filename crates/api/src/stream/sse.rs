//! The lines of an event stream: its beginning, a position, an event, a reset.

use axum::response::sse::Event as Line;
use baton_domain::event::{self, EventId};
use baton_ports::store::EventBounds;
use baton_protocol::event::{Event, Reset};
use serde::Serialize;
use std::time::Duration;

/// How long a reader waits before it comes back after a break.
const RETRY: Duration = Duration::from_secs(2);

/// The first line: where the stream begins.
pub fn begin(epoch: i64, seq: i64) -> Line {
    position(epoch, seq).retry(RETRY).comment("following")
}

/// How far the stream has looked, without an event: what was passed over is not looked at again.
pub fn position(epoch: i64, seq: i64) -> Line {
    Line::default().id(EventId { epoch, seq }.to_string())
}

/// An event.
pub fn event(event: event::Event) -> Line {
    let event = Event::from(event);
    with_data(
        Line::default().id(event.id.to_string()).event(&event.kind),
        &event,
    )
}

/// The stream cannot go on where the reader was.
pub fn reset(why: &str, bounds: &EventBounds) -> Line {
    let id = |seq| EventId {
        epoch: bounds.epoch,
        seq,
    };
    let reset = Reset {
        reason: why.to_owned(),
        first: id(bounds.first),
        last: id(bounds.last),
    };
    with_data(
        Line::default()
            .id(reset.last.to_string())
            .event("reset")
            .retry(RETRY),
        &reset,
    )
}

/// A line with its data.
pub fn with_data(line: Line, data: &impl Serialize) -> Line {
    // Our own types always serialise; compact JSON has no line breaks.
    line.data(serde_json::to_string(data).unwrap_or_default())
}
