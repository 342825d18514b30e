//! The API's own pages.

use baton_protocol::ProblemKind;

use crate::fixture::Fixture;

#[tokio::test]
async fn the_description_is_served_as_it_is_committed() {
    let fixture = Fixture::new();

    let served = fixture.get("/openapi.json").await.ok();

    let committed: serde_json::Value =
        serde_json::from_str(include_str!("../../openapi.json")).unwrap();
    assert_eq!(served, committed);
}

#[tokio::test]
async fn the_reference_tells_every_call_and_loads_nothing_from_elsewhere() {
    let fixture = Fixture::new();
    let description = fixture.get("/openapi.json").await.ok();

    let reply = fixture.get("/docs").await;

    let page = String::from_utf8(reply.body.to_vec()).unwrap();
    for path in description["paths"].as_object().unwrap().keys() {
        assert!(page.contains(&format!("<code>{path}</code>")), "{path}");
    }
    assert!(!page.contains("<script") && !page.contains("src=") && !page.contains("http://"));
    assert!(
        reply
            .header("content-security-policy")
            .starts_with("default-src 'none'")
    );
    assert_eq!(fixture.get("/docs/style.css").await.status, 200);
}

#[tokio::test]
async fn every_kind_of_problem_has_a_page_where_its_type_says() {
    let fixture = Fixture::new();
    let list = fixture.get("/docs/problems").await;
    let list = String::from_utf8(list.body.to_vec()).unwrap();

    for kind in ProblemKind::ALL {
        let reply = fixture.get(&kind.uri()).await;

        assert_eq!(reply.status, 200);
        let page = String::from_utf8(reply.body.to_vec()).unwrap();
        assert!(page.contains("<h2>What to do</h2>"), "{kind:?}");
        assert!(list.contains(&kind.uri()));
    }
    fixture
        .get("/docs/problems/nonsense")
        .await
        .problem("not-found");
}
