//! Forgeries of what was accepted, and of the answers: I1, I2, I3, I24, I25.

use baton_lab::checker::{ActAnswer, History, Posted, Request, State};

use super::{arrival, forgeries, job_in};

forgeries! {
    calm, I 1: a_dropped_job, |history| {
        history.jobs.remove(3);
    };
    calm, I 1: a_job_that_exists_twice, |history| {
        let job = history.jobs[0].clone();
        history.jobs.push(job);
    };
    calm, I 1: two_jobs_with_one_key, |history| {
        let mut job = history.jobs[0].clone();
        job.id = "job_second".to_owned();
        history.jobs.push(job);
    };
    calm, I 1: a_job_that_lost_its_key, |history| history.jobs[0].key = None;
    calm, I 1: a_job_with_the_payload_of_another, |history| {
        history.jobs[0].payload = history.jobs[1].payload.clone();
    };
    calm, I 1: an_answer_with_an_id_that_never_was, |history| {
        let mut request = history.requests[0].clone();
        request.key = None;
        request.answer = Posted::Ok { id: "job_ghost".to_owned(), created: true };
        history.requests.push(request);
    };
    calm, I 2: a_job_that_nobody_asked_for, |history| {
        let mut job = history.jobs[0].clone();
        job.id = "job_uninvited".to_owned();
        job.key = Some("uninvited".to_owned());
        history.jobs.push(job);
    };
    calm, I 2: a_job_without_a_key_that_nobody_asked_for, |history| {
        let mut job = history.jobs[0].clone();
        job.id = "job_uninvited".to_owned();
        job.key = None;
        history.jobs.push(job);
    };
    calm, I 2: a_job_of_a_request_that_was_refused, |history| {
        let mut job = history.jobs[0].clone();
        job.id = "job_refused".to_owned();
        job.key = Some("refused".to_owned());
        history.jobs.push(job);
    };
    calm, I 2: a_call_for_a_job_that_never_was, |history| {
        arrival(history, "/ok").job_id = "job_ghost".to_owned();
    };
    calm, I 3: two_ids_for_one_key, |history| {
        let mut request = history.requests[0].clone();
        request.answer = Posted::Ok { id: history.jobs[1].id.clone(), created: false };
        history.requests.push(request);
    };
    calm, I 3: one_key_created_twice, |history| {
        let created = history.requests.iter().find(|one| {
            one.key.is_some() && matches!(one.answer, Posted::Ok { created: true, .. })
        });
        let again = created.cloned().unwrap();
        history.requests.push(again);
    };
    calm, I 24: a_bare_500, |history| {
        history.requests.last_mut().unwrap().answer = Posted::Refused { status: 500, problem: Some("internal".to_owned()) };
    };
    calm, I 24: a_refusal_without_a_problem, |history| {
        history.requests.last_mut().unwrap().answer = Posted::Refused { status: 400, problem: None };
    };
    calm, I 24: an_act_answered_with_502, |history| {
        history.acts[0].answer = ActAnswer::Refused { status: 502, problem: Some("internal".to_owned()) };
    };
    calm, I 2: a_job_of_a_request_that_was_told_that_nothing_was_done, |history| {
        let mut job = history.jobs[0].clone();
        job.id = "job_denied".to_owned();
        job.key = Some("denied".to_owned());
        history.jobs.push(job);
        let mut request = history.requests[0].clone();
        request.key = Some("denied".to_owned());
        request.answer = Posted::Refused { status: 503, problem: Some("unavailable".to_owned()) };
        history.requests.push(request);
    };
    calm, I 25: a_key_that_is_known_before_anybody_created_it, |history| {
        let mut request = created(history);
        request.end_us = request.start_us - 1;
        request.start_us -= 1_000;
        let Posted::Ok { created, .. } = &mut request.answer else { unreachable!() };
        *created = false;
        history.requests.push(request);
    };
    calm, I 25: a_key_that_is_known_although_whoever_came_before_was_told_that_nothing_was_done, |history| {
        let place = place_of_created(history);
        let mut again = history.requests[place].clone();
        let Posted::Ok { created, .. } = &mut again.answer else { unreachable!() };
        *created = false;
        history.requests[place].answer =
            Posted::Refused { status: 503, problem: Some("draining".to_owned()) };
        history.requests.push(again);
    };
    calm, I 25: an_accepted_job_that_is_not_found, |history| {
        let request = created(history);
        let Posted::Ok { id, .. } = &request.answer else { unreachable!() };
        let mut act = history.acts[0].clone();
        act.job = Some(id.clone());
        act.start_us = request.end_us + 1;
        act.answer = ActAnswer::Refused { status: 404, problem: Some("job-not-found".to_owned()) };
        history.acts.push(act);
    };
    stormy, I 1: a_job_dropped_in_a_storm, |history| {
        let id = job_in(history, State::Succeeded).id.clone();
        history.jobs.retain(|job| job.id != id);
    };
}

/// Where a request stands that created a job under a key.
fn place_of_created(history: &History) -> usize {
    let mut requests = history.requests.iter();
    let creates =
        |one: &Request| one.key.is_some() && matches!(one.answer, Posted::Ok { created: true, .. });
    requests.position(creates).unwrap()
}

fn created(history: &History) -> Request {
    history.requests[place_of_created(history)].clone()
}
