//! Signing in at a provider: the way there, the way back, and who is let in.

use std::{
    collections::HashSet,
    sync::{Arc, Mutex},
    time::Duration,
};

use async_trait::async_trait;
use axum::{
    body::Body,
    http::{Request, header},
};
use baton_domain::{
    Clock, Timestamp,
    access::{Identity, Role, User},
    audit::{AuditAction, AuditEntry, AuditFilter},
    page::PageRequest,
};
use baton_engine::{NewUser, UserPatch};
use baton_ports::{
    IdentityProvider,
    identity_provider::{AuthorizationRequest, AuthorizationResponse, Identified, ProviderError},
    store::{Access, AuditLog},
};

use crate::fixture::{Answer, Fixture};

const ISSUER: &str = "https://sso.example";

/// Knows whom a test lets it know, and gives an answer for each code once.
struct StandIn {
    known: Mutex<Identified>,
    used: Mutex<HashSet<String>>,
}

impl StandIn {
    fn know(&self, change: impl FnOnce(&mut Identified)) {
        change(&mut self.known.lock().unwrap());
    }
}

#[async_trait]
impl IdentityProvider for StandIn {
    fn label(&self) -> &'static str {
        "Sign in with <Example>"
    }

    fn issuer(&self) -> &'static str {
        ISSUER
    }

    fn redirect_url(&self) -> Option<&str> {
        None
    }

    async fn authorization_url(
        &self,
        question: &AuthorizationRequest<'_>,
    ) -> Result<String, ProviderError> {
        assert_ne!(question.state, question.nonce);
        assert!(question.verifier.len() >= 43, "as long as PKCE wants it");
        let (state, back) = (question.state, question.redirect_url);
        Ok(format!("{ISSUER}/?state={state}&back={back}"))
    }

    async fn sign_out_url(&self) -> Result<Option<String>, ProviderError> {
        Ok(Some(format!("{ISSUER}/leave?client_id=baton")))
    }

    async fn identify(
        &self,
        brought: &AuthorizationResponse<'_>,
        _: Timestamp,
    ) -> Result<Identified, ProviderError> {
        match self.used.lock().unwrap().insert(brought.code.to_owned()) {
            true => Ok(self.known.lock().unwrap().clone()),
            false => Err(ProviderError::Refused("the code was used".to_owned())),
        }
    }
}

fn kim() -> Identified {
    Identified {
        identity: Identity {
            issuer: ISSUER.to_owned(),
            subject: "7".to_owned(),
        },
        called: vec!["Kim.Lee".to_owned()],
        role: Some(Role::Operator),
        decided_by: "the claim groups".to_owned(),
    }
}

fn with_provider() -> (Fixture, Arc<StandIn>) {
    let fixture = Fixture::new();
    let stand_in = Arc::new(StandIn {
        known: Mutex::new(kim()),
        used: Mutex::default(),
    });
    fixture.engine.identify_by(stand_in.clone());
    (fixture, stand_in)
}

async fn ask(fixture: &Fixture, path: &str, cookie: &str) -> Answer {
    let request = Request::get(path)
        .header(header::HOST, "jobs.example:7878")
        .header(header::COOKIE, cookie);
    fixture.ask(request.body(Body::empty()).unwrap()).await
}

/// A browser at the provider: what it keeps, and the state that it has taken along.
struct Away {
    cookie: String,
    state: String,
    address: String,
}

async fn leave(fixture: &Fixture, next: &str) -> Away {
    let path = format!("/admin/sign-in/provider?next={next}");
    let answer = ask(fixture, &path, "").await;
    assert_eq!(answer.status, 303, "{answer:?}");
    let address = answer.header("location").to_owned();
    let state = address.split("state=").nth(1).unwrap();
    let cookie = answer.header("set-cookie");
    assert!(
        cookie.contains("; HttpOnly; SameSite=Lax; Max-Age=600"),
        "{cookie}"
    );
    Away {
        cookie: cookie.split(';').next().unwrap().to_owned(),
        state: state.split('&').next().unwrap().to_owned(),
        address,
    }
}

async fn come_back(fixture: &Fixture, away: &Away, code: &str) -> Answer {
    let path = format!("/admin/sign-in/callback?state={}&code={code}", away.state);
    ask(fixture, &path, &away.cookie).await
}

