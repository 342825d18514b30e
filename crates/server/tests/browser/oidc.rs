//! Signing in at a provider by hand: a real one, which asks for a name and for leave.

use baton_testkit::{OidcProvider, free_port, identities::SECRET};

use crate::{page::Page, server::Server};

/// A server, and the provider that its people sign in at.
async fn start() -> (Server, OidcProvider) {
    let port = free_port();
    let provider = OidcProvider::start(&format!("http://127.0.0.1:{port}/admin/sign-in/callback"));
    let settings = format!(
        "[access.oidc]\nissuer = \"{}\"\nclient_id = \"baton\"\nclient_secret = \"{SECRET}\"\nlabel = \"Sign in at the office\"\n\
         scopes = [\"openid\", \"profile\"]\nroles = {{ boss = \"admin\", guest = \"viewer\" }}\n",
        provider.issuer()
    );
    (Server::start_guarded_at(port, &settings).await, provider)
}

/// Types a name at the provider, as its page asks.
/// The button of the provider's page that asks for this: one press more than a page needs is none of the next.
fn submit(asked: &str) -> String {
    format!("form:has([value={asked}]) button[type=submit]")
}

async fn introduce(page: &Page, name: &str) {
    page.press("[data-provider]", "[name=login]").await;
    page.type_in("login", name).await;
    page.type_in("password", "any").await;
    page.press(&submit("login"), "[value=consent]").await;
}

#[tokio::test]
async fn whoever_agrees_at_the_provider_is_let_in_with_the_role_that_it_says_and_signs_out_here_and_there()
 {
    let (server, _provider) = start().await;
    let page = Page::open_outside(&server, "/jobs?state=failed").await;

    introduce(&page, "boss").await;
    page.press(&submit("consent"), "[data-live=live]").await;
    let wanted = page.texts("h1").await;
    page.go(&server, "/access").await;
    let user = page.texts("[data-user]").await.concat();
    page.press(".switches form button", ".outside [name=password]")
        .await;
    page.press("[data-elsewhere]", "[name=logout]").await;
    page.goto(&server.admin("/jobs")).await.unwrap();

    assert_eq!(wanted, ["Jobs"]);
    assert!(
        user.contains("boss") && user.contains("which says the role"),
        "{user}"
    );
    assert_eq!(page.texts("h1").await, ["Sign in"]);
}

#[tokio::test]
async fn whoever_cancels_at_the_provider_is_told_so_and_can_begin_again() {
    let (server, _provider) = start().await;
    let page = Page::open_outside(&server, "/sign-in").await;

    page.press("[data-provider]", "[name=login]").await;
    page.press("a[href$='/abort']", "[role=alert]").await;

    let told = page.texts("[role=alert]").await;
    assert_eq!(
        told,
        ["You were not signed in: it was canceled at the identity provider."]
    );
    assert!(page.is_there("[data-provider]").await);
}

#[tokio::test]
async fn whom_the_provider_gives_no_role_stays_outside_and_hears_what_to_do() {
    let (server, _provider) = start().await;
    let page = Page::open_outside(&server, "/sign-in").await;

    introduce(&page, "stranger").await;
    page.press(&submit("consent"), "[role=alert]").await;
    let told = page.texts("[role=alert]").await.concat();
    page.goto(&server.admin("/jobs")).await.unwrap();

    assert!(
        told.contains("the claim groups") && told.contains("access.oidc.roles"),
        "{told}"
    );
    assert_eq!(page.texts("h1").await, ["Sign in"]);
}
