//! Everything that was stored is text: nothing of it is ever markup.

use axum::{
    body::Body,
    http::{Request, header},
};
use baton_domain::{
    job::{Class, JobSpec, State, Verdict},
    operation::{Action, DeadLetterFilter},
    visible::is_deceptive,
};
use baton_engine::Cancel;
use futures::StreamExt;
use tower::ServiceExt;

use crate::fixture::{Fixture, spec};

/// Ways into a page. Each holds at least one of `<`, `>`, `"`, `'` and `&`.
const EVIL: [&str; 34] = [
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "\"><img src=x onerror=alert(1)>",
    "'><svg onload=alert(1)>",
    "<svg/onload=alert(1)>",
    "\" onmouseover=\"alert(1)",
    "' onmouseover='alert(1)",
    "\" autofocus onfocus=alert(1) x=\"",
    "</title><script>alert(1)</script>",
    "</textarea><script>alert(1)</script>",
    "</code></pre><script>alert(1)</script>",
    "</td></tr></table><script>alert(1)</script>",
    "</time><img src=x onerror=alert(1)>",
    "<!--<img src=\"--><img src=x onerror=alert(1)>",
    "<![CDATA[<script>alert(1)</script>]]>",
    "<iframe srcdoc='<script>alert(1)</script>'>",
    "<iframe src=javascript:alert(1)>",
    "<a href=\"javascript:alert(1)\">x</a>",
    "<form action=//evil><input name=a>",
    "<base href=//evil/>",
    "<meta http-equiv=refresh content=0;url=//evil>",
    "<link rel=stylesheet href=//evil>",
    "<style>*{display:none}</style>",
    "<object data=//evil></object>",
    "<math><mi//xlink:href=\"data:x,<script>alert(1)</script>\">",
    "<details open ontoggle=alert(1)>",
    "<template><script>alert(1)</script></template>",
    "<x data-act data-panel=\"queues\">",
    "<button data-ask=\"1\">",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&#60;script&#62;alert(1)",
    "<\u{0131}mg src=x>\"'&",
    "<scr\u{200b}ipt>\u{202e}\"'&<b>",
];

/// The text must not stand in the page as it was given: some of it has to be escaped.
fn check(html: &str, evil: &str, place: &str) {
    assert!(
        !html.contains(evil),
        "{evil:?} stands unescaped in {place}:\n{html}"
    );
    for tag in [
        "<img", "<iframe", "<object", "<base", "<style", "<math", "<x ", "<b>alert",
    ] {
        assert!(!html.contains(tag), "{evil:?} has made a {tag} in {place}");
    }
}

