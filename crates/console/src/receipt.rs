//! A receipt says what a button did: as JSON to the script, else as a note on the next page.

use axum::{
    Json,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use baton_domain::hex;
use serde_json::json;

use crate::{errors::PageError, shell::Shell};

const COOKIE: &str = "baton_flash";

/// What a button did.
#[derive(Debug)]
pub struct Receipt {
    /// In one sentence.
    pub message: String,
    /// Where to post to undo it, below the mount.
    pub undo: Option<String>,
}

impl Receipt {
    /// A receipt for what cannot be undone.
    pub fn new(message: String) -> Self {
        Self {
            message,
            undo: None,
        }
    }
}

/// Answers a button: JSON to the script, else a way back to the page it was pressed on.
pub fn answer(
    shell: &Shell,
    headers: &HeaderMap,
    back: &str,
    outcome: Result<Receipt, PageError>,
) -> Response {
    match (outcome, wants_json(headers)) {
        (Ok(receipt), true) => {
            let undo = receipt.undo.map(|path| shell.root.href(&path));
            Json(json!({"message": receipt.message, "undo": undo})).into_response()
        }
        (Ok(receipt), false) => go_back(shell, back, &receipt),
        (Err(trouble), true) => {
            let body = json!({
                "title": trouble.title,
                "detail": trouble.detail,
                "advice": trouble.advice,
            });
            (trouble.status, Json(body)).into_response()
        }
        (Err(trouble), false) => shell.trouble(&trouble),
    }
}

fn wants_json(headers: &HeaderMap) -> bool {
    headers
        .get(header::ACCEPT)
        .and_then(|accept| accept.to_str().ok())
        .is_some_and(|accept| accept.contains("application/json"))
}

fn go_back(shell: &Shell, back: &str, receipt: &Receipt) -> Response {
    let back = if is_inside(back) { back } else { "/" };
    let flash = Flash {
        message: receipt.message.clone(),
    };
    let headers = [
        (header::LOCATION, shell.root.href(back)),
        (header::SET_COOKIE, flash.cookie()),
    ];
    (StatusCode::SEE_OTHER, headers).into_response()
}

/// Whether an address below the mount stays there.
pub fn is_inside(back: &str) -> bool {
    back.starts_with('/')
        && !back.starts_with("//")
        && !back.contains("..")
        && back.chars().all(|c| c.is_ascii_graphic() && c != '\\')
}

/// A note for the next page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flash {
    /// What it says.
    pub message: String,
}

impl Flash {
    /// The note that came with a request, if one did.
    pub fn of(headers: &HeaderMap) -> Option<Self> {
        let cookies = headers.get_all(header::COOKIE).iter();
        let hex = cookies
            .filter_map(|line| line.to_str().ok())
            .flat_map(|line| line.split(';'))
            .find_map(|cookie| cookie.trim().strip_prefix(COOKIE)?.strip_prefix('='))?;
        let bytes: Option<Vec<_>> = (0..hex.len() / 2)
            .map(|i| u8::from_str_radix(hex.get(2 * i..2 * i + 2)?, 16).ok())
            .collect();
        let message = String::from_utf8(bytes?).ok().filter(|m| !m.is_empty())?;
        Some(Self { message })
    }

    /// The cookie that carries it. Hexadecimal, so that no text needs quoting.
    fn cookie(&self) -> String {
        let hex = hex(self.message.as_bytes());
        format!("{COOKIE}={hex}; Path=/; Max-Age=60; HttpOnly; SameSite=Strict")
    }
}

/// The cookie that ends a note once it was shown.
pub fn forget_flash() -> HeaderValue {
    HeaderValue::from_static("baton_flash=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_arrives_as_it_was_sent() {
        let flash = Flash {
            message: "Paused queue \"é\"; 3 jobs wait.".to_owned(),
        };
        let cookie = flash.cookie();
        let mut headers = HeaderMap::new();

        let sent = format!("other=1; {}", cookie.split(';').next().unwrap());
        headers.insert(header::COOKIE, sent.parse().unwrap());

        assert_eq!(Flash::of(&headers), Some(flash));
    }

    #[test]
    fn the_way_back_stays_inside() {
        for inside in ["/", "/jobs?state=failed&queue=a.b", "/jobs/job_1"] {
            assert!(is_inside(inside), "{inside}");
        }
        for outside in ["", "//evil", "https://evil", "/../x", "/a\\b", "/a\r\nb"] {
            assert!(!is_inside(outside), "{outside}");
        }
    }
}
