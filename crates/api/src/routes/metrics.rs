//! Metrics, as Prometheus reads them.

use axum::{
    http::header::CONTENT_TYPE,
    response::{IntoResponse, Response},
};

use crate::Api;

/// Metrics
///
/// In the Prometheus text format.
#[utoipa::path(
    get, path = "/metrics", tag = "health",
    responses((status = 200, description = "Every metric.", body = String, content_type = "text/plain"))
)]
pub async fn show(api: Api) -> Response {
    let media = "text/plain; version=0.0.4; charset=utf-8";
    ([(CONTENT_TYPE, media)], api.shared.options.metrics.text()).into_response()
}