async fn sign_in(fixture: &Fixture, code: &str) -> Answer {
    let away = leave(fixture, "%2Fjobs").await;
    come_back(fixture, &away, code).await
}

async fn users(fixture: &Fixture) -> Vec<User> {
    let users = fixture.store.users(&PageRequest::default()).await;
    users.unwrap().items
}

async fn audited(fixture: &Fixture, action: AuditAction) -> Vec<AuditEntry> {
    let filter = AuditFilter {
        action: Some(action),
        ..AuditFilter::default()
    };
    let page = PageRequest::default();
    let found = fixture.store.audit_entries(&filter, &page).await;
    found.unwrap().items
}

fn is_let_in(answer: &Answer) -> bool {
    let mut cookies = answer.headers.get_all(header::SET_COOKIE).iter();
    let has_session = cookies.any(|one| one.to_str().unwrap().starts_with("baton_session="));
    answer.status == 303 && has_session
}

#[tokio::test]
async fn the_page_leads_to_the_provider_if_there_is_one() {
    let (fixture, _) = with_provider();

    let with = fixture.get("/admin/sign-in?next=%2Fjobs").await;
    let without = Fixture::new().get("/admin/sign-in").await;

    with.has("href=\"./sign-in/provider?next=%2Fjobs\"")
        .has("Sign in with &#60;Example&#62;");
    without.lacks("sign-in/provider");
}

#[tokio::test]
async fn whoever_signed_in_at_the_provider_is_led_to_sign_out_there_as_well() {
    let (fixture, _) = with_provider();

    let after = fixture.get("/admin/sign-in?left=true").await;
    let at_first = fixture.get("/admin/sign-in").await;

    after
        .has("You are signed out here")
        .has("href=\"https://sso.example/leave?client_id=baton\"");
    at_first.lacks("sso.example/leave");
}

#[tokio::test]
async fn the_list_of_people_says_how_each_signs_in() {
    let (fixture, _) = with_provider();
    let away = leave(&fixture, "%2Fjobs").await;
    come_back(&fixture, &away, "a").await;
    let lee = NewUser {
        name: "lee".to_owned(),
        role: Role::Viewer,
        password: "correct horse battery".to_owned(),
    };
    fixture.engine.add_user(lee).await.unwrap();

    let page = fixture.get("/admin/access").await;

    let row = |name: &str| {
        let rows = page.body.split("<tr ");
        rows.into_iter()
            .find(|row| row.starts_with(&format!("data-user=\"{name}\"")))
            .unwrap()
    };
    assert!(row("kim.lee").contains("data-label=\"signs in by\">https://sso.example"));
    assert!(row("lee").contains("data-label=\"signs in by\">password"));
}

#[tokio::test]
async fn whoever_comes_back_is_let_in_as_the_provider_says_and_goes_where_they_wanted_to() {
    let (fixture, _) = with_provider();
    let away = leave(&fixture, "%2Fjobs").await;

    let answer = come_back(&fixture, &away, "a").await;

    let back = "back=http://jobs.example:7878/admin/sign-in/callback";
    assert!(away.address.ends_with(back), "{}", away.address);
    assert!(is_let_in(&answer), "{answer:?}");
    assert_eq!(answer.header("location"), "../jobs");
    let [user] = &users(&fixture).await[..] else {
        panic!("one user");
    };
    assert_eq!(
        (&*user.name, user.role, &user.password),
        ("kim.lee", Role::Operator, &None)
    );
    assert_eq!(user.signed_in_at, Some(fixture.clock.now()));
    let entry = &audited(&fixture, AuditAction::SignIn).await[0];
    assert_eq!(entry.after.as_ref().unwrap()["by"], "oidc");
    assert_eq!(
        audited(&fixture, AuditAction::UserAdd).await[0]
            .principal
            .to_string(),
        "system:sign-in"
    );
}

#[tokio::test]
async fn any_server_of_the_installation_takes_a_browser_back_and_no_other_does() {
    let (fixture, _) = with_provider();
    let away = leave(&fixture, "%2F").await;
    let store = fixture.store.clone();
    let (foreign, _) = with_provider();

    let another = Fixture::new().over(store);
    another.engine.identify_by(Arc::new(StandIn {
        known: Mutex::new(kim()),
        used: Mutex::default(),
    }));

    assert!(!is_let_in(&come_back(&foreign, &away, "a").await));
    assert!(is_let_in(&come_back(&another, &away, "a").await));
}

