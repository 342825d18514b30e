//! The API's own pages.

use baton_protocol::ProblemKind;

use crate::house::House;

#[tokio::test]
async fn the_description_is_served_as_it_is_committed() {
    let house = House::new();

    let served = house.get("/openapi.json").await.ok();

    let committed: serde_json::Value =
        serde_json::from_str(include_str!("../../openapi.json")).unwrap();
    assert_eq!(served, committed);
}

#[tokio::test]
async fn the_reference_tells_every_call_and_loads_nothing_from_elsewhere() {
    let house = House::new();
    let description = house.get("/openapi.json").await.ok();

    let reply = house.get("/docs").await;

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
    assert_eq!(house.get("/docs/style.css").await.status, 200);
}

#[tokio::test]
async fn every_kind_of_problem_has_a_page_where_its_type_says() {
    let house = House::new();
    let list = house.get("/docs/problems").await;
    let list = String::from_utf8(list.body.to_vec()).unwrap();

    for kind in ProblemKind::ALL {
        let reply = house.get(&kind.uri()).await;

        assert_eq!(reply.status, 200);
        let page = String::from_utf8(reply.body.to_vec()).unwrap();
        assert!(page.contains("<h2>What to do</h2>"), "{kind:?}");
        assert!(list.contains(&kind.uri()));
    }
    house
        .get("/docs/problems/nonsense")
        .await
        .problem("not-found");
}
