//! Whatever a form of the pages changes, whoever sends it can say why, and the audit log keeps it beside the change.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use axum::http::StatusCode;
use baton_console::REQUIREMENTS;
use baton_domain::{
    AuditId,
    access::{Principal, Requirement},
    audit::{AuditEntry, AuditFilter},
    job::State,
    page::PageRequest,
};
use baton_ports::store::Campaigns as _;

use crate::{
    approvals::held,
    buttons::{attribute, route},
    campaigns::in_line,
    compose::FORM,
    fixture::{Answer, Fixture, NOW, verdict_for},
    language::crawl::{furnished, links, resolved},
};

/// Without which no form of its own is seen: whoever has signed in sees it, and this house asks nobody.
const UNSEEN: [&str; 3] = [
    "/admin/sign-out",
    "/admin/account/password",
    "/admin/account/sign-out",
];

/// What is written down of those who have signed in: jobs that they ask for, and the end of sessions.
const CHANGES_NOTHING_HERE: [&str; 2] = ["/admin/access/users/{name}/sign-out", "/admin/jobs/new"];
/// What leaves nothing for others to do is pressed last.
const LAST: [&str; 5] = ["/revoke", "/cancel", "/discard", "/disable", "/drain"];

#[tokio::test]
async fn each_form_that_changes_something_can_say_why_and_the_audit_log_tells_it() {
    let fixture = Fixture::new();
    let paths = stocked(&fixture).await;
    let mut known: BTreeSet<_> = entries(&fixture).await.into_keys().collect();
    let (mut met, mut told) = (BTreeSet::new(), BTreeSet::new());

    // What was pressed shows buttons of its own: a queue that is paused is resumed.
    for round in 0..2 {
        for (n, form) in forms(&fixture, &paths).await.iter().enumerate() {
            assert!(form.can_say_why(), "{form:?}");
            if round == 0 && form.address.contains("/erase") {
                continue;
            }
            let reason = format!("ticket {round}-{n}");
            known.extend(entries(&fixture).await.into_keys());
            fixture.press(&form.address, &form.filled(&reason)).await;
            for (id, entry) in entries(&fixture).await {
                if known.insert(id) {
                    assert_eq!(entry.reason.as_ref(), Some(&reason), "{form:?} {entry:?}");
                    told.insert(form.row());
                }
            }
            met.insert(form.row());
        }
        // One call is about one campaign, and another one finds that there is no more of it.
        for _ in 0..10 {
            fixture.store.cancel_deliveries(1_000, NOW).await.unwrap();
        }
    }

    let rows = REQUIREMENTS.iter().filter(|row| row.0 == "POST");
    let changing = rows.filter(|row| row.2 != Requirement::Public);
    let unmet = changing.filter(|row| !UNSEEN.contains(&row.1) && !met.contains(row.1));
    assert_eq!(unmet.collect::<Vec<_>>(), [] as [&_; 0]);
    let silent: Vec<_> = met.difference(&told).copied().collect();
    assert_eq!(silent, CHANGES_NOTHING_HERE);
}

async fn entries(fixture: &Fixture) -> BTreeMap<AuditId, AuditEntry> {
    let page = PageRequest::first(PageRequest::MAX_LIMIT);
    let all = AuditFilter::default();
    let found = fixture.engine.audit_entries(&all, &page).await.unwrap();
    let entries = found.items.into_iter();
    entries.map(|entry| (entry.id, entry)).collect()
}

/// A form that changes something.
#[derive(Debug)]
struct Form {
    address: String,
    /// Its fields, and what each is sent with as it stands.
    fields: BTreeMap<String, String>,
}

impl Form {
    fn can_say_why(&self) -> bool {
        self.fields.contains_key("reason")
    }

