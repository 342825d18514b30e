//! Query strings: no unknown names, nothing twice.

use std::error::Error;

use axum::{
    extract::{FromRequestParts, Query as Lenient},
    http::request::Parts,
};
use serde::de::DeserializeOwned;

use super::explain::explain_query;
use crate::problem::Refusal;

/// What a query string says.
pub struct Query<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Refusal> {
        match Lenient::try_from_uri(&parts.uri) {
            Ok(Lenient(query)) => Ok(Self(query)),
            Err(error) => {
                // The rejection's own text begins with a phrase of the library; its cause does not.
                let cause = error
                    .source()
                    .map_or_else(|| error.to_string(), ToString::to_string);
                Err(explain_query(&cause).into())
            }
        }
    }
}
