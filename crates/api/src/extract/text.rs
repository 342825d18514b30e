//! Texts that a store is to compare with or to keep.

use baton_protocol::{FieldError, Problem};

use crate::problem::ApiResult;

/// Checks texts of a request; what is missing is well.
pub fn check_texts(texts: &[(&str, &Option<String>)]) -> ApiResult<()> {
    let errors: Vec<_> = texts
        .iter()
        .filter_map(|(field, text)| check_text(field, text.as_deref()?, 255).err())
        .collect();
    if errors.is_empty() {
        Ok(())
    } else {
        Err(Problem::invalid(errors).into())
    }
}

/// Checks one text. PostgreSQL cannot keep a NUL, so no store is asked to.
pub fn check_text(field: &str, text: &str, longest: usize) -> Result<(), FieldError> {
    if text.chars().count() > longest {
        let message = format!("can have {longest} characters at most");
        Err(FieldError::new(field, message))
    } else if text.chars().any(char::is_control) {
        Err(FieldError::new(field, "must not hold control characters"))
    } else {
        Ok(())
    }
}
