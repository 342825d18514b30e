//! Signing in by hand, and what each role sees then.

use baton_client::Client;
use baton_domain::access::{KeyToken, Role};
use serde_json::json;

use crate::{page::Page, server::Server};

pub const PASSWORD: &str = "correct horse battery";

/// Adds the first user by hand, who then signs in.
pub async fn set_up(server: &Server, page: &Page) {
    page.goto(&server.admin("/set-up")).await.unwrap();
    page.type_in("token", &server.set_up_token()).await;
    page.type_in("name", "root").await;
    page.type_in("password", PASSWORD).await;
    page.press(".outside form button", "[name=next]").await;
    sign_in(page, "root").await;
}

pub async fn sign_in(page: &Page, name: &str) {
    page.type_in("name", name).await;
    page.type_in("password", PASSWORD).await;
    page.press(".outside form button", "[data-live=live]").await;
}

/// Makes a key by hand, which may do everything.
pub async fn key(server: &Server, page: &Page) -> KeyToken {
    page.go(server, "/access").await;
    page.type_in("name", "a test").await;
    page.type_in("allow", "jobs:create jobs:read keys:admin operate payloads:read recipients:read recipients:write \
                           schedules:write campaigns:send metrics audit:read recipients:erase inbox worker").await;
    page.press("form.stack button", "[data-token]").await;
    let token = page.texts("[data-token]").await.remove(0);
    KeyToken::read(&token).unwrap()
}

#[tokio::test]
async fn the_first_user_is_set_up_and_signs_in_and_out_by_hand() {
    let server = Server::start_guarded().await;
    let page = Page::open_outside(&server, "/jobs?state=failed").await;
    let asked = page.texts("h1").await;

    set_up(&server, &page).await;
    page.go(&server, "/jobs?state=failed").await;
    let inside = page.texts("h1").await;
    page.press(".switches form button", ".outside [name=password]")
        .await;
    page.goto(&server.admin("/jobs")).await.unwrap();
    let outside = page.texts("h1").await;

    assert_eq!(asked, ["Sign in"]);
    assert_eq!(inside, ["Jobs"]);
    assert_eq!(outside, ["Sign in"]);
    assert_eq!(page.complaints().await, [""; 0]);
}

#[tokio::test]
async fn a_wrong_password_is_told_and_leads_nowhere() {
    let server = Server::start_guarded().await;
    let page = Page::open_outside(&server, "/set-up").await;
    set_up(&server, &page).await;
    page.press(".switches form button", ".outside [name=password]")
        .await;

    page.type_in("name", "root").await;
    page.type_in("password", "wrong horse battery").await;
    page.press(".outside form button", "[role=alert]").await;
    let told = page.texts("[role=alert]").await;
    page.goto(&server.admin("/jobs")).await.unwrap();

    assert_eq!(told, ["The name or the password is wrong."]);
    assert_eq!(page.texts("h1").await, ["Sign in"]);
}

#[tokio::test]
async fn each_role_sees_the_buttons_that_it_may_press_and_no_others() {
    const ROOMS: [&str; 13] = [
        "Overview",
        "Jobs",
        "Queues",
        "Campaigns",
        "Schedules",
        "Recipients",
        "Dead letters",
        "Operations",
        "Events",
        "Fleet",
        "Activity",
        "Access",
        "Settings",
    ];
    let server = Server::start_guarded().await;
    let page = Page::open_outside(&server, "/set-up").await;
    set_up(&server, &page).await;
    let key = key(&server, &page).await;
    let api = Client::new(server.api.address()).unwrap().with_key(&key);
    for role in Role::ALL {
        let user = json!({"name": role.as_str(), "role": role, "password": PASSWORD});
        api.add_user(&serde_json::from_value(user).unwrap())
            .await
            .unwrap();
    }
    let job =
        json!({"kind": "http", "payload": {"url": server.target.url("/c4n4ry")}, "delay": "1h"});
    let job = api
        .enqueue(&serde_json::from_str(&job.to_string()).unwrap())
        .await;
    let id = job.unwrap().job.id;

    for (role, buttons, closed) in [
        (
            Role::Viewer,
            &[][..],
            &["Recipients", "Activity", "Access", "Settings"][..],
        ),
        (Role::Sender, &[], &["Activity", "Access", "Settings"]),
        (Role::Operator, &["run-now", "cancel"], &["Access"]),
        (Role::Admin, &["run-now", "cancel"], &[]),
    ] {
        page.press(".switches form button", ".outside [name=password]")
            .await;
        sign_in(&page, role.as_str()).await;
        page.go(&server, &format!("/jobs/{id}")).await;

        assert_eq!(page.visible_actions().await, buttons, "{role}");
        let open: Vec<_> = ROOMS.iter().filter(|room| !closed.contains(room)).collect();
        assert_eq!(
            page.texts(".rail a").await.iter().collect::<Vec<_>>(),
            open,
            "{role}"
        );
        let shown = page.texts("main").await.concat();
        assert_eq!(shown.contains("c4n4ry"), role != Role::Viewer, "{role}");
    }
}
