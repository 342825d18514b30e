//! No page keeps anybody from using it: axe-core finds nothing serious, in the light and in the dark.

use baton_client::CreateSchedule;
use baton_console::REQUIREMENTS;
use baton_domain::{
    job::State,
    operation::{Action, DeadLetterFilter},
};
use baton_protocol::PageQuery;
use baton_testkit::eventually;
use serde_json::{Value, json};

use crate::{
    access::set_up,
    page::Page,
    server::{Server, TIMEOUT},
};

const SCHEMES: [&str; 2] = ["light", "dark"];
/// A phone, a tablet, a desk.
const WIDTHS: [u32; 3] = [360, 768, 1280];
/// What reaches farthest out of a page that has to be moved sideways; nothing if all of it is in sight.
const STANDS_OUT: &str = "
    const root = document.scrollingElement;
    if (innerWidth !== arguments[0]) return `the screen has ${innerWidth}`;
    if (root.scrollWidth <= innerWidth) return null;
    const all = [...document.querySelectorAll('main *')];
    const reach = (one) => one.getBoundingClientRect().right;
    const far = all.reduce((most, one) => reach(one) > reach(most) ? one : most);
    return `${root.scrollWidth}: ${far.outerHTML.slice(0, 200)}`;";
/// A cell whose text runs down the page, a word or less in a line; nothing if each can be read.
const SQUEEZED: &str = "
    const room = (cell) => {
        const text = document.createRange();
        text.selectNodeContents(cell);
        const { width, height } = text.getBoundingClientRect();
        return { width, height: Math.min(height, cell.clientHeight) };
    };
    const cells = [...document.querySelectorAll('main td')];
    const narrow = cells.find((cell) => room(cell).width < 120 && room(cell).height > 160);
    return narrow ? `squeezed: ${narrow.innerText.slice(0, 100)}` : null;";
/// What is not looked at: a stream, files, ways to elsewhere, and what only shows who has not signed in.
const NO_PAGES: [&str; 8] = [
    "/",
    "/admin/",
    "/admin/live",
    "/admin/assets/{name}",
    "/admin/sign-in",
    "/admin/sign-in/provider",
    "/admin/sign-in/callback",
    "/admin/set-up",
];

/// A server with something in each room, and what its addresses leave open.
pub struct Inhabited {
    pub server: Server,
    ids: Value,
}

impl Inhabited {
    async fn start() -> Self {
        Self::of(Server::start().await).await
    }

    pub async fn of(server: Server) -> Self {
        let failed = server.enqueue_call("/bad", json!({})).await;
        let again = server.enqueue_call("/flaky/9", json!({"key": "a"})).await;
        let sleep = json!({"sleep_ms": 600_000});
        let timeout = json!({"timeout": "20m"});
        let running = server.enqueue("simulate", sleep, timeout).await;
        server.enqueue("import", json!({}), json!({})).await;
        server.until(failed, State::Failed).await;
        server.until(again, State::RetryWait).await;
        server.pause("import", true).await;
        let recipient =
            json!({"platform": "ios", "addresses": {"push": "token"}, "topics": ["quiz"]});
        let recipient = serde_json::from_value(recipient).unwrap();
        server.api.put_recipient("ann", &recipient).await.unwrap();
        let ids = json!({
            "jobs": [failed, again, running],
            "queues": ["default", "import"],
            "campaigns": [campaign(&server, json!(null)).await, campaign(&server, json!("2030-01-01T00:00:00Z")).await],
            "schedules": [schedule(&server).await],
            "dead-letters": [cause(&server).await],
            "retry-failed": [cause(&server).await],
            "recipients": ["ann"],
            "operations": [operation(&server).await],
            "probe": [failed],
        });
        Self { server, ids }
    }

    /// Each page, as an address below the mount.
    pub fn pages(&self) -> Vec<String> {
        let pages = REQUIREMENTS
            .iter()
            .filter(|(method, path, _)| *method == "GET" && !NO_PAGES.contains(path));
        let paths = pages.flat_map(|(_, path, _)| self.filled(path));
        let mut paths: Vec<_> = paths
            .map(|path| path.trim_start_matches("/admin").to_owned())
            .collect();
        paths.extend(["/nowhere", "/search?q=ann", "/campaigns/new?of=cmp_0"].map(str::to_owned));
        paths
    }

