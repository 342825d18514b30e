//! The console over the store in memory: what a browser gets, and what its buttons do.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says where")]

mod access;
mod account;
mod actions;
mod activity;
mod approvals;
mod audiences;
mod browser_security;
mod buttons;
mod campaign_picture;
mod campaigns;
mod compose;
mod enqueue;
mod escaping;
mod events;
mod fixture;
mod fleet;
mod hanging;
mod language;
mod live;
mod matching;
mod operations;
mod pages;
mod palette;
mod pictures;
mod progress;
mod provider;
mod queues;
mod reasons;
mod recipients;
mod recoveries;
mod schedules;
mod settings;
mod unreadable;