    fn row(&self) -> &'static str {
        route("POST", &self.address).unwrap().0
    }

    /// It as a browser sends it, once somebody has typed into what is empty.
    fn filled(&self, reason: &str) -> String {
        let typed = |name: &str, value: &str| match (name, value) {
            ("reason", _) => reason.to_owned(),
            ("name", "") => "newcomer".to_owned(),
            ("password", _) => "correct horse battery".to_owned(),
            ("role", _) => "viewer".to_owned(),
            ("rate" | "max_running", _) => "7".to_owned(),
            ("kind", "") => "simulate".to_owned(),
            _ => value.to_owned(),
        };
        let fields = self.fields.iter();
        let pairs = fields.map(|(name, value)| format!("{name}={}", encoded(&typed(name, value))));
        pairs.collect::<Vec<_>>().join("&")
    }
}

fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// Something of everything that a form is about, and the addresses that no link leads to.
async fn stocked(fixture: &Fixture) -> Vec<String> {
    // One cause of several dead letters: one of them can be run as a probe.
    fixture.job_in(State::Failed).await;
    let mut paths = furnished(fixture).await;
    let held = held(fixture, Principal::CommandLine).await;
    paths.push(format!("/admin/campaigns/{held}"));
    paths.push(failing(fixture).await);
    paths.push("/admin/jobs?state=failed".to_owned());
    paths
}

/// Every form that changes something, of every page that is led to.
async fn forms(fixture: &Fixture, paths: &[String]) -> Vec<Form> {
    let mut paths: VecDeque<_> = paths.iter().cloned().collect();
    let (mut seen, mut forms) = (BTreeSet::new(), BTreeMap::new());
    while let Some(path) = paths.pop_front() {
        if !seen.insert(path.clone()) {
            continue;
        }
        let page = fixture.get(&path).await;
        if page.status != StatusCode::OK {
            continue;
        }
        paths.extend(links(&page, &path));
        for form in of(&page, &path) {
            forms
                .entry((form.address.clone(), form.fields.get("as").cloned()))
                .or_insert(form);
        }
    }
    let preview = format!("{FORM}&audience=%7B%22all%22%3A+true%7D");
    let preview = fixture.press("/admin/campaigns/new", &preview).await;
    let mut forms: Vec<_> = forms.into_values().collect();
    forms.extend(of(&preview, "/admin/campaigns/new"));
    forms.sort_by_key(|form| LAST.iter().any(|word| form.address.contains(word)));
    forms
}

/// A campaign of which a delivery has failed.
async fn failing(fixture: &Fixture) -> String {
    let id = in_line(fixture, "Refused").await;
    let claimed = fixture.claim_of(&id.to_string()).await;
    fixture.settle(claimed, verdict_for(State::Failed)).await;
    format!("/admin/campaigns/{id}")
}

/// The forms of a page that change something: not those that show first what they would do, and ask then.
fn of(page: &Answer, here: &str) -> Vec<Form> {
    let parts = page.body.split("<form ").skip(1);
    let parts = parts.filter_map(|part| part.split_once("</form>"));
    let parts = parts.filter(|(form, _)| {
        form.contains("method=\"post\"") && !form.contains("value=\"preview\"")
    });
    let forms = parts.map(|(form, _)| Form {
        address: resolved(here, attribute(form, "action").unwrap()),
        fields: fields(form),
    });
    let changes = |form: &Form| {
        let route = route("POST", &form.address);
        route.is_some_and(|(path, who)| who != Requirement::Public && !UNSEEN.contains(&path))
    };
    forms.filter(changes).collect()
}

fn fields(form: &str) -> BTreeMap<String, String> {
    let tags = form.split('<').filter_map(|part| part.split_once('>'));
    let fields = tags.filter_map(|(tag, text)| {
        let name = attribute(tag, "name")?.to_owned();
        let value = match tag.split(' ').next()? {
            // What is to be typed to show that it is meant is that and nothing else.
            "input" | "button" => attribute(tag, "value")
                .or(attribute(tag, "pattern"))
                .unwrap_or_default(),
            "textarea" => text.trim(),
            "select" => "",
            _ => return None,
        };
        let plain = value.replace("&#34;", "\"").replace("&quot;", "\"");
        Some((name, plain))
    });
    // Of several buttons the first is pressed, and of what is to be chosen the first stands.
    let mut kept = BTreeMap::new();
    for (name, value) in fields {
        kept.entry(name).or_insert(value);
    }
    kept
}