    /// The path with all that may stand in place of what it leaves open.
    fn filled(&self, path: &str) -> Vec<String> {
        let mut all = vec![String::new()];
        let mut before = "";
        for part in path.split('/').skip(1) {
            let words = if part.starts_with('{') {
                self.words(before, part)
            } else {
                vec![part.to_owned()]
            };
            let longer = |path: &String| -> Vec<_> {
                words.iter().map(|word| format!("{path}/{word}")).collect()
            };
            all = all.iter().flat_map(longer).collect();
            before = part;
        }
        all
    }

    fn words(&self, before: &str, open: &str) -> Vec<String> {
        let words = match open {
            "{wish}" => &json!(["stop", "resume", "cancel"]),
            "{press}" => &json!(["pause", "resume", "fire"]),
            "{action}" => &json!(["retry", "discard"]),
            _ => &self.ids[before],
        };
        let words = words.as_array();
        let words = words.unwrap_or_else(|| panic!("what stands in {open} behind {before}?"));
        words
            .iter()
            .map(|word| word.as_str().unwrap().to_owned())
            .collect()
    }
}

async fn campaign(server: &Server, send_at: Value) -> String {
    let campaign = json!({
        "name": "Quiz",
        "category": "question",
        "action": "both",
        "audience": {"all": true},
        "message": {"title": "Quiz", "body": "Hello {{id}}"},
        "send_at": send_at,
    });
    let campaign = serde_json::from_value(campaign).unwrap();
    let campaign = server.api.create_campaign(&campaign).await.unwrap();
    campaign.id.to_string()
}

async fn schedule(server: &Server) -> String {
    let schedule: CreateSchedule = serde_json::from_value(json!({
        "name": "quiz",
        "cron": "0 9 * * *",
        "time_zone": "Asia/Seoul",
        "job": {"kind": "http", "payload": {"url": server.target.url("/ok")}},
    }))
    .unwrap();
    let schedule = server.api.create_schedule(&schedule).await.unwrap();
    server
        .api
        .fire_schedule(&schedule.id.to_string())
        .await
        .unwrap();
    schedule.id.to_string()
}

async fn cause(server: &Server) -> String {
    let mut groups = Vec::new();
    eventually("there is a cause", TIMEOUT, async || {
        groups = server
            .api
            .dead_letters(&PageQuery::default())
            .await
            .unwrap()
            .items;
        !groups.is_empty()
    })
    .await;
    groups.remove(0).fingerprint
}

/// One that finds nothing to do: the cause stays.
async fn operation(server: &Server) -> String {
    let nobody = DeadLetterFilter {
        queue: Some("nobody".to_owned()),
        ..DeadLetterFilter::default()
    };
    let operation = server.api.start_operation(Action::Retry, nobody).await;
    operation.unwrap().id.to_string()
}

/// What is found on the page that is open.
async fn barriers(page: &Page, place: &str) -> Vec<String> {
    let found = page.barriers().await.into_iter();
    found.map(|barrier| format!("{place}: {barrier}")).collect()
}

