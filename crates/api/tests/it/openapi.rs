//! The committed description is the one the code gives.

use std::{env, fs, path::Path};

#[test]
fn the_committed_description_is_the_one_the_code_gives() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("openapi.json");

    let given = baton_api::description().to_pretty_json().unwrap() + "\n";

    if env::var_os("UPDATE_OPENAPI").is_some() {
        fs::write(&file, &given).unwrap();
    }
    let committed = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        committed == given,
        "crates/api/openapi.json is out of date; read what changed, then run: \
         UPDATE_OPENAPI=1 cargo test -p baton-api openapi"
    );
}
