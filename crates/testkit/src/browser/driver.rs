//! What Chromium's driver can do beside the WebDriver standard: the page as some people have it set.

use anyhow::{Context, Result};
use fantoccini::{Client, wd::WebDriverCompatibleCommand};
use hyper::Method;
use serde_json::{Value, json};
use url::{ParseError, Url};

/// Has pages drawn for somebody who prefers this colour scheme, `light` or `dark`, and no motion.
pub async fn prefer(client: &Client, scheme: &str) -> Result<()> {
    let features = json!([
        { "name": "prefers-color-scheme", "value": scheme },
        { "name": "prefers-reduced-motion", "value": "reduce" },
    ]);
    let command = Command {
        name: "Emulation.setEmulatedMedia",
        params: json!({ "features": features }),
    };
    let done = client.issue_cmd(command).await;
    done.context("the browser does not prefer anything")?;
    Ok(())
}

#[derive(Debug)]
struct Command {
    name: &'static str,
    params: Value,
}

impl WebDriverCompatibleCommand for Command {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        let session = session.unwrap_or_default();
        base.join(&format!("session/{session}/goog/cdp/execute"))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        let body = json!({ "cmd": self.name, "params": self.params });
        (Method::POST, Some(body.to_string()))
    }
}
