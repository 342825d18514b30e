//! The console of the pages: Chromium's driver has it, the WebDriver standard does not.

use anyhow::{Context, Result};
use fantoccini::{Client, wd::WebDriverCompatibleCommand};
use hyper::Method;
use serde_json::{Value, json};
use url::{ParseError, Url};

/// Makes the driver keep what pages write on their console.
pub fn capability() -> (String, Value) {
    ("goog:loggingPrefs".to_owned(), json!({ "browser": "ALL" }))
}

/// The warnings and errors since this was last asked.
pub async fn complaints(client: &Client) -> Result<Vec<String>> {
    let lines = client
        .issue_cmd(ReadConsole)
        .await
        .context("the browser's console could not be read")?;
    let lines = lines.as_array().context("the console is not a list")?;
    Ok(lines
        .iter()
        .filter(|line| ["WARNING", "SEVERE"].contains(&line["level"].as_str().unwrap_or("")))
        .map(|line| line["message"].as_str().unwrap_or("").to_owned())
        .collect())
}

#[derive(Debug)]
struct ReadConsole;

impl WebDriverCompatibleCommand for ReadConsole {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        let session = session.unwrap_or_default();
        base.join(&format!("session/{session}/se/log"))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        (Method::POST, Some(json!({ "type": "browser" }).to_string()))
    }
}
