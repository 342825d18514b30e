//! One's own page: who one is to the server, one's password, and signing out everywhere.

use askama::Template;
use axum::{
    Extension, Form,
    http::{HeaderMap, StatusCode},
    response::Response,
};
use baton_domain::access::{Browser, PASSWORD, User};
use baton_engine::SignInRefused;
use serde::Deserialize;

use super::sign_in;
use crate::{
    Console,
    errors::PageError,
    overview_cache::with_timeout,
    receipt::{Receipt, answer},
    shell::Shell,
    view::span,
};

/// The passwords that were typed.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct PasswordForm {
    current: String,
    new: String,
}

/// Shows one's own page.
pub async fn show(console: Console, shell: Shell) -> Response {
    page(&console, &shell, None).await
}

async fn page(console: &Console, shell: &Shell, trouble: Option<(StatusCode, String)>) -> Response {
    match own(console, shell).await {
        Ok(user) => {
            let (status, trouble) = trouble.unzip();
            let page = AccountPage {
                shell,
                name: user.name,
                role: user.role.as_str(),
                issuer: user.identity.map(|identity| identity.issuer),
                trouble,
                least: *PASSWORD.start(),
            };
            shell.page_as(status.unwrap_or(StatusCode::OK), &page)
        }
        Err(trouble) => shell.trouble(&trouble),
    }
}

/// Whoever asks, if they have said who they are.
async fn own(console: &Console, shell: &Shell) -> Result<User, PageError> {
    if !shell.is_signed_in() {
        return Err(PageError::refused(
            tr!("You have not signed in, so there is nothing here that is yours.").to_owned(),
            tr!("This page is for people who have signed in."),
        ));
    }
    with_timeout(console.engine.own_user()).await
}

/// Changes one's own password. This browser stays signed in, and no other does.
pub async fn change_password(
    console: Console,
    shell: Shell,
    headers: HeaderMap,
    Extension(browser): Extension<Browser>,
    Form(typed): Form<PasswordForm>,
) -> Response {
    let engine = &console.engine;
    let changed = engine.change_own_password(typed.current, typed.new, browser.address);
    match changed.await {
        Ok(Ok(signed_in)) => {
            let told = tr!("Your password is changed; your other sessions have ended.");
            let receipt = Receipt::new(told.to_owned());
            let answer = answer(&shell, &headers, "/account", Ok(receipt));
            sign_in::kept(answer, &browser, &signed_in)
        }
        Ok(Err(refused)) => page(&console, &shell, Some(told(refused, &shell))).await,
        Err(error) => shell.trouble(&error.into()),
    }
}

fn told(refused: SignInRefused, shell: &Shell) -> (StatusCode, String) {
    match refused {
        SignInRefused::Wrong => (
            StatusCode::BAD_REQUEST,
            tr!("The current password is wrong. Nothing was changed.").to_owned(),
        ),
        SignInRefused::TooSoon(until) => (
            StatusCode::TOO_MANY_REQUESTS,
            tr!(
                "There were too many wrong passwords. Try again in {span}.",
                span = span(until.since(shell.now))
            ),
        ),
    }
}

/// Ends every session of whoever asks, this one too.
pub async fn sign_out_everywhere(
    console: Console,
    shell: Shell,
    Extension(browser): Extension<Browser>,
) -> Response {
    let done = async {
        let user = own(&console, &shell).await?;
        Ok::<_, PageError>(console.engine.sign_out_everywhere(user.id).await?)
    };
    match done.await {
        Ok(_) => sign_in::left(&shell.root, &browser, "/sign-in"),
        Err(trouble) => shell.trouble(&trouble),
    }
}

#[derive(Template)]
#[template(path = "rooms/account.html")]
struct AccountPage<'a> {
    shell: &'a Shell,
    name: String,
    role: &'static str,
    /// The provider that they sign in at, if they do.
    issuer: Option<String>,
    /// Why the password was not changed.
    trouble: Option<String>,
    least: usize,
}
