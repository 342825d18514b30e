//! Buttons about a person.

use axum::{extract::Path, response::Response};

use super::Button;
use crate::{errors::PageError, pages::confirm, receipt::Receipt, view::short};

/// Erases a recipient, once its id was typed.
pub async fn erase(Path(id): Path<String>, mut button: Button) -> Response {
    let done = async {
        confirm::recipient::check_typed(&id, &button.pressed.confirm)?;
        Ok::<_, PageError>(button.console.engine.erase_recipient(&id).await?)
    };
    let done = done.await.map(|operation| {
        button.leads_to(format!("/operations/{}", operation.id));
        Receipt::new(tr!(
            "The erasure has begun ({id}); its progress is among the operations.",
            id = short(operation.id)
        ))
    });
    button.answer(done).await
}
