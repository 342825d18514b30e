//! The binary as people meet it: real processes, their words, their exit codes.
#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

#[cfg(unix)]
mod access;
mod authority;
mod bad_input;
mod bench;
mod campaigns;
#[cfg(unix)]
mod clocks;
mod config;
mod connections;
mod control;
mod crowds;
mod demo;
mod destinations;
mod doors;
#[cfg(unix)]
mod erasing;
mod error_messages;
#[cfg(unix)]
mod failing_over;
mod faults;
#[cfg(unix)]
mod files;
mod host_check;
mod https;
mod loops;
mod matrix;
mod moving;
mod mysql;
mod mysql_tls;
mod neighbours;
mod nodes;
mod notifications;
mod oidc;
mod poolers;
mod postgres;
mod quiet;
mod readme;
mod recipients;
mod restoring;
#[cfg(unix)]
mod restoring_base;
#[cfg(unix)]
mod restoring_drills;
#[cfg(unix)]
mod restoring_postgres;
#[cfg(unix)]
mod rights;
mod rotation;
mod routes;
mod schedules;
mod secrets;
mod serving;
mod staging;
mod support;
mod tls;
mod traces;
mod unix_socket;
mod unreadable;
#[cfg(unix)]
mod worker;
