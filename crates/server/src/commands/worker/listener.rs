//! Where a worker answers for its health, and tells its metrics.

use std::net::SocketAddr;

use axum::{Router, http::StatusCode, routing::get};
use baton_worker::Status;
use tokio::net::TcpListener;

use crate::{exit::Failure, output::Output, telemetry};

/// Listens from here on.
pub async fn start(address: SocketAddr, status: Status, output: &Output) -> Result<(), Failure> {
    let metrics = telemetry::gathered()?;
    let cannot = |error| Failure::new(format!("{address} cannot be listened on: {error}"));
    let listener = TcpListener::bind(address).await.map_err(cannot)?;
    let address = listener.local_addr().map_err(cannot)?;
    output.say(format!("the worker answers on http://{address}"));
    let router = Router::new()
        .route("/healthz", get(move || async move { health(&status) }))
        .route("/metrics", get(move || async move { metrics.render() }));
    tokio::spawn(async move { axum::serve(listener, router).await });
    Ok(())
}

fn health(status: &Status) -> (StatusCode, &'static str) {
    match status.is_claiming() {
        true => (StatusCode::OK, "claiming\n"),
        false => (StatusCode::SERVICE_UNAVAILABLE, "not claiming\n"),
    }
}
