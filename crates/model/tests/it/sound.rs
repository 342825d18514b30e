use std::env;

use baton_model::{
    check::{EXAMPLES, check},
    design::{Fault, Scene},
};

/// How many faults a story has. Three are two million states, and a minute.
fn budget() -> u8 {
    let asked = env::var("BATON_MODEL_FAULTS").ok();
    asked.map_or(2, |faults| {
        faults.parse().expect("BATON_MODEL_FAULTS is a number")
    })
}

#[test]
fn whatever_goes_wrong_in_whatever_order_every_sentence_holds() {
    let scene = Scene::sound(Fault::ALL, budget());

    let report = check(scene);

    assert_eq!(report.broken, []);
    assert!(report.states > 100_000, "{} states only", report.states);
}

#[test]
fn the_model_meets_what_its_sentences_are_about() {
    let scene = Scene::sound(Fault::ALL, 2);

    let mut met = check(scene).examples;

    met.sort_unstable();
    let mut wanted = EXAMPLES;
    wanted.sort_unstable();
    assert_eq!(met, wanted);
}

#[test]
fn nothing_is_lost_and_nothing_dies_when_nothing_goes_wrong() {
    let scene = Scene::sound(&[], 0);

    let report = check(scene);

    assert_eq!(report.broken, []);
    assert_eq!(report.examples, [""; 0]);
}
