//! A walk over all rooms in Korean: nothing that the console says is left in English.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use axum::http::StatusCode;
use baton_domain::job::State;

use crate::{
    campaigns::{in_inboxes, in_line},
    fixture::{Answer, Fixture},
    schedules::room as schedule,
};

/// Names of things, names that were given here, roles, and words of the API.
const DATA: [&str; 4] = [
    "API Baton ID JSON Redis SDK UTC baton",
    "Autumn Daily Quiz ann ben billing gateway lee quiz",
    "admin anonymous operator sender viewer",
    "both cmp cron default delivery engine http id inbox ios job key memory metrics none nowhere operate permanent platform push question \
     report retry simulate unknown usr worker",
];
/// What the engine, a target or whoever asked for it has said.
const TOLD: [&str; 18] = [
    "expected a state: pending, queued, running, retry_wait, succeeded, failed, canceled, skipped or uncertain",
    "There is no recipient none.",
    "At 09:00",
    "For ",
    "action retry; fingerprint",
    "by usr_…",
    "paused false; revision 1",
    "name ",
    "; permissions jobs:read",
    "; role",
    "state queued → canceled",
    "exponential from 5s up to 15m, full jitter",
    "no such template",
    "try later",
    "opted out",
    "timeout: no answer",
    "push to…",
    "{&#34;all&#34;:true}",
];
/// What holds words that nobody translates.
const VERBATIM: [&str; 7] = ["code", "pre", "script", "style", "kbd", "svg", "textarea"];
const ELEMENTS_WITHOUT_END: [&str; 6] = ["input", "br", "meta", "link", "img", "hr"];
/// What else is read out or shown.
const SPOKEN: [&str; 4] = [
    " title=\"",
    " aria-label=\"",
    " placeholder=\"",
    " data-label=\"",
];
/// More pages than there are: whoever leads to more leads in circles.
const MOST: usize = 150;

#[tokio::test]
async fn no_room_leaves_a_word_of_the_console_in_english() {
    let fixture = Fixture::new();
    let mut paths = VecDeque::from(furnished(&fixture).await);
    let mut seen = BTreeSet::new();
    let mut english = BTreeMap::new();

    while let Some(path) = paths.pop_front() {
        if !seen.insert(path.clone()) {
            continue;
        }
        let page = fixture.get_in_korean(&path).await;
        if page.status == StatusCode::SEE_OTHER {
            continue;
        }
        assert!(page.body.contains("<html lang=\"ko\">"), "{path}");
        for (text, words) in english_in(&page) {
            english.entry(text).or_insert((path.clone(), words));
        }
        paths.extend(links(&page, &path));
    }

    assert!((40..MOST).contains(&seen.len()), "{} pages", seen.len());
    assert!(english.is_empty(), "{english:#?}");
}

/// Something of everything, and the addresses that no link leads to.
pub async fn furnished(fixture: &Fixture) -> Vec<String> {
    fixture.heartbeat("web-1:4711", "0.1.0").await;
    let claimed = State::ALL.into_iter().filter(|one| *one != State::Queued);
    // The one that stands in line comes last: a claim would take it before those after it.
    for state in claimed.chain([State::Queued]) {
        fixture.job_in(state).await;
    }
    in_line(fixture, "Autumn").await;
    in_inboxes(fixture, "Quiz").await;
    let form = "name=lee&role=operator&password=correct-horse-battery";
    fixture.press("/admin/access/users", form).await;
    fixture
        .press("/admin/access/keys", "name=billing&allow=jobs:read&days=1")
        .await;
    let schedule = schedule(fixture).await;
    let group = fixture.group().await.fingerprint;
    fixture
        .press(&format!("/admin/dead-letters/{group}/retry"), "")
        .await;
    let more = [
        "/admin".to_owned(),
        schedule.clone(),
        format!("{schedule}/pause"),
        format!("{schedule}/fire"),
        "/admin/nowhere".to_owned(),
        "/admin/jobs?state=none".to_owned(),
        "/admin/jobs?tag=none".to_owned(),
        "/admin/search?q=none".to_owned(),
        "/admin/sign-in".to_owned(),
        "/admin/set-up".to_owned(),
        "/admin/activity/recoveries".to_owned(),
        "/admin/campaigns/new".to_owned(),
    ];
    more.into()
}