#[tokio::test]
async fn whoever_did_not_begin_here_is_not_let_in_whatever_they_bring() {
    let (fixture, _) = with_provider();
    let (mine, other) = (leave(&fixture, "%2F").await, leave(&fixture, "%2F").await);
    let with = |state: &str, cookie: &str| Away {
        state: state.to_owned(),
        cookie: cookie.to_owned(),
        address: String::new(),
    };

    for wrong in [
        with(&other.state, &mine.cookie),
        with(&mine.state, ""),
        with("", &mine.cookie),
        with(&mine.state, &mine.cookie[..mine.cookie.len() - 2]),
        with(&mine.state, "baton_sign_in="),
    ] {
        let answer = come_back(&fixture, &wrong, "a").await;

        assert_eq!(answer.status, 401, "{answer:?}");
        answer.has("Begin it again");
    }
    let twice = format!(
        "/admin/sign-in/callback?state={0}&state={0}&code=a",
        mine.state
    );
    assert_eq!(ask(&fixture, &twice, &mine.cookie).await.status, 401);
    assert!(users(&fixture).await.is_empty());
    assert!(
        is_let_in(&come_back(&fixture, &mine, "a").await),
        "it was not used up"
    );
}

#[tokio::test]
async fn whoever_stays_away_too_long_begins_again() {
    let (fixture, _) = with_provider();
    let away = leave(&fixture, "%2F").await;

    fixture.clock.advance(Duration::from_mins(10));

    assert_eq!(come_back(&fixture, &away, "a").await.status, 401);
}

#[tokio::test]
async fn what_was_brought_once_lets_nobody_in_again() {
    let (fixture, _) = with_provider();
    let away = leave(&fixture, "%2F").await;
    let first = come_back(&fixture, &away, "a").await;

    let again = come_back(&fixture, &away, "a").await;

    let mut cookies = first.headers.get_all(header::SET_COOKIE).iter();
    assert!(cookies.any(|one| one.to_str().unwrap().starts_with("baton_sign_in=; ")));
    assert_eq!(again.status, 401);
    again.has("has not confirmed this sign-in");
}

#[tokio::test]
async fn the_way_back_stays_inside() {
    let (fixture, _) = with_provider();
    let long = "%2Fjobs%3Fq%3D".to_owned() + &"x".repeat(1_100);

    for next in [
        "%2F%2Fevil.example",
        "https%3A%2F%2Fevil.example",
        "%2F..%2Fx",
        &*long,
    ] {
        let away = leave(&fixture, next).await;
        let answer = come_back(&fixture, &away, next).await;

        assert_eq!(answer.header("location"), "../../admin", "{next}");
    }
}

#[tokio::test]
async fn whoever_changes_their_mind_there_is_told_so_and_nothing_that_others_wrote_is_repeated() {
    let (fixture, _) = with_provider();
    let away = leave(&fixture, "%2F").await;
    let path = |error: &str| format!("/admin/sign-in/callback?state={}&error={error}", away.state);

    let canceled = ask(&fixture, &path("access_denied"), &away.cookie).await;
    let other = ask(
        &fixture,
        &path("server_error%3CB%3E+Call+555"),
        &away.cookie,
    )
    .await;

    assert_eq!(
        (canceled.status, other.status),
        (401.try_into().unwrap(), 401.try_into().unwrap())
    );
    canceled.has("canceled at the identity provider");
    other.has("server_error").lacks("555").lacks("&#60;B");
}

#[tokio::test]
async fn whom_the_provider_gives_no_role_is_told_what_to_do_and_is_no_user() {
    let (fixture, stand_in) = with_provider();
    stand_in.know(|kim| kim.role = None);

    let answer = sign_in(&fixture, "a").await;

    assert_eq!(answer.status, 403);
    answer.has("the claim groups").has("access.oidc.roles");
    assert!(users(&fixture).await.is_empty());
    let denied = audited(&fixture, AuditAction::Denied).await;
    assert_eq!(denied[0].after.as_ref().unwrap()["subject"], "7");
    let why = denied[0].reason.as_deref().unwrap();
    assert!(why.contains("no role"), "{why}");
}

