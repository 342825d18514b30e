//! Which buttons a job has: those whose move the table allows, and no others.

use baton_domain::{
    Lifecycle,
    job::{Job, State, Trigger},
};

use crate::root::Root;

/// A button of a job.
pub struct Button {
    /// Its word: `data-action` on the page.
    pub action: &'static str,
    /// What it says.
    pub label: &'static str,
    /// What it does, for the title.
    pub hint: &'static str,
    /// Where it leads.
    pub href: String,
    /// Whether it asks first.
    pub asks: bool,
    /// What is sent along as `as`.
    pub resolves_as: Option<&'static str>,
}

/// The buttons in a list: the two that one job among many needs.
pub fn few(job: &Job, root: &Root) -> Vec<Button> {
    let all = all(job, false, root);
    all.into_iter()
        .filter(|button| matches!(button.action, "cancel" | "retry"))
        .collect()
}

/// Every button of a job; one with a cursor is stopped, and resumed behind it or begun anew.
pub fn all(job: &Job, has_cursor: bool, root: &Root) -> Vec<Button> {
    let allows = |trigger| job.state.on(trigger).is_ok();
    let is_running = job.state == State::Running;
    let mut buttons = Vec::new();
    let mut add = |is_shown: bool, action, label, hint| {
        if is_shown {
            buttons.push(button(job, root, action, label, hint));
        }
    };
    add(
        allows(Trigger::RunNow),
        "run-now",
        tr!("Run now"),
        tr!("Release it at once instead of when it is due"),
    );
    add(
        allows(Trigger::Redrive),
        "retry",
        if has_cursor {
            tr!("Resume")
        } else {
            tr!("Retry")
        },
        if has_cursor {
            tr!("Run it again behind its checkpoint, as its next run")
        } else {
            tr!("Run it again, as its next run, its tries counted from the start")
        },
    );
    add(
        has_cursor && allows(Trigger::Redrive),
        "start-over",
        tr!("Start over"),
        tr!("Run it again from the beginning: its checkpoint is emptied"),
    );
    add(
        allows(Trigger::ResolveSucceeded),
        "resolve-succeeded",
        tr!("Resolve as succeeded"),
        tr!("You have found out that the call was made and worked"),
    );
    add(
        allows(Trigger::ResolveFailed),
        "resolve-failed",
        tr!("Resolve as failed"),
        tr!("You have found out that the call did not work"),
    );
    let was_asked = job.cancel_asked_at.is_some();
    let hint = if is_running {
        tr!("Ask its worker to stop it")
    } else {
        tr!("Take it out before it runs")
    };
    add(
        allows(Trigger::Cancel) && !(is_running && was_asked),
        "cancel",
        if has_cursor {
            tr!("Stop")
        } else {
            tr!("Cancel")
        },
        hint,
    );
    add(
        allows(Trigger::Cancel) && is_running,
        "force-stop",
        tr!("Force stop…"),
        tr!("Take it away from its worker; asks first"),
    );
    buttons
}

fn button(
    job: &Job,
    root: &Root,
    action: &'static str,
    label: &'static str,
    hint: &'static str,
) -> Button {
    let (path, resolves_as) = match action {
        "start-over" => ("retry", Some("afresh")),
        _ => match action.strip_prefix("resolve-") {
            Some(state) => ("resolve", Some(state)),
            None => (action, None),
        },
    };
    Button {
        action,
        label,
        hint,
        href: root.href(&format!("/jobs/{}/{path}", job.id)),
        asks: action == "force-stop",
        resolves_as,
    }
}
