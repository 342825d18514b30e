//! The shape of the fixture: which crate may name which, and who may name a heavy third party.

mod manifest;
mod rules;

use std::path::Path;

use self::manifest::Manifest;
use self::rules::violations;

#[test]
fn every_manifest_keeps_to_the_arrows_and_to_its_own_third_parties() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();

    let manifests = Manifest::read_all(crates);

    assert!(
        manifests.len() > 1,
        "no crates were found in {}",
        crates.display()
    );
    assert_eq!(violations(&manifests), Vec::<String>::new());
}

#[test]
fn an_arrow_that_points_up_is_refused() {
    let ports = Manifest::parse(
        "[package]\nname = 'baton-ports'\n[dependencies]\nbaton-engine.workspace = true",
    );

    let found = violations(&[ports]);

    assert_eq!(
        found,
        ["baton-ports must not depend on baton-engine: it lies beside or above it"]
    );
}

#[test]
fn an_arrow_between_adapters_is_refused_under_any_name_and_for_any_target() {
    let sql = Manifest::parse(
        "[package]\nname = 'baton-sql'\n[target.'cfg(unix)'.dependencies]\n\
         http = { package = 'baton-providers' }",
    );

    let found = violations(&[sql]);

    assert_eq!(
        found,
        ["baton-sql must not depend on baton-providers: it lies beside or above it"]
    );
}

#[test]
fn an_arrow_may_skip_a_floor_downward() {
    let engine = Manifest::parse(
        "[package]\nname = 'baton-engine'\n[dependencies]\nbaton-domain.workspace = true",
    );

    let found = violations(&[engine]);

    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn the_testkit_is_for_tests_only() {
    let shipped = Manifest::parse(
        "[package]\nname = 'baton-sql'\n[dependencies]\nbaton-testkit.workspace = true",
    );
    let tested = Manifest::parse(
        "[package]\nname = 'baton-sql'\n[dev-dependencies]\nbaton-testkit.workspace = true",
    );

    let (shipped, tested) = (violations(&[shipped]), violations(&[tested]));

    assert_eq!(
        shipped,
        ["baton-sql must not depend on baton-testkit: it lies beside or above it"]
    );
    assert_eq!(tested, Vec::<String>::new());
}

#[test]
fn a_heavy_third_party_is_named_by_its_own_crates_only() {
    let lab = Manifest::parse("[package]\nname = 'baton-lab'\n[dependencies]\naxum = '0.8'");
    let api = Manifest::parse("[package]\nname = 'baton-api'\n[dependencies]\naxum = '0.8'");
    let tested =
        Manifest::parse("[package]\nname = 'baton-worker'\n[dev-dependencies]\naxum = '0.8'");

    let found = violations(&[lab, api, tested]);

    assert_eq!(
        found,
        ["baton-lab must not depend on axum: only api, console, faults and server may"]
    );
}

#[test]
fn a_crate_that_the_table_does_not_know_is_refused() {
    let stranger = Manifest::parse("[package]\nname = 'baton-attic'");

    let found = violations(&[stranger]);

    assert_eq!(
        found,
        ["baton-attic is not in the table of arrows: \
            add it to crates/testkit/tests/it/architecture/rules.rs"]
    );
}
