//! Events: replay and follow.

use axum::{Json as Reply, http::HeaderMap, response::Response};
use baton_domain::event::EventId;
use baton_ports::store::{EventBounds, EventFilter};
use baton_protocol::{
    ProblemKind, check_limit,
    event::{Event, EventPage, EventsQuery, StreamQuery},
};

use crate::{
    Api,
    extract::{Query, check_texts},
    pages,
    problem::{ApiResult, told},
    stream::{
        self,
        position::{self, Position},
    },
};

/// List events
///
/// Every change is one event, densely numbered, in an order that is safe to follow. `next` is null at
/// the end of the feed; `position` says how far the page has looked, to go on later. In the place of
/// one that cannot be read stands one of the type `event.unreadable`, whatever the filter, unless its
/// subject or queue is known and not meant.
#[utoipa::path(
    get, path = "/v1/events", tag = "events",
    params(EventsQuery),
    responses(
        (status = 200, description = "A page of events, in order.", body = EventPage),
        (status = 410, description = "`events-gone`: the events after this place cannot be replayed.",
            body = baton_protocol::Problem, content_type = "application/problem+json"),
    )
)]
pub async fn list(api: Api, Query(query): Query<EventsQuery>) -> ApiResult<Reply<EventPage>> {
    let limit = check_limit(query.limit)?;
    let filter = filter(query.types, query.subject, query.queue)?;
    let (events, looked, bounds) = page_of(&api, query.after.as_deref(), limit, &filter).await?;
    let mut items: Vec<_> = events.into_iter().map(Event::from).collect();
    let fit = fitting(&items);
    let looked = items.get(fit).map_or(looked, |first| first.seq - 1);
    items.truncate(fit);
    let position = EventId {
        epoch: bounds.epoch,
        seq: looked,
    };
    let is_at_end = looked >= bounds.last;
    Ok(Reply(EventPage {
        items,
        next: (!is_at_end).then(|| position.to_string()),
        position,
    }))
}

/// How many of these events a page holds: one at the least.
fn fitting(items: &[Event]) -> usize {
    let mut room = pages::LONGEST;
    let fits = |item: &&Event| {
        let length = pages::length(item);
        let fits = length <= room;
        room = room.saturating_sub(length);
        fits
    };
    items.iter().take_while(fits).count().max(1)
}

/// A page, how far it looked, and the bounds it was read within.
async fn page_of(
    api: &Api,
    after: Option<&str>,
    limit: u32,
    filter: &EventFilter,
) -> ApiResult<(Vec<baton_domain::event::Event>, i64, EventBounds)> {
    let mut bounds = api.engine.event_bounds().await.map_err(told)?;
    loop {
        let place = place_of(after, &bounds)?;
        let page = api.engine.events(place, limit, filter).await;
        let (events, looked) = page.map_err(told)?;
        // Looked at after the page as well: it may be of another history, or have lost a part to the
        // pruner while it was read.
        let now = api.engine.event_bounds().await.map_err(told)?;
        match position::lost(bounds.epoch, place, &now) {
            None => return Ok((events, looked, bounds)),
            Some(why) if after.is_some() => {
                return Err(ProblemKind::EventsGone.because(why).into());
            }
            // Whoever asked for the beginning gets the one there is now.
            Some(_) => bounds = now,
        }
    }
}

fn place_of(after: Option<&str>, bounds: &EventBounds) -> ApiResult<i64> {
    let Some(after) = after else {
        return Ok(bounds.first - 1);
    };
    match Position::read(after, bounds) {
        Position::At(seq) => Ok(seq),
        Position::Unreadable(error) => Err(ProblemKind::BadCursor
            .because(format!("after: {error}."))
            .into()),
        Position::Lost(why) => Err(ProblemKind::EventsGone.because(why).into()),
    }
}

/// Follow events
///
/// A stream of server-sent events. `id` is the event's id, `event` its type, `data` the event as in
/// the list. After a break, `Last-Event-ID` (which browsers send by themselves) or `after` goes on
/// without a gap. When that cannot be done, the first thing said is the event `reset`: read the
/// present state, then follow what comes. A comment every 15 seconds keeps the line open. Without a
/// place, the stream begins now.
#[utoipa::path(
    get, path = "/v1/events/stream", tag = "events",
    params(
        StreamQuery,
        ("Last-Event-ID" = Option<String>, Header, description = "The last event that was seen; it goes before `after`."),
    ),
    responses((status = 200, description = "Events, as they come.", body = Event, content_type = "text/event-stream"))
)]
pub async fn stream(
    api: Api,
    headers: HeaderMap,
    Query(query): Query<StreamQuery>,
) -> ApiResult<Response> {
    let filter = filter(query.types, query.subject, query.queue)?;
    let permit = stream::permit(&api).await?;
    let last_seen = stream::last_seen(&headers).or(query.after);
    let bounds = api.engine.event_bounds().await.map_err(told)?;
    let events = stream::open(&api, filter, last_seen.as_deref(), bounds, permit);
    Ok(stream::response(events))
}

fn filter(
    types: Option<String>,
    subject: Option<String>,
    queue: Option<String>,
) -> ApiResult<EventFilter> {
    check_texts(&[("types", &types), ("subject", &subject), ("queue", &queue)])?;
    let types = types.unwrap_or_default();
    let types = types
        .split(',')
        .map(str::trim)
        .filter(|kind| !kind.is_empty());
    Ok(EventFilter {
        types: types.map(str::to_owned).collect(),
        subject,
        queue,
    })
}
