//! The shell: what stands around every page.

use std::sync::Arc;

use askama::Template;
use axum::{
    extract::FromRequestParts,
    http::{HeaderValue, Method, StatusCode, header, request::Parts},
    response::{Html, IntoResponse, Response},
};
use baton_domain::{
    Timestamp,
    access::{Actor, Permission, Principal},
};

use crate::{
    ConsoleState, NavEntry, ROOMS,
    errors::PageError,
    language::{Language, words_of_the_script},
    overview_cache::OverviewSnapshot,
    pages::health,
    receipt::{Flash, forget_flash},
    root::Root,
    view::Markup,
};

/// What stands around every page.
pub struct Shell {
    /// How the page reaches the others.
    pub root: Root,
    /// Below which room it lies.
    pub room: &'static str,
    /// Whether the page can be asked for again: one that answers a form would lose what was typed.
    pub can_be_asked_again: bool,
    /// What the last button did, when there was no script to say it.
    pub flash: Option<Flash>,
    /// The installation at a glance.
    pub glance: Arc<OverviewSnapshot>,
    /// The strip that says how the installation is.
    pub health: Markup,
    /// The present moment.
    pub now: Timestamp,
    /// Who looks at it.
    pub actor: Actor,
}

impl FromRequestParts<ConsoleState> for Shell {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(
        parts: &mut Parts,
        console: &ConsoleState,
    ) -> Result<Self, Self::Rejection> {
        let caller = console.caller(parts);
        // The overview is the page one looks at after doing something: it is never of a moment ago.
        let glance = match parts.uri.path() {
            // Nobody who may not look has anybody look for them.
            _ if !caller.may(Permission::JobsRead) => console.overviews.nothing(),
            "/" | "" => console.overviews.look().await,
            _ => console.overviews.glance().await,
        };
        let glance = glance.shown_to(&caller);
        let root = Root::of(parts);
        Ok(Self {
            room: room_of(parts.uri.path()),
            can_be_asked_again: parts.method == Method::GET,
            flash: Flash::of(&parts.headers),
            health: match caller.may(Permission::JobsRead) {
                true => health::panel(&glance, &root),
                false => Markup::default(),
            },
            root,
            glance,
            now: console.engine.now(),
            actor: caller.actor().clone(),
        })
    }
}

/// The room that a page lies below; none for one that is reached from everywhere.
fn room_of(path: &str) -> &'static str {
    let is_below = |room: &&NavEntry| match room.path {
        "/" => ["/", ""].contains(&path),
        above => path.starts_with(above),
    };
    ROOMS.iter().find(is_below).map_or("", |room| room.name)
}

impl Shell {
    /// The rooms that whoever looks may enter, for the navigation.
    pub fn rooms(&self) -> Vec<&'static NavEntry> {
        let rooms = ROOMS.iter();
        let may_enter = |room: &&NavEntry| room.needs.is_none_or(|needed| self.actor.may(needed));
        rooms.filter(may_enter).collect()
    }

    /// Whether whoever looks has said who they are.
    pub fn is_signed_in(&self) -> bool {
        matches!(self.actor.principal, Principal::User(_))
    }

    /// Whether the server asks nobody who they are.
    pub fn is_open(&self) -> bool {
        self.actor.principal == Principal::Anonymous
    }

    /// What whoever looks may do, as words for the style sheet: it hides the buttons that would be refused.
    pub fn may(&self) -> String {
        self.actor.permissions.to_string()
    }

    /// Whether whoever looks may know what people did.
    pub fn may_read_log(&self) -> bool {
        self.actor.may(Permission::AuditRead)
    }

    /// The address of a room.
    pub fn href(&self, room: &NavEntry) -> String {
        self.root.href(room.path)
    }

    /// The address of a file.
    pub fn asset(&self, name: &str) -> String {
        self.root.asset(name)
    }

    /// The version that runs.
    pub fn version(&self) -> &'static str {
        env!("CARGO_PKG_VERSION")
    }

    /// The language of the page.
    pub fn language(&self) -> Language {
        Language::current()
    }

    /// What the script says in it.
    pub fn words(&self) -> Option<String> {
        words_of_the_script()
    }

    /// Answers with a page.
    pub fn page(&self, page: &impl Template) -> Response {
        self.page_as(StatusCode::OK, page)
    }

    /// Answers with what is the matter.
    pub fn trouble(&self, trouble: &PageError) -> Response {
        let page = TroublePage {
            shell: self,
            trouble,
        };
        self.page_as(trouble.status, &page)
    }

    /// Answers with a page, and as what.
    pub fn page_as(&self, status: StatusCode, page: &impl Template) -> Response {
        let html = Html(Markup::of(page).to_string());
        let mut response = (status, html).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if status == StatusCode::SERVICE_UNAVAILABLE {
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static("5"));
        }
        if self.flash.is_some() {
            headers.insert(header::SET_COOKIE, forget_flash());
        }
        response
    }
}

#[derive(Template)]
#[template(path = "rooms/trouble.html")]
struct TroublePage<'a> {
    shell: &'a Shell,
    trouble: &'a PageError,
}