#[tokio::test]
async fn the_role_is_that_of_the_last_sign_in_and_a_change_ends_what_was_begun_before() {
    let (fixture, stand_in) = with_provider();
    sign_in(&fixture, "a").await;
    let [user] = &users(&fixture).await[..] else {
        panic!("one user");
    };
    stand_in.know(|kim| {
        kim.role = Some(Role::Viewer);
        kim.called = vec!["kim.park".to_owned()];
    });

    let again = sign_in(&fixture, "b").await;

    assert!(is_let_in(&again));
    let [changed] = &users(&fixture).await[..] else {
        panic!("still one user");
    };
    assert_eq!(
        (changed.id, &*changed.name, changed.role),
        (user.id, "kim.park", Role::Viewer)
    );
    assert_eq!(audited(&fixture, AuditAction::UserChange).await.len(), 1);
    assert_eq!(
        fixture.store.end_sessions(user.id).await.unwrap(),
        1,
        "the first has ended"
    );
}

#[tokio::test]
async fn whoever_signs_in_as_before_changes_nothing_and_other_browsers_stay_signed_in() {
    let (fixture, _) = with_provider();
    sign_in(&fixture, "a").await;

    sign_in(&fixture, "b").await;

    let user = users(&fixture).await[0].id;
    assert!(audited(&fixture, AuditAction::UserChange).await.is_empty());
    assert_eq!(fixture.store.end_sessions(user).await.unwrap(), 2);
}

#[tokio::test]
async fn whom_an_admin_keeps_out_stays_out() {
    let (fixture, stand_in) = with_provider();
    sign_in(&fixture, "a").await;
    let user = users(&fixture).await[0].id;
    let patch = UserPatch {
        is_disabled: Some(true),
        ..UserPatch::default()
    };
    let admin = fixture
        .engine
        .caller(baton_domain::access::Actor::command_line());
    admin.change_user(user, patch).await.unwrap();
    stand_in.know(|kim| kim.role = Some(Role::Admin));

    let answer = sign_in(&fixture, "b").await;

    assert_eq!(answer.status, 403);
    answer.has("kept out");
    let [kept_out] = &users(&fixture).await[..] else {
        panic!("still one user");
    };
    assert!(kept_out.is_disabled && kept_out.role == Role::Operator);
}

#[tokio::test]
async fn nobody_becomes_a_user_with_a_password_by_being_called_alike_or_gets_one() {
    let (fixture, stand_in) = with_provider();
    let new = NewUser {
        name: "root".to_owned(),
        role: Role::Admin,
        password: "correct horse battery".to_owned(),
    };
    let root = fixture.engine.add_user(new).await.unwrap();
    stand_in.know(|kim| kim.called = vec!["root".to_owned()]);

    let answer = sign_in(&fixture, "a").await;

    assert!(is_let_in(&answer), "{answer:?}");
    let all = users(&fixture).await;
    let other = all.iter().find(|user| user.id != root.id).unwrap();
    assert!(
        other.name.starts_with("root-") && other.role == Role::Operator,
        "{other:?}"
    );
    let patch = UserPatch {
        password: Some("correct horse battery".to_owned()),
        ..UserPatch::default()
    };
    assert!(fixture.engine.change_user(other.id, patch).await.is_err());
}

#[tokio::test]
async fn an_address_that_brings_nothing_good_is_not_looked_at_for_ever() {
    let (fixture, _) = with_provider();
    let console = fixture.console();
    let browser = baton_domain::access::Browser {
        address: Some("192.0.2.1".parse().unwrap()),
        ..Default::default()
    };
    let fixture = Fixture {
        browser: axum::Router::new()
            .nest("/admin", console)
            .layer(axum::Extension(baton_domain::access::Actor::nobody()))
            .layer(axum::Extension(browser)),
        ..fixture
    };
    let path = "/admin/sign-in/callback?state=x&code=y";
    for _ in 0..30 {
        assert_eq!(ask(&fixture, path, "").await.status, 401);
    }

    let too_many = ask(&fixture, path, "").await;

    assert_eq!(too_many.status, 429);
    too_many.has("Try again in");
}
