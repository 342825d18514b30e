//! One's own page, and what an admin does to the passwords, sessions and keys of others.

use baton_domain::{
    access::{Actor, KeyToken, Principal, Role, Secret},
    audit::AuditFilter,
    page::PageRequest,
};
use baton_engine::Credential;

use crate::{
    access::{PASSWORD, as_actor, seen_by, sign_in, user},
    fixture::{Answer, Fixture},
};

const NEXT: &str = "wrong horse battery";

/// The same rooms as a user of this name sees them.
async fn as_user(fixture: Fixture, name: &str) -> Fixture {
    let user = fixture.engine.user_named(name).await.unwrap();
    let permissions = user.role.permissions();
    let actor = Actor::unbounded(Principal::User(user.id), name, permissions);
    as_actor(fixture, actor)
}

fn session(answer: &Answer) -> Credential {
    let cookies = answer.headers.get_all("set-cookie").iter();
    let mut cookies =
        cookies.filter_map(|cookie| cookie.to_str().unwrap().strip_prefix("baton_session="));
    let secret = cookies.next().unwrap().split(';').next().unwrap();
    Credential::Session(Secret::read(secret).unwrap())
}

async fn is_good(fixture: &Fixture, credential: &Credential) -> bool {
    fixture
        .engine
        .authenticate(credential)
        .await
        .unwrap()
        .is_some()
}

#[tokio::test]
async fn whoever_knows_their_password_changes_it_and_is_signed_in_here_alone() {
    let fixture = Fixture::new();
    user(&fixture, "kim", Role::Viewer).await;
    let elsewhere = session(&sign_in(&fixture, "kim", PASSWORD).await);
    let fixture = as_user(fixture, "kim").await;
    let form = format!(
        "current={}&new={}",
        PASSWORD.replace(' ', "+"),
        NEXT.replace(' ', "+")
    );

    let page = fixture.get("/admin/account").await;
    let changed = fixture.press("/admin/account/password", &form).await;

    page.has("<h1>kim</h1>")
        .has("<dd>viewer</dd>")
        .has("href=\"./account\"");
    assert_eq!(changed.header("location"), "../account", "{changed:?}");
    assert!(is_good(&fixture, &session(&changed)).await);
    assert!(!is_good(&fixture, &elsewhere).await);
    assert_eq!(sign_in(&fixture, "kim", PASSWORD).await.status, 401);
    assert_eq!(sign_in(&fixture, "kim", NEXT).await.status, 303);
    let (filter, page) = (AuditFilter::default(), PageRequest::default());
    let entries = fixture
        .engine
        .audit_entries(&filter, &page)
        .await
        .unwrap()
        .items;
    let of = |entry: &&baton_domain::audit::AuditEntry| entry.action.as_str() == "user.change";
    assert_eq!(entries.iter().filter(of).count(), 1);
}

#[tokio::test]
async fn a_password_is_not_changed_by_who_does_not_know_it_nor_to_a_short_one() {
    let fixture = Fixture::new();
    user(&fixture, "kim", Role::Viewer).await;
    let fixture = as_user(fixture, "kim").await;

    let wrong = fixture
        .press(
            "/admin/account/password",
            "current=guessed&new=long+enough+to+stand",
        )
        .await;
    let current = PASSWORD.replace(' ', "+");
    let short = fixture
        .press(
            "/admin/account/password",
            &format!("current={current}&new=short"),
        )
        .await;

    assert_eq!((wrong.status.as_u16(), short.status.as_u16()), (400, 400));
    wrong.has("The current password is wrong");
    short.has("12 to 256 letters");
    fixture.clock.advance(std::time::Duration::from_mins(1));
    assert_eq!(sign_in(&fixture, "kim", PASSWORD).await.status, 303);
}

#[tokio::test]
async fn whoever_signs_out_everywhere_is_signed_in_nowhere() {
    let fixture = Fixture::new();
    user(&fixture, "kim", Role::Viewer).await;
    let elsewhere = session(&sign_in(&fixture, "kim", PASSWORD).await);
    let fixture = as_user(fixture, "kim").await;

    let left = fixture.press("/admin/account/sign-out", "").await;

    assert_eq!(left.header("location"), "../sign-in");
    assert!(left.header("set-cookie").contains("Max-Age=0"));
    assert!(!is_good(&fixture, &elsewhere).await);
}

#[tokio::test]
async fn nobody_in_particular_has_a_page_of_their_own() {
    let fixture = Fixture::new();

    let page = fixture.get("/admin/account").await;

    assert_eq!(page.status, 400);
    page.has("You have not signed in").lacks("name=\"current\"");
}

#[tokio::test]
async fn an_admin_resets_a_password_and_signs_somebody_out() {
    let fixture = seen_by(Fixture::new(), Role::Admin);
    user(&fixture, "kim", Role::Viewer).await;
    let first = session(&sign_in(&fixture, "kim", PASSWORD).await);
    let form = format!("password={}", NEXT.replace(' ', "+"));

    let reset = fixture
        .press("/admin/access/users/kim/password", &form)
        .await;
    let second = session(&sign_in(&fixture, "kim", NEXT).await);
    let was_good = is_good(&fixture, &second).await;
    let out = fixture.press("/admin/access/users/kim/sign-out", "").await;

    assert_eq!((reset.status.as_u16(), out.status.as_u16()), (200, 200));
    assert!(!is_good(&fixture, &first).await);
    assert!(was_good && !is_good(&fixture, &second).await);
}

#[tokio::test]
async fn a_key_is_rotated_and_both_are_good_for_a_while() {
    let fixture = seen_by(Fixture::new(), Role::Admin);
    let made = fixture
        .press("/admin/access/keys", "name=billing&allow=jobs:read&days=")
        .await;
    let old = token(&made);
    let there = format!("/admin/access/keys/{}/rotate", old.id);

    let unreadable = fixture.press(&there, "overlap=soon").await;
    let new = token(&fixture.press(&there, "overlap=24h").await);

    assert_eq!(unreadable.status, 400);
    let (old, new) = (Credential::Key(old), Credential::Key(new));
    assert!(is_good(&fixture, &old).await && is_good(&fixture, &new).await);
    fixture.clock.advance(std::time::Duration::from_hours(25));
    assert!(!is_good(&fixture, &old).await && is_good(&fixture, &new).await);
}

fn token(answer: &Answer) -> KeyToken {
    let token = answer.body.split("data-token>").nth(1).expect("a token");
    KeyToken::read(token.split('<').next().unwrap()).unwrap()
}
