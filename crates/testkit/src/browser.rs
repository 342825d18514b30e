//! A headless Chromium under a test's control.

mod accessibility;
mod console;
mod driver;

use std::env;
use std::ops::Deref;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use baton_lab::servers::{Home, last_words, log_to, until};
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::json;

const TIMEOUT: Duration = Duration::from_secs(30);

const FLAGS: [&str; 11] = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--window-size=1280,900",
];

/// A headless Chromium with a fresh profile; it is a [`Client`], and closes when dropped.
pub struct Browser {
    client: Client,
    driver: Child,
    home: Home,
}

impl Browser {
    /// Opens a browser on an empty page.
    pub async fn open() -> Self {
        Self::try_open()
            .await
            .unwrap_or_else(|error| panic!("{error:#}"))
    }

    async fn try_open() -> Result<Self> {
        let (chromium, chromedriver) = (find("chromium")?, find("chromedriver")?);
        // There is nothing to save, and a browser that is asked to leave takes its time.
        let home = Home::create("browser", "KILL")?;
        let (driver, port) = start_driver(&chromedriver, home.path())?;
        let client = connect(&chromium, port, home.path()).await?;
        Ok(Self {
            client,
            driver,
            home,
        })
    }

    /// What the pages have complained of on their console since this was last asked: errors of
    /// scripts, what could not be loaded, what the pages' policy has refused.
    pub async fn complaints(&self) -> Vec<String> {
        console::complaints(&self.client)
            .await
            .unwrap_or_else(|error| panic!("{error:#}"))
    }

    /// What keeps people from using the page that is open: each breach of a rule of axe-core that is
    /// serious or critical, and where.
    pub async fn barriers(&self) -> Vec<String> {
        accessibility::barriers(&self.client)
            .await
            .unwrap_or_else(|error| panic!("{error:#}"))
    }

    /// Has pages drawn from now on for somebody who prefers this colour scheme, `light` or `dark`, and no
    /// motion.
    pub async fn prefer(&self, scheme: &str) {
        driver::prefer(&self.client, scheme)
            .await
            .unwrap_or_else(|error| panic!("{error:#}"));
    }

    /// Has pages drawn from now on on a screen of this width, in pixels of CSS.
    pub async fn on_screen_of(&self, width: u32) {
        driver::on_screen_of(&self.client, width)
            .await
            .unwrap_or_else(|error| panic!("{error:#}"));
    }
}

impl Deref for Browser {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.home.end();
        let _ = self.driver.wait();
    }
}

fn find(program: &str) -> Result<PathBuf> {
    let folders = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&folders)
        .map(|folder| folder.join(program))
        .find(|path| path.exists())
        .with_context(|| {
            format!(
                "`{program}` is not installed. The tests of the pages need a real browser; \
             `cargo xtask test` (or `cargo xtask setup`) installs it"
            )
        })
}

/// The driver chooses a free port and says which.
/// How often a driver is started whose port was taken: it takes a free one of IPv6, and then the same of IPv4.
const STARTS: usize = 5;
const TAKEN: &str = "Address already in use";

fn start_driver(chromedriver: &Path, home: &Path) -> Result<(Child, u16)> {
    let mut started = start_driver_once(chromedriver, home);
    for _ in 1..STARTS {
        match started {
            Err(error) if format!("{error:#}").contains(TAKEN) => {
                started = start_driver_once(chromedriver, home);
            }
            _ => break,
        }
    }
    started
}

fn start_driver_once(chromedriver: &Path, home: &Path) -> Result<(Child, u16)> {
    let log = home.join("log");
    let mut command = Command::new(chromedriver);
    command.arg("--port=0").current_dir(home).process_group(0);
    // Else the browser scatters sockets and crash reports over the user's folders.
    command.env("HOME", home).env("TMPDIR", home);
    let mut driver = log_to(&mut command, &log)?
        .spawn()
        .context("`chromedriver` could not be started")?;
    let mut port = None;
    until("chromedriver listens", TIMEOUT, || {
        if let Some(status) = driver.try_wait()? {
            bail!(
                "chromedriver ended while starting ({status}); its last words:\n{}",
                last_words(&log)
            );
        }
        port = announced_port(&last_words(&log));
        Ok(port.is_some())
    })?;
    Ok((driver, port.context("chromedriver listens on no port")?))
}

/// Reads it from `ChromeDriver was started successfully on port 40123.`
fn announced_port(log: &str) -> Option<u16> {
    let (_, rest) = log.split_once("started successfully on port ")?;
    let (port, _) = rest.split_once('.')?;
    port.parse().ok()
}

async fn connect(chromium: &Path, port: u16, home: &Path) -> Result<Client> {
    let profile = format!("--user-data-dir={}", home.join("profile").display());
    let flags: Vec<&str> = FLAGS.into_iter().chain([profile.as_str()]).collect();
    let options = json!({ "binary": chromium, "args": flags });
    ClientBuilder::new(HttpConnector::new())
        .capabilities(
            [
                ("goog:chromeOptions".to_owned(), options),
                console::capability(),
            ]
            .into_iter()
            .collect(),
        )
        .connect(&format!("http://127.0.0.1:{port}"))
        .await
        .with_context(|| {
            format!(
                "Chromium could not be started; its last words:\n{}",
                last_words(&home.join("log"))
            )
        })
}
