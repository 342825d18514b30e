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
    let params = json!({ "features": features });
    let done = emulate(client, "Emulation.setEmulatedMedia", params).await;
    done.context("the browser does not prefer anything")
}

/// Has pages drawn on a screen of this width, in pixels of CSS.
pub async fn on_screen_of(client: &Client, width: u32) -> Result<()> {
    let params = json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false });
    let done = emulate(client, "Emulation.setDeviceMetricsOverride", params).await;
    done.context("the browser has no such screen")
}

async fn emulate(client: &Client, name: &'static str, params: Value) -> Result<()> {
    client.issue_cmd(Command { name, params }).await?;
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