#[tokio::test]
async fn nothing_serious_is_found_on_any_page_in_either_scheme() {
    let inhabited = Inhabited::start().await;
    let pages = inhabited.pages();
    let page = Page::open(&inhabited.server, "").await;

    let mut found = Vec::new();
    for scheme in SCHEMES {
        page.prefer(scheme).await;
        for path in &pages {
            page.go(&inhabited.server, path).await;
            found.extend(barriers(&page, &format!("{scheme} {path}")).await);
        }
    }

    assert!(pages.len() > 30, "{pages:?}");
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[tokio::test]
async fn a_page_is_as_dark_as_the_system_of_whoever_looks() {
    const BACKGROUND: &str = "return [document.documentElement, document.body].map((one) => getComputedStyle(one).backgroundColor)";
    let server = Server::start().await;
    let page = Page::open(&server, "").await;

    let mut seen = Vec::new();
    for scheme in SCHEMES {
        page.prefer(scheme).await;
        seen.push(page.script(BACKGROUND, json!([])).await);
    }

    assert_ne!(seen[0], seen[1]);
    assert_eq!(page.complaints().await, [""; 0]);
}

#[tokio::test]
async fn nothing_serious_is_found_on_any_page_in_korean() {
    let inhabited = Inhabited::start().await;
    let page = Page::open(&inhabited.server, "").await;
    page.press("button[name=language]", "html[lang=ko]").await;

    let mut found = Vec::new();
    for path in &inhabited.pages() {
        page.go(&inhabited.server, path).await;
        found.extend(barriers(&page, path).await);
    }

    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[tokio::test]
async fn each_page_fits_its_screen_in_either_language() {
    let inhabited = Inhabited::start().await;
    let page = Page::open(&inhabited.server, "").await;

    let found = misfits(&page, &inhabited.server, &inhabited.pages()).await;

    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[tokio::test]
async fn each_page_of_somebody_signed_in_fits_their_screen_in_either_language() {
    let server = Server::start_guarded().await;
    let page = Page::open_outside(&server, "/set-up").await;
    set_up(&server, &page).await;

    let pages = ["", "/access", "/account"].map(str::to_owned);
    let found = misfits(&page, &server, &pages).await;

    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// What does not fit of these pages, in English and in Korean, on each screen.
async fn misfits(page: &Page, server: &Server, pages: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    for language in ["en", "ko"] {
        if language == "ko" {
            page.press("button[name=language]", "html[lang=ko]").await;
        }
        for path in pages {
            page.go(server, path).await;
            for width in WIDTHS {
                page.on_screen_of(width).await;
                for script in [STANDS_OUT, SQUEEZED] {
                    let wrong = page.script(script, json!([width])).await;
                    if wrong != json!(null) {
                        found.push(format!("{language} {path} at {width}: {wrong}"));
                    }
                }
            }
        }
    }
    found
}

#[tokio::test]
async fn nothing_serious_is_found_in_what_opens_above_a_page() {
    let inhabited = Inhabited::start().await;
    let page = Page::open(&inhabited.server, "/dead-letters").await;

    let mut found = Vec::new();
    for scheme in SCHEMES {
        page.prefer(scheme).await;
        for (opener, opened) in [
            ("[data-seek]", "#palette-found [role=option]"),
            ("[data-help]", "dialog[data-keys][open]"),
            ("[data-action=retry-group]", "dialog[open] .effects"),
        ] {
            page.go(&inhabited.server, "/dead-letters").await;
            page.press(opener, opened).await;
            found.extend(barriers(&page, &format!("{scheme} {opener}")).await);
        }
    }

    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[tokio::test]
async fn nothing_serious_is_found_on_the_steps_of_a_new_campaign() {
    let inhabited = Inhabited::start().await;
    let page = Page::open(&inhabited.server, "").await;

    let mut found = Vec::new();
    for scheme in SCHEMES {
        page.prefer(scheme).await;
        page.go(&inhabited.server, "/campaigns/new").await;
        page.press("[name=whom][value=fits]", "[name=whom][value=fits]:checked")
            .await;
        for (name, text) in [("radius", "5"), ("lat", "37.5"), ("lon", "127")] {
            page.type_in(&format!("fits_{name}"), text).await;
        }
        page.type_in("name", "Autumn notice").await;
        page.type_in("title", "We are open").await;
        page.type_in("body", "Hello {{id}}.").await;
        page.press("details.languages summary", "details.languages[open]")
            .await;
        page.type_in("translation_0_locale", "ko").await;
        page.type_in("translation_0_title", "문을 열었습니다").await;
        page.type_in("translation_0_body", "안녕하세요.").await;
        page.type_in("rate", "fast").await;
        page.press("button.main[value=preview]", "#rate-wrong")
            .await;
        found.extend(barriers(&page, &format!("{scheme}, to be mended")).await);
        page.type_in("rate", "5").await;
        page.press("button.main[value=preview]", ".map polygon")
            .await;
        found.extend(barriers(&page, &format!("{scheme}, the preview")).await);
    }

    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[tokio::test]
async fn nothing_serious_is_found_where_people_sign_in() {
    let server = Server::start_guarded().await;
    let page = Page::open_outside(&server, "/set-up").await;

    let mut found = Vec::new();
    for scheme in SCHEMES {
        page.prefer(scheme).await;
        found.extend(barriers(&page, &format!("{scheme}, the first user")).await);
    }
    set_up(&server, &page).await;
    page.press(".switches form button", ".outside [name=password]")
        .await;
    for scheme in SCHEMES {
        page.prefer(scheme).await;
        found.extend(barriers(&page, &format!("{scheme}, signing in")).await);
    }

    assert!(found.is_empty(), "{}", found.join("\n"));
}
