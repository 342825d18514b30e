//! Pages beside the API: what surrounds the calls surrounds them, too.

use axum::{
    Router,
    routing::{get, post},
};
use baton_api::{Options, Pages};
use baton_domain::access::Requirement;

use crate::fixture::Fixture;

/// Where the server has pages.
const PAGES: [&str; 2] = ["/", "/admin/page"];

fn beside(router: Router) -> Fixture {
    let pages = Pages {
        router,
        requirements: &[
            ("GET", "/", Requirement::Public),
            ("POST", "/", Requirement::Public),
            ("GET", "/admin/page", Requirement::Public),
            ("POST", "/admin/page", Requirement::Public),
        ],
        ..Pages::default()
    };
    Fixture::beside(Options::default(), pages)
}

#[tokio::test]
async fn a_page_that_takes_too_long_is_given_up() {
    tokio::time::pause();
    let never = PAGES.iter().fold(Router::new(), |router, page| {
        router.route(page, get(std::future::pending::<()>))
    });
    let fixture = beside(never);

    for page in PAGES {
        let reply = fixture.get(page).await;

        reply.problem("timeout");
    }
}

#[tokio::test]
async fn a_page_that_panics_keeps_its_words_to_itself_and_the_server_goes_on() {
    let panics = PAGES.iter().fold(Router::new(), |router, page| {
        let say = async || -> &'static str { panic!("a secret of ours") };
        router.route(page, get(say))
    });
    let fixture = beside(panics);

    for page in PAGES {
        let problem = fixture.get(page).await.problem("internal");

        assert!(!problem.to_string().contains("secret"), "{problem:#}");
        fixture.get("/healthz").await.ok();
    }
}

#[tokio::test]
async fn a_page_can_be_looked_at_while_the_server_stops_and_changes_nothing() {
    let pages = PAGES.iter().fold(Router::new(), |router, page| {
        let look = get(async || "a page");
        router.route(page, look.merge(post(async || "pressed")))
    });
    let fixture = beside(pages);

    fixture.engine.health_board().drain();

    for page in PAGES {
        assert_eq!(fixture.get(page).await.status, 200, "{page}");
        fixture.post_nothing(page).await.problem("draining");
    }
}
