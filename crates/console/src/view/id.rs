//! Ids in little space.

use std::fmt::Display;

/// An id cut to its prefix and its end: `job_…4f5a6b`. The end is chance, the beginning only time.
pub fn short(id: impl Display) -> String {
    let id = id.to_string();
    match id.split_once('_') {
        Some((prefix, rest)) if rest.len() > 8 && rest.is_ascii() => {
            format!("{prefix}_…{}", &rest[rest.len() - 6..])
        }
        _ => id,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_keeps_its_prefix_and_its_end() {
        assert_eq!(
            short("job_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"),
            "job_…3f4a5b"
        );
        assert_eq!(short("email.high"), "email.high");
    }
}
