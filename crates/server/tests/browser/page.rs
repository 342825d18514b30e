//! A page before an operator's eyes.

use std::ops::Deref;

use baton_domain::JobId;
use baton_testkit::{Browser, eventually};
use fantoccini::{
    Locator,
    actions::{InputSource, MouseActions, PointerAction},
};
use serde_json::{Value, json};
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::server::{Server, TIMEOUT};

/// Two browsers keep a small machine busy; more would make each other late.
static TURNS: Semaphore = Semaphore::const_new(2);

pub struct Page {
    browser: Browser,
    _turn: SemaphorePermit<'static>,
}

impl Deref for Page {
    type Target = Browser;

    fn deref(&self) -> &Browser {
        &self.browser
    }
}

impl Page {
    /// Opens a page, waits until it is live, and marks it: the mark is gone when it is loaded anew.
    pub async fn open(server: &Server, path: &str) -> Self {
        let turn = TURNS.acquire().await.unwrap();
        let browser = Browser::open().await;
        let page = Self {
            browser,
            _turn: turn,
        };
        page.go(server, path).await;
        page
    }

    /// Opens a page that somebody sees who has not signed in.
    pub async fn open_outside(server: &Server, path: &str) -> Self {
        let turn = TURNS.acquire().await.unwrap();
        let browser = Browser::open().await;
        browser.goto(&server.admin(path)).await.unwrap();
        Self {
            browser,
            _turn: turn,
        }
    }

    /// Types into the field of this name.
    pub async fn type_in(&self, name: &str, text: &str) {
        let css = format!("[name='{name}']");
        self.until_there(&css).await;
        let field = self.find(Locator::Css(&css)).await.unwrap();
        field.clear().await.unwrap();
        field.send_keys(text).await.unwrap();
    }

    /// The words of the buttons that can be seen.
    pub async fn visible_actions(&self) -> Vec<String> {
        let script = "return [...document.querySelectorAll('[data-action]')].filter((one) => one.offsetParent).map((one) => one.dataset.action)";
        serde_json::from_value(self.script(script, json!([])).await).unwrap()
    }

    /// Goes to another page.
    pub async fn go(&self, server: &Server, path: &str) {
        self.goto(&server.admin(path)).await.unwrap();
        self.until_there("[data-live=live]").await;
        self.script("window.marked = true", json!([])).await;
    }

    /// Whether it is the page that was opened, never loaded again.
    pub async fn is_the_same(&self) -> bool {
        self.script("return window.marked === true", json!([]))
            .await
            == true
    }

    pub async fn is_there(&self, css: &str) -> bool {
        self.script(
            "return !!document.querySelector(arguments[0])",
            json!([css]),
        )
        .await
            == true
    }

    pub async fn until_there(&self, css: &str) {
        let what = format!("the page has {css}");
        eventually(&what, TIMEOUT, async || self.is_there(css).await).await;
    }

    pub async fn until_row(&self, id: JobId, state: &str) {
        self.until_there(&row(id, state)).await;
    }

    /// Whether all of what matches is seen without a scroll.
    pub async fn is_in_sight(&self, css: &str) -> bool {
        const SEEN: &str = "
            const { top, bottom, height } = document.querySelector(arguments[0]).getBoundingClientRect();
            return height > 0 && top >= 0 && bottom <= innerHeight;";
        self.script(SEEN, json!([css])).await == true
    }

    /// The texts of all that match, in the order of the page.
    pub async fn texts(&self, css: &str) -> Vec<String> {
        let script =
            "return [...document.querySelectorAll(arguments[0])].map((node) => node.textContent)";
        serde_json::from_value(self.script(script, json!([css])).await).unwrap()
    }

    /// Presses what is there as a hand does, until it has had its effect: the page ignores what came
    /// under the hand less than half a second ago.
    pub async fn press(&self, css: &str, effect: &str) {
        let what = format!("pressing {css} leads to {effect}");
        eventually(&what, TIMEOUT, async || {
            if !self.is_there(effect).await
                && let Ok(button) = self.find(Locator::Css(css)).await
            {
                // It may have gone in this moment, for it worked.
                let _ = button.click().await;
            }
            self.is_there(effect).await
        })
        .await;
    }

    /// Lays the pointer on what matches.
    pub async fn point_at(&self, css: &str) {
        let element = self.find(Locator::Css(css)).await.unwrap();
        let (x, y, width, height) = element.rectangle().await.unwrap();
        self.point(x + width / 2.0, y + height / 2.0).await;
    }

    /// Takes the pointer away to the header: rows do not come or go under a hand.
    pub async fn leave(&self) {
        self.point(5.0, 5.0).await;
    }

    async fn point(&self, x: f64, y: f64) {
        let duration = None;
        let away =
            MouseActions::new("mouse".to_owned()).then(PointerAction::MoveTo { duration, x, y });
        self.perform_actions(away).await.unwrap();
    }

    pub async fn script(&self, script: &str, arguments: Value) -> Value {
        let arguments = arguments.as_array().unwrap().clone();
        self.execute(script, arguments).await.unwrap()
    }

    /// Writes down each moment at which a button with this word is pressed from now on.
    pub async fn watch_presses(&self, action: &str) {
        const WATCH: &str = "
            const [action] = arguments;
            window.presses ??= {};
            window.presses[action] = [];
            document.addEventListener('click', (event) => {
                if (event.target.closest(`button[data-action='${action}']`)) {
                    window.presses[action].push(Date.now());
                }
            }, true);";
        self.script(WATCH, json!([action])).await;
    }

    /// The last press that [`Self::watch_presses`] has written down, in microseconds since 1970.
    pub async fn pressed_at(&self, action: &str) -> i64 {
        let script = "return window.presses[arguments[0]].at(-1)";
        self.script(script, json!([action])).await.as_i64().unwrap() * 1_000
    }

    /// Writes down each state that the row of any job passes through from now on.
    pub async fn watch_rows(&self) {
        const WATCH: &str = "
            window.passed = {};
            const look = () => {
                for (const { dataset } of document.querySelectorAll('tr[data-job]')) {
                    const states = window.passed[dataset.job] ??= [];
                    if (states.at(-1) !== dataset.state) states.push(dataset.state);
                }
            };
            look();
            new MutationObserver(look)
                .observe(document.body, { subtree: true, childList: true, attributes: true });";
        self.script(WATCH, json!([])).await;
    }

    /// What [`Self::watch_rows`] has written down of a job.
    pub async fn passed(&self, id: JobId) -> Vec<String> {
        let script = "return window.passed[arguments[0]] ?? []";
        serde_json::from_value(self.script(script, json!([id.to_string()])).await).unwrap()
    }
}

pub fn row(id: JobId, state: &str) -> String {
    format!("tr[data-job='{id}'][data-state='{state}']")
}
