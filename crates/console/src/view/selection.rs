//! Which jobs are meant, in words.

use baton_domain::operation::JobSelection;

use super::state_word;

/// Which jobs are meant: `queued jobs, queue mail, tag red`.
pub fn selection(jobs: &JobSelection) -> String {
    let queue = jobs.queue.as_ref();
    let kind = jobs.kind.as_ref();
    let tag = jobs.tag.as_ref();
    let given = [
        queue.map(|queue| tr!(", queue {name}", name = queue)),
        kind.map(|kind| tr!(", kind {name}", name = kind)),
        tag.map(|tag| tr!(", tag {name}", name = tag)),
    ];
    let all = tr!("{state} jobs", state = state_word(jobs.state));
    std::iter::once(all)
        .chain(given.into_iter().flatten())
        .collect()
}
