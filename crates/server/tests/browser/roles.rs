//! Each role on each page: what it is shown leads to what it may do, and what it may not do is not shown.

use baton_client::Client;
use baton_domain::access::Role;
use serde::Deserialize;
use serde_json::json;

use crate::{
    access::{PASSWORD, key, set_up, sign_in},
    accessibility::Inhabited,
    page::Page,
    server::Server,
};

/// What the page offers and keeps back, each with what the server says to it: of a button, past whether it may be
/// pressed, only that this is no form, so that nothing is done.
const OFFERS: &str = "
    const known = new Set(arguments[0]);
    for (const more of document.querySelectorAll('details')) more.open = true;
    const isKeptBack = (one) => getComputedStyle(one.closest('[data-needs]') ?? one).display === 'none';
    const offer = (one, method, address) => ({ method, address: new URL(address, location.href).href, shown: !isKeptBack(one) });
    const forms = [...document.querySelectorAll('form[method=post]')].map((one) => offer(one, 'POST', one.getAttribute('action')));
    const links = [...document.querySelectorAll('.rail a[href], main a[href]')].map((one) => offer(one, 'GET', one.getAttribute('href')));
    const own = [...forms, ...links].filter(({ address }) => address.startsWith(location.origin) && !address.endsWith('/sign-out'));
    const fresh = own.filter((one) => !known.has(`${one.method} ${one.address}`) && known.add(`${one.method} ${one.address}`));
    const ask = async (one) => {
        const form = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
        const answer = await fetch(one.address, { redirect: 'manual', ...(one.method === 'POST' ? form : {}) });
        return { ...one, status: answer.status };
    };
    return Promise.all(fresh.map(ask));";

/// Something that a page offers, or keeps back.
#[derive(Debug, Deserialize)]
struct Offer {
    method: String,
    address: String,
    shown: bool,
    status: u16,
}

#[tokio::test]
async fn each_role_is_shown_on_each_page_what_it_may_do_and_nothing_else() {
    let mut server = Server::start_guarded().await;
    let page = Page::open_outside(&server, "/set-up").await;
    set_up(&server, &page).await;
    let key = key(&server, &page).await;
    server.api = Client::new(server.api.address()).unwrap().with_key(&key);
    for role in Role::ALL {
        let user = json!({"name": role.as_str(), "role": role, "password": PASSWORD});
        let user = serde_json::from_value(user).unwrap();
        server.api.add_user(&user).await.unwrap();
    }
    let inhabited = Inhabited::of(server).await;
    let pages = inhabited.pages();

    let mut wrong = Vec::new();
    for role in Role::ALL {
        page.press(".switches form button", ".outside [name=password]")
            .await;
        sign_in(&page, role.as_str()).await;
        let offers = offers(&page, &inhabited.server, &pages).await;

        let buttons = offers.iter().filter(|one| one.method == "POST");
        let (shown, kept): (Vec<_>, Vec<_>) = buttons.partition(|one| one.shown);
        let has_buttons = matches!(role, Role::Operator | Role::Admin);
        assert!(!has_buttons || shown.len() > 5, "{role}: {shown:?}");
        assert!(has_buttons || kept.len() > 5, "{role}: {kept:?}");
        let untrue = offers.iter().filter(|one| one.shown == (one.status == 403));
        wrong.extend(untrue.map(|one| format!("{role}: {one:?}")));
    }

    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What all pages offer to whoever has signed in, each once.
async fn offers(page: &Page, server: &Server, pages: &[String]) -> Vec<Offer> {
    let mut offers: Vec<Offer> = Vec::new();
    for path in pages
        .iter()
        .map(String::as_str)
        .chain(["/access", "/account"])
    {
        page.goto(&server.admin(path)).await.unwrap();
        let known = offers
            .iter()
            .map(|one| format!("{} {}", one.method, one.address));
        let known: Vec<_> = known.collect();
        let found = page.script(OFFERS, json!([known])).await;
        offers.extend(serde_json::from_value::<Vec<Offer>>(found).unwrap());
    }
    offers
}