fn json(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A fixture in which this text stands wherever a text can.
async fn fixture_full_of(evil: &str) -> (Fixture, Vec<String>) {
    let fixture = Fixture::new();
    fixture.heartbeat(evil, evil).await;
    let id = fixture
        .enqueue(JobSpec {
            key: Some(evil.to_owned()),
            payload: format!("{{{}: {}}}", json(evil), json(evil)),
            ..spec()
        })
        .await;
    let claimed = fixture.claim().await;
    fixture
        .settle(claimed, Verdict::failed(Class::Permanent, evil, evil))
        .await;
    let skipped = fixture.enqueue(spec()).await;
    let claimed = fixture.claim().await;
    let why = evil.to_owned();
    fixture.settle(claimed, Verdict::Skipped { why }).await;
    let succeeded = fixture.enqueue(spec()).await;
    let claimed = fixture.claim().await;
    let result = Some(json(evil));
    fixture.settle(claimed, Verdict::Accepted { result }).await;
    let canceled = fixture.job_in(State::Queued).await;
    let cancel = Cancel {
        force: false,
        reason: Some(evil.to_owned()),
    };
    fixture.engine.cancel(canceled, cancel).await.unwrap();
    let running = fixture.job_in(State::Running).await;
    let filter = DeadLetterFilter {
        fingerprint: Some(evil.to_owned()),
        queue: Some(evil.to_owned()),
        ..DeadLetterFilter::default()
    };
    let action = Action::Discard;
    fixture
        .engine
        .start_operation(action, &filter)
        .await
        .unwrap();
    fixture.number_facts().await;
    let mut paths: Vec<_> = [id, skipped, succeeded, canceled, running]
        .iter()
        .map(|id| format!("/admin/jobs/{id}"))
        .collect();
    paths.push(format!("/admin/jobs/{running}/force-stop"));
    paths.extend(["/admin", "/admin/jobs", "/admin/dead-letters"].map(str::to_owned));
    (fixture, paths)
}

#[tokio::test]
async fn what_was_stored_is_never_markup_on_a_page() {
    for evil in EVIL {
        let (fixture, paths) = fixture_full_of(evil).await;

        for path in paths {
            let page = fixture.get(&path).await;

            assert!(page.status.is_success(), "{path}: {}", page.status);
            check(&page.body, evil, &path);
        }
    }
}

#[tokio::test]
async fn what_was_stored_is_shown_all_the_same() {
    let (fixture, paths) = fixture_full_of("<b>alert & \"more\"</b>").await;

    let job = fixture.get(&paths[0]).await;
    let list = fixture.get("/admin/jobs").await;

    for page in [job, list] {
        let text = page.body.replace("&#60;", "&lt;").replace("&#62;", "&gt;");
        let text = text.replace("&#38;", "&amp;").replace("&#34;", "&quot;");
        assert!(
            text.contains("&lt;b&gt;alert &amp; &quot;more&quot;&lt;/b&gt;"),
            "{text}"
        );
    }
}

#[tokio::test]
async fn what_was_stored_is_never_markup_in_a_feed() {
    for evil in EVIL {
        let (fixture, paths) = fixture_full_of(evil).await;
        let id = paths[0].trim_start_matches("/admin/jobs/");
        let held = id.trim_start_matches("job_");
        for query in [
            "room=overview".to_owned(),
            "room=dead-letters".to_owned(),
            format!("room=job&id={id}"),
            format!("room=jobs&held={held}"),
        ] {
            let address = format!("/admin/live?up=.&home=.&{query}");
            let request = Request::get(&address).body(Body::empty()).unwrap();
            let response = fixture.browser.clone().oneshot(request).await.unwrap();

            let mut body = response.into_body().into_data_stream();
            let bytes = body.next().await.unwrap().unwrap();

            let text = String::from_utf8(bytes.to_vec()).unwrap();
            let data = text.split("data: ").nth(1).unwrap();
            let frame: serde_json::Value = serde_json::from_str(data.trim()).unwrap();
            for part in ["panels", "rows"] {
                for (name, html) in frame[part].as_object().unwrap() {
                    check(html.as_str().unwrap(), evil, name);
                }
            }
        }
    }
}

#[tokio::test]
async fn what_an_address_or_a_cookie_says_is_never_markup() {
    let fixture = Fixture::new();
    for evil in EVIL {
        let encoded: String = evil.bytes().map(|byte| format!("%{byte:02X}")).collect();
        let hex: String = evil.bytes().map(|byte| format!("{byte:02x}")).collect();

        let mut pages = Vec::new();
        for name in ["q", "queue", "kind", "tag", "state", "after"] {
            pages.push(fixture.get(&format!("/admin/jobs?{name}={encoded}")).await);
        }
        for path in ["jobs", "dead-letters", "nowhere", "dead-letters/fp_0"] {
            pages.push(fixture.get(&format!("/admin/{path}/{encoded}")).await);
        }
        let request = Request::get("/admin").header(header::COOKIE, format!("baton_flash={hex}"));
        pages.push(fixture.ask(request.body(Body::empty()).unwrap()).await);

        for page in pages {
            check(&page.body, evil, "an answer to an address");
        }
    }
}

#[tokio::test]
async fn what_turns_or_hides_is_written_out_on_every_page() {
    let evil = "gpj.\u{202e}exe \u{2066}a\u{200b}b";
    let (fixture, paths) = fixture_full_of(evil).await;
    let job = paths[0].clone();

    for path in paths {
        let page = fixture.get(&path).await;

        let hidden = page.body.chars().find(|c| is_deceptive(*c));
        assert!(hidden.is_none(), "{path} has {hidden:?}");
    }
    let page = fixture.get(&job).await;
    assert!(page.body.contains("gpj.\\u{202e}exe"), "{}", page.body);
}
