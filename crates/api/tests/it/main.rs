//! The API, called in-process over the store in memory.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod fixture;

mod access;
mod answers;
mod audiences;
mod bounded;
mod campaigns;
mod crawl;
mod dead_letters;
mod described;
mod docs;
mod doubt;
mod events;
mod faults;
mod health;
mod history;
mod inbox;
mod jobs;
mod jobs_control;
mod nodes;
mod notifications;
mod openapi;
mod operations;
mod origin_check;
mod pages;
mod queues;
mod recipients;
mod recipients_import;
mod remote;
mod requests;
mod schedule_story;
mod schedules;
mod stream;
mod traces;
mod unreadable;
mod workers;
