//! A check that no broken design fails would prove nothing.

use baton_model::{
    action::Action,
    check::{
        CARED_FOR, ENDS, NO_EARLY_RESCUE, NOT_TWICE, NOTHING_STALE, RECORDED_ONCE, counterexample,
    },
    design::{Fault, Flaw, Scene},
};

/// A way to break a sentence in a broken variant, with one fault of any kind.
fn way(flaw: Flaw, sentence: &'static str) -> Vec<Action> {
    let way = counterexample(Scene::broken(flaw, Fault::ALL, 1), sentence);
    way.unwrap_or_else(|| panic!("{flaw:?} does not break: {sentence}"))
}

/// The same with faults of one kind.
fn way_by(fault: &'static [Fault], flaw: Flaw, sentence: &'static str) -> Vec<Action> {
    let way = counterexample(Scene::broken(flaw, fault, 1), sentence);
    way.unwrap_or_else(|| panic!("{flaw:?} does not break, by {fault:?}: {sentence}"))
}

#[test]
fn a_rescuer_that_compares_wall_clocks_takes_from_the_living() {
    let flaw = Flaw::RescueByWallClock;

    let ways = [
        way_by(&[Fault::StepStore], flaw, NO_EARLY_RESCUE),
        way_by(&[Fault::StepNode], flaw, NO_EARLY_RESCUE),
        way_by(&[Fault::StepNode], flaw, NOT_TWICE),
    ];

    assert!(
        ways.iter()
            .all(|way| has(way, |action| matches!(action, Action::Rescue(_))))
    );
}

#[test]
fn a_rescuer_that_settles_what_it_read_earlier_overtakes_a_renewal() {
    let flaw = Flaw::RescueFromAnEarlierRead;

    let way = way_by(&[Fault::Pause], flaw, NO_EARLY_RESCUE);

    let renewed = place(&way, |action| matches!(action, Action::Renew(_)));
    let rescued = place(&way, |action| matches!(action, Action::Rescue(_)));
    assert!(renewed < rescued, "{way:?}");
}

#[test]
fn a_renewal_that_only_raises_the_end_is_not_seen_after_a_step_back() {
    let flaw = Flaw::RenewalShowsNothing;

    let way = way_by(&[Fault::StepStore], flaw, NO_EARLY_RESCUE);

    assert!(
        has(&way, |action| matches!(action, Action::Renew(_))),
        "{way:?}"
    );
}

#[test]
fn a_renewal_that_does_not_wait_for_the_disk_is_forgotten_under_a_living_worker() {
    let flaw = Flaw::RenewalMayBeForgotten;

    let way = way(flaw, NO_EARLY_RESCUE);

    assert!(
        has(&way, |action| matches!(action, Action::Hurt(_))),
        "{way:?}"
    );
}

#[test]
fn a_worker_that_renews_what_it_forgot_holds_a_job_for_ever() {
    let flaw = Flaw::RenewalOfTheForgotten;

    let ways = [
        way_by(&[Fault::Unanswered], flaw, ENDS),
        way_by(&[Fault::Forget], flaw, ENDS),
        way_by(&[Fault::Unanswered], flaw, CARED_FOR),
        way_by(&[Fault::Forget], flaw, CARED_FOR),
    ];

    assert!(ways.iter().all(|way| !way.is_empty()));
}

#[test]
fn a_settlement_without_the_fence_changes_what_another_holds_and_records_twice() {
    let flaw = Flaw::SettlementWithoutFence;

    let (stale, twice) = (way(flaw, NOTHING_STALE), way(flaw, RECORDED_ONCE));

    assert!(
        has(&stale, |action| matches!(action, Action::Settle(_))),
        "{stale:?}"
    );
    assert!(!twice.is_empty());
}

#[test]
fn a_late_success_that_counts_although_the_job_is_claimed_anew_is_stale() {
    let flaw = Flaw::AdoptionOfTheClaimed;

    let way = way_by(&[Fault::Pause], flaw, NOTHING_STALE);

    let claims = way
        .iter()
        .filter(|action| matches!(action, Action::Claim(_)));
    assert!(claims.count() >= 2, "{way:?}");
}

#[test]
fn a_loop_that_dies_without_its_process_leaves_a_job_stuck() {
    let flaw = Flaw::SilentDeath;

    let ways = [ENDS, CARED_FOR].map(|sentence| way_by(&[Fault::Loop], flaw, sentence));

    for way in ways {
        assert!(
            has(&way, |action| matches!(action, Action::Hurt(_))),
            "{way:?}"
        );
    }
}

#[test]
fn a_rescuer_that_begins_its_watch_anew_at_each_look_leaves_a_job_to_the_dead() {
    let flaw = Flaw::WatchBeginsAnew;

    let way = way_by(&[Fault::Kill], flaw, CARED_FOR);

    assert!(
        has(&way, |action| matches!(action, Action::Hurt(_))),
        "{way:?}"
    );
    // It might look seldom enough, so a way to the end there is.
    assert_eq!(no_way_by(&[Fault::Kill], flaw, ENDS), None);
}

#[test]
fn a_rescuer_that_waits_for_the_stopped_leaves_a_job_alone_until_they_wake() {
    let flaw = Flaw::RescueWaitsForTheStopped;

    let way = way_by(&[Fault::Pause], flaw, CARED_FOR);

    assert!(
        has(&way, |action| matches!(action, Action::Hurt(_))),
        "{way:?}"
    );
    // They might wake, so a way to the end there is.
    assert_eq!(no_way_by(&[Fault::Pause], flaw, ENDS), None);
}

#[test]
fn a_claimer_that_dies_without_its_process_leaves_a_job_in_line_when_the_other_node_stays_away() {
    let scene = Scene::broken(Flaw::SilentDeath, &[Fault::Loop, Fault::Kill], 2);

    let way = counterexample(scene, CARED_FOR).expect("the job stands in line for ever");

    let hurts = way
        .iter()
        .filter(|action| matches!(action, Action::Hurt(_)));
    assert!(hurts.count() <= 2, "{way:?}");
}

/// What must not be found: with faults of one kind a broken variant breaks another sentence, not this one.
fn no_way_by(fault: &'static [Fault], flaw: Flaw, sentence: &'static str) -> Option<Vec<Action>> {
    counterexample(Scene::broken(flaw, fault, 1), sentence)
}

fn has(way: &[Action], is_it: impl Fn(&Action) -> bool) -> bool {
    way.iter().any(is_it)
}

fn place(way: &[Action], is_it: impl Fn(&Action) -> bool) -> Option<usize> {
    way.iter().rposition(is_it)
}
