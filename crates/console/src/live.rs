//! Live feeds: the fragments a page is made of, sent again when they have changed.
//!
//! A feed sends a frame a second at most, however much happens. It looks when events were numbered
//! and, as hints can be lost, each few seconds without one. A frame holds only what differs from what
//! the page has; one without anything still says that the page is current.

mod live_page;

use std::{collections::HashMap, convert::Infallible, time::Duration};

use axum::{
    extract::Query,
    response::{
        IntoResponse, Response,
        sse::{Event, KeepAlive, Sse},
    },
};
use baton_domain::JobId;
use baton_engine::StreamPermit;
use baton_ports::{Wakeup, wakeups::Subscription};
use futures::{Stream, stream};
use serde::Deserialize;
use serde_json::json;
use tokio::time::Instant;

use crate::{
    Console,
    errors::PageError,
    language::Language,
    pages::{Panel, activity, health, pictures::WindowQuery, search::Search},
    root::Root,
    view::Markup,
};
use live_page::LivePage;

/// The least time between two frames.
const PACE: Duration = Duration::from_secs(1);
/// The longest time between two looks.
const SAFETY: Duration = Duration::from_secs(5);

/// What a page says of itself when it opens its feed.
#[derive(Debug, Deserialize)]
#[serde(default)]
pub struct Watched {
    room: String,
    id: String,
    /// The rows the page shows, as the ids of jobs without their prefix, with commas.
    held: String,
    up: String,
    home: String,
    /// Which events a page of them looks for, of which type and about what.
    r#type: String,
    subject: String,
    /// The newest event that such a page has seen.
    seen: String,
    /// Over which time a page looks back.
    #[serde(flatten)]
    window: WindowQuery,
    #[serde(flatten)]
    search: Search,
    /// Which entries of the audit log a page of them looks for; behind the search, which reads the cursor as well.
    #[serde(flatten)]
    acts: activity::ActivityQuery,
}

impl Default for Watched {
    fn default() -> Self {
        Self {
            room: String::new(),
            id: String::new(),
            held: String::new(),
            up: ".".to_owned(),
            home: ".".to_owned(),
            r#type: String::new(),
            subject: String::new(),
            seen: String::new(),
            window: WindowQuery::default(),
            search: Search::default(),
            acts: activity::ActivityQuery::default(),
        }
    }
}

/// Opens a live feed.
pub async fn stream(console: Console, Query(watched): Query<Watched>) -> Response {
    let permit = permit(&console).await;
    let opened = Root::told(&watched.up, &watched.home)
        .ok_or_else(|| {
            PageError::refused(
                tr!("The feed was told a page outside the console.").to_owned(),
                tr!("Load the page again."),
            )
        })
        .and_then(|root| Ok((LivePage::open(&watched)?, root, permit?)));
    match opened {
        Ok((room, root, permit)) => Sse::new(frames(console, room, root, permit))
            .keep_alive(KeepAlive::new().interval(Duration::from_secs(15)))
            .into_response(),
        Err(trouble) => (trouble.status, trouble.detail).into_response(),
    }
}

async fn permit(console: &Console) -> Result<StreamPermit, PageError> {
    let opened = console.streams.open(console.engine.actor()).await;
    opened.map_err(PageError::full)
}

/// What has changed since the last frame.
#[derive(Default)]
pub struct Frame {
    /// Parts of the page.
    pub panels: Vec<Panel>,
    /// Rows that the page shows, and new ones that it takes in.
    pub rows: Vec<(JobId, Markup)>,
    /// How many rows the page could show besides, where they are too many to take in: `12`, `50+`.
    pub fresh: Option<String>,
    /// What is the matter, if the page cannot be current.
    pub trouble: Option<String>,
}

struct Feed {
    console: Console,
    /// Of whoever watches: frames are made after the request was answered.
    language: Language,
    wakeups: Subscription,
    room: LivePage,
    root: Root,
    sent: HashMap<String, String>,
    last: Option<Instant>,
    _permit: StreamPermit,
}

fn frames(
    console: Console,
    room: LivePage,
    root: Root,
    permit: StreamPermit,
) -> impl Stream<Item = Result<Event, Infallible>> {
    let feed = Feed {
        // Subscribed before the first look, so that nothing falls between.
        wakeups: console.engine.wakeups().subscribe(Wakeup::Events),
        console,
        language: Language::current(),
        room,
        root,
        sent: HashMap::new(),
        last: None,
        _permit: permit,
    };
    stream::unfold(feed, |mut feed| async move {
        let shutdown = feed.console.shutdown.clone();
        tokio::select! {
            frame = feed.language.scope(feed.next()) => Some((Ok(frame), feed)),
            () = shutdown.cancelled() => None,
        }
    })
}

impl Feed {
    async fn next(&mut self) -> Event {
        self.wait().await;
        let frame = self.look().await;
        self.last = Some(Instant::now());
        self.write(frame)
    }

    async fn wait(&mut self) {
        let Some(last) = self.last else { return };
        tokio::select! {
            () = self.wakeups.recv() => {}
            () = tokio::time::sleep(SAFETY) => {}
        }
        tokio::time::sleep(PACE.saturating_sub(last.elapsed())).await;
    }

    async fn look(&mut self) -> Frame {
        let glance = self.console.overviews.glance().await;
        let glance = glance.shown_to(&self.console.engine);
        let mut frame = match self.room.load(&self.console, &glance, &self.root).await {
            Ok(frame) => frame,
            Err(trouble) => Frame {
                trouble: Some(trouble.detail),
                ..Frame::default()
            },
        };
        frame
            .panels
            .push(("health", health::panel(&glance, &self.root)));
        frame.trouble = frame
            .trouble
            .or_else(|| glance.trouble.as_ref().map(ToString::to_string));
        frame
    }

    fn write(&mut self, frame: Frame) -> Event {
        let panels = frame.panels.into_iter();
        let panels: serde_json::Map<_, _> = panels
            .filter(|(name, html)| self.has_changed(name, html))
            .map(|(name, html)| (name.to_owned(), html.as_str().into()))
            .collect();
        let rows = frame.rows.into_iter();
        let rows: serde_json::Map<_, _> = rows
            .map(|(id, html)| (id.to_string(), html))
            .filter(|(id, html)| self.has_changed(id, html))
            .map(|(id, html)| (id, html.as_str().into()))
            .collect();
        let frame = json!({
            "at": self.console.engine.now(),
            "panels": panels,
            "rows": rows,
            "fresh": frame.fresh,
            "trouble": frame.trouble,
        });
        Event::default().event("frame").data(frame.to_string())
    }

    /// Whether this differs from what was sent before in more than the age of something.
    fn has_changed(&mut self, name: &str, html: &Markup) -> bool {
        let steady = steady(html.as_str());
        let before = self.sent.insert(name.to_owned(), steady.clone());
        before != Some(steady)
    }
}

/// HTML without the text of its ages, which the page keeps current by itself.
fn steady(html: &str) -> String {
    let mut steady = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(start) = rest.find("<time ") {
        let open = rest[start..]
            .find('>')
            .map_or(rest.len(), |end| start + end);
        steady.push_str(&rest[..open]);
        rest = &rest[open..];
        rest = rest.find("</time>").map_or("", |end| &rest[end..]);
    }
    steady.push_str(rest);
    steady
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_text_of_ages_is_left_out() {
        let html = "<p>x</p><time a=\"1\">3 s ago</time> y <time b=\"2\">now</time>!";

        assert_eq!(
            steady(html),
            "<p>x</p><time a=\"1\"</time> y <time b=\"2\"</time>!"
        );
    }
}