/// Where a page leads to, without the addresses of files.
pub fn links(page: &Answer, path: &str) -> Vec<String> {
    let (here, _) = path.split_once('?').unwrap_or((path, ""));
    let hrefs = page.body.split(" href=\"").skip(1);
    let hrefs = hrefs.filter_map(|part| part.split_once('"').map(|(href, _)| href));
    let hrefs = hrefs.filter(|href| !href.contains("/assets/") && !href.starts_with('#'));
    hrefs.map(|href| resolved(here, href)).collect()
}

pub fn resolved(here: &str, href: &str) -> String {
    let href = href.replace("&amp;", "&").replace("&#38;", "&");
    let href = href.split('#').next().unwrap_or_default();
    if href.starts_with('?') {
        return format!("{here}{href}");
    }
    let (folder, _) = here.rsplit_once('/').unwrap();
    let mut parts: Vec<_> = folder.split('/').collect();
    let (path, query) = href
        .split_once('?')
        .map_or((href, None), |(path, query)| (path, Some(query)));
    for part in path.split('/') {
        match part {
            "." | "" => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    let query = query.map(|query| format!("?{query}"));
    parts.join("/") + &query.unwrap_or_default()
}

/// The texts of a page that hold English words, with those words.
fn english_in(page: &Answer) -> BTreeMap<String, Vec<String>> {
    let texts = texts(&page.body).into_iter();
    let told = texts.map(|text| {
        let own = TOLD
            .iter()
            .fold(text.clone(), |text, told| text.replace(told, " "));
        let words: Vec<_> = words(&own).collect();
        (text, words)
    });
    told.filter(|(_, words)| !words.is_empty()).collect()
}

fn is_data(word: &str) -> bool {
    let mut data = DATA.iter().flat_map(|words| words.split_ascii_whitespace());
    data.any(|known| known == word)
}

fn words(text: &str) -> impl Iterator<Item = String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_.:…/-@".contains(c);
    let words = text.split(move |c| !is_part(c));
    let is_word = |word: &&str| word.len() > 1 && word.chars().all(|c| c.is_ascii_alphabetic());
    let words = words.map(|word| word.trim_matches(|c: char| !c.is_ascii_alphanumeric()));
    words
        .filter(is_word)
        .filter(|word| !is_data(word))
        .map(str::to_owned)
}

/// What a page says, but for what is not its own.
fn texts(html: &str) -> Vec<String> {
    let mut texts = Vec::new();
    // The elements that are open within one that holds foreign words.
    let mut foreign: Vec<String> = Vec::new();
    for part in html.split('<').skip(1) {
        let (tag, text) = part.split_once('>').unwrap_or((part, ""));
        let name = tag
            .trim_start_matches('/')
            .split([' ', '/'])
            .next()
            .unwrap();
        let has_end = !ELEMENTS_WITHOUT_END.contains(&name) && !tag.ends_with('/');
        let is_foreign = VERBATIM.contains(&name) || tag.contains(" lang=\"en\"");
        if tag.starts_with('/') {
            foreign.pop_if(|open| open == name);
        } else if has_end && (is_foreign || foreign.last().is_some_and(|open| open == name)) {
            foreign.push(name.to_owned());
        }
        if foreign.is_empty() {
            texts.push(text.trim().to_owned());
            let spoken = SPOKEN.iter().filter_map(|name| tag.split_once(name));
            texts.extend(spoken.map(|(_, rest)| rest.split('"').next().unwrap().to_owned()));
        }
    }
    texts
}
